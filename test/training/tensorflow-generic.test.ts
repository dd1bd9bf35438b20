import { expect, test } from 'vitest'
import { ExampleRun, readTraining } from '../examples/example-run.ts'

test('a GenericJob with a TF_CONFIG of its own trains like a TensorFlowTrainingJob', async () => {
  const run = new ExampleRun('tensorflow-generic', 'tensorflow')
  run.start()
  const { code, stdout, job } = await run.end()
  const { steps, begun } = readTraining(stdout)
  expect(code).toBe(0)
  expect(job.phase).toBe('Succeeded')
  expect(begun).toBe(2)
  expect(stdout).toMatch(/worker 1, 2 replicas, pid/)
  expect(steps.at(-1)).toMatchObject({ step: 150, of: 150 })
  expect(steps.at(-1)!.loss).toBeLessThan(steps[0]!.loss / 2)
  await run.emptied()
})
