import { expect, test } from 'vitest'
import { ExampleRun, readTraining } from '../examples/example-run.ts'

test('a TFJob trains, and goes on from its checkpoint after a killed worker', async () => {
  const run = new ExampleRun('tfjob', 'tensorflow')
  run.start()
  await run.sees(/step +30\//)
  await run.kill(/worker 1, 2 replicas, pid (\d+)/)
  const { code, stdout, job } = await run.end()
  const { steps, begun, resumed } = readTraining(stdout)
  expect(code).toBe(0)
  expect(job.phase).toBe('Succeeded')
  expect(begun).toBe(2)
  expect(resumed).toHaveLength(2)
  expect(new Set(resumed).size).toBe(1)
  expect(steps.at(-1)).toMatchObject({ step: 150, of: 150 })
  expect(steps.at(-1)!.loss).toBeLessThan(steps[0]!.loss / 2)
  await run.emptied()
  const { weights } = readTraining(await run.command('logs', 'tfjob'))
  expect(weights).toHaveLength(2)
  expect(new Set(weights).size).toBe(1)
})
