import { expect, test } from 'vitest'
import { ExampleRun, readTraining } from '../examples/example-run.ts'

test('torchrun starts four processes on two nodes, and all of them again when one is killed', async () => {
  const run = new ExampleRun('torchrun', 'torch')
  run.start()
  await run.sees(/step +10\//)
  await run.kill(/rank 3 of 4, process 1 of node 1, pid (\d+)/)
  const { code, stdout, job } = await run.end()
  const { steps, weights, begun, resumed } = readTraining(stdout)
  expect(code).toBe(0)
  expect(job.phase).toBe('Succeeded')
  // That was torchrun's own restart; the pods are still the first ones.
  expect(job.restarts.used).toBe(0)
  expect(job.replicas.map(({ attempts }) => attempts.length)).toEqual([1, 1])
  expect(begun).toBe(4)
  expect(resumed).toHaveLength(4)
  expect(resumed[0]).toBeGreaterThanOrEqual(10)
  expect(steps.at(-1)).toMatchObject({ step: 150, of: 150 })
  expect(steps.at(-1)!.loss).toBeLessThan(steps[0]!.loss / 4)
  expect(weights).toHaveLength(4)
  expect(new Set(weights).size).toBe(1)
  await run.emptied()
})
