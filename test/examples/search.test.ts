import { expect, test } from 'vitest'
import { ExampleRun } from './example-run.ts'

test('a search goes on when its queue and one of its workers are killed', async () => {
  const run = new ExampleRun('search')
  run.start()
  await run.kill(/worker 1 of 3, pid (\d+)/)
  await run.sees(/ 3 of 24 trials done/)
  await run.kill(/queue at port \d+, pid (\d+)/)
  const { code, stdout, job } = await run.end()
  expect(code).toBe(0)
  expect(job.phase).toBe('Succeeded')
  const attempts = new Map(job.replicas.map(({ replica, attempts }) => [replica, attempts.length]))
  expect(attempts.get('queue-0')).toBe(2)
  expect(attempts.get('worker-1')).toBe(2)
  const known = [...stdout.matchAll(/queue at port \d+, pid \d+, (\d+) of 24/g)].map(([, count]) => Number(count))
  expect(known).toHaveLength(2)
  expect(known[1]).toBeGreaterThanOrEqual(3)
  expect(stdout).toMatch(/24 of 24 trials done/)
  expect(stdout).toMatch(/best: rate [\d.]+, momentum [\d.]+, loss 0\.0/)
  await run.emptied()
})
