import { expect, test } from 'vitest'
import { ExampleRun, readTraining } from './example-run.ts'

test('workers train on parameter servers, and both go on from where they were after they are killed', async () => {
  const run = new ExampleRun('parameter-server')
  run.start()
  // A server keeps every twentieth gradient, so that this worker is in what it has kept.
  await run.sees(/worker-1 +\| step +20\//)
  await run.kill(/worker 1, pid (\d+)/)
  await run.kill(/server 0, pid (\d+)/)
  const { code, stdout, job } = await run.end()
  expect(code).toBe(0)
  expect(job.phase).toBe('Succeeded')
  const attempts = new Map(job.replicas.map(({ replica, attempts }) => [replica, attempts.length]))
  expect(attempts.get('ps-0')).toBe(2)
  expect(attempts.get('worker-1')).toBe(2)
  const known = [...stdout.matchAll(/server 0, pid \d+, (\d+) gradients/g)].map(([, count]) => Number(count))
  expect(known).toHaveLength(2)
  expect(known[1]).toBeGreaterThanOrEqual(20)
  const { steps, resumed } = readTraining(stdout)
  expect(resumed).toHaveLength(1)
  expect(resumed[0]).toBeGreaterThan(0)
  expect(steps.filter(({ step }) => step === 120)).toHaveLength(3)
  expect(steps.at(-1)!.loss).toBeLessThan(steps[0]!.loss)
  // Parameter servers never end by themselves: the clean-up takes them.
  await run.emptied()
})
