import { expect, test } from 'vitest'
import { ExampleRun, readTraining } from '../examples/example-run.ts'

test('DistributedDataParallel goes on from its checkpoint after a killed rank', async () => {
  const run = new ExampleRun('torch-ddp', 'torch')
  run.start()
  await run.sees(/step +10\//)
  await run.kill(/rank 1 of 3, pid (\d+)/)
  const { code, stdout, job } = await run.end()
  const { steps, weights, begun, resumed } = readTraining(stdout)
  expect(code).toBe(0)
  expect(job.phase).toBe('Succeeded')
  expect(job.restarts.used).toBe(1)
  expect(begun).toBe(3)
  expect(resumed).toHaveLength(3)
  expect(new Set(resumed).size).toBe(1)
  expect(resumed[0]).toBeGreaterThanOrEqual(10)
  expect(steps.at(-1)).toMatchObject({ step: 150, of: 150 })
  expect(steps.at(-1)!.loss).toBeLessThan(steps[0]!.loss / 4)
  expect(weights).toHaveLength(3)
  expect(new Set(weights).size).toBe(1)
  await run.emptied()
})
