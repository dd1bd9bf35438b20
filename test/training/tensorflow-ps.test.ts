import { expect, test } from 'vitest'
import { ExampleRun, readTraining } from '../examples/example-run.ts'

test('weights on parameter servers: a killed chief goes on from its checkpoint, a killed worker is not missed', async () => {
  const run = new ExampleRun('tensorflow-ps', 'tensorflow')
  run.start()
  await run.sees(/step +100\//)
  await run.kill(/chief, pid (\d+)/)
  await run.sees(/going on from step [\s\S]*step +140\//)
  await run.kill(/worker 1, pid (\d+)/)
  const { code, stdout, job } = await run.end()
  const { steps, resumed } = readTraining(stdout)
  expect(code).toBe(0)
  expect(job.phase).toBe('Succeeded')
  expect(job.restarts.used).toBe(2)
  expect(stdout).toMatch(/chief, pid \d+, 2 workers, weights on 2 parameter servers, begins at step 0/)
  expect(resumed).toEqual([100])
  // The second time the chief went on to the end: every step after the checkpoint, and none of them twice.
  const again = steps.slice(steps.findLastIndex(({ step }) => step === 120))
  expect(again.map(({ step }) => step)).toEqual(again.map((_, i) => 120 + i * 20))
  expect(again.at(-1)).toMatchObject({ step: 600, of: 600 })
  expect(again.at(-1)!.loss).toBeLessThan(steps[0]!.loss / 2)
  // Workers and parameter servers never end by themselves: the clean-up takes them.
  await run.emptied()
})
