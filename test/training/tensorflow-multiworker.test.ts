import { expect, test } from 'vitest'
import { ExampleRun, readTraining } from '../examples/example-run.ts'

test('chief and workers mirror one network, go on after a killed worker, and an evaluator measures it', async () => {
  const run = new ExampleRun('tensorflow-multiworker', 'tensorflow')
  run.start()
  await run.sees(/step +30\//)
  await run.kill(/worker 1, 3 replicas, pid (\d+)/)
  const { code, stdout, job } = await run.end()
  const { steps, weights, begun, resumed } = readTraining(stdout)
  expect(code).toBe(0)
  expect(job.phase).toBe('Succeeded')
  expect(job.restarts.used).toBe(1)
  expect(begun).toBe(3)
  expect(resumed).toHaveLength(3)
  expect(new Set(resumed).size).toBe(1)
  expect(steps.at(-1)).toMatchObject({ step: 150, of: 150 })
  expect(steps.at(-1)!.loss).toBeLessThan(steps[0]!.loss / 2)
  // The chief decides, and may be ahead of the others by a moment: they end by themselves.
  await run.emptied()
  const logs = await run.command('logs', 'tensorflow-multiworker')
  expect(readTraining(logs).weights).toHaveLength(3)
  expect(new Set([...readTraining(logs).weights, ...weights]).size).toBe(1)
  const evaluated = [...logs.matchAll(/evaluated step +(\d+): accuracy ([\d.]+)/g)]
  expect(evaluated.at(-1)?.[1]).toBe('150')
  expect(Number(evaluated.at(-1)?.[2])).toBeGreaterThan(0.9)
})
