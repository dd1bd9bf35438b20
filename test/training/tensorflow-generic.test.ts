import { expect, test } from 'vitest'
import { ExampleRun, readTraining } from '../examples/example-run.ts'

test('a GenericJob with a TF_CONFIG of its own trains, and loses no step to SIGTERM', async () => {
  const run = new ExampleRun('tensorflow-generic', 'tensorflow')
  run.start()
  await run.sees(/step +10\//)
  await run.kill(/worker 1, 2 replicas, pid (\d+)/, 'SIGTERM')
  const { code, stdout, job } = await run.end()
  const { steps, begun, resumed } = readTraining(stdout)
  expect(code).toBe(0)
  expect(job.phase).toBe('Succeeded')
  expect(begun).toBe(2)
  const stopped = [...stdout.matchAll(/stops after step (\d+)/g)].map(([, step]) => Number(step))
  expect(stopped).toHaveLength(2)
  expect(resumed).toEqual(stopped)
  expect(stdout).toMatch(/worker 1, 2 replicas, pid/)
  expect(steps.at(-1)).toMatchObject({ step: 150, of: 150 })
  expect(steps.at(-1)!.loss).toBeLessThan(steps[0]!.loss / 2)
  await run.emptied()
})
