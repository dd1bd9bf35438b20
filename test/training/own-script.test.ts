import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ExampleRun, readTraining } from '../examples/example-run.ts'

const script = new URL('../../examples/own-script/train.py', import.meta.url)

test('a torchrun script without a manifest gets one, trains, and finds its checkpoint the next time', async () => {
  const run = new ExampleRun('train', 'torch')
  copyFileSync(script, join(run.bench.dir, 'train.py'))
  run.start('--workers', '2', '--torchrun', '--', 'train.py', '--steps', '60')
  const { code, stdout, job } = await run.end()
  const { steps, begun } = readTraining(stdout)
  expect(code).toBe(0)
  expect(job.phase).toBe('Succeeded')
  expect(begun).toBe(2)
  expect(steps.at(-1)).toMatchObject({ step: 60, of: 60 })
  expect(steps.at(-1)!.loss).toBeLessThan(steps[0]!.loss)
  const norms = [...stdout.matchAll(/weights of norm ([\d.]+)/g)].map(([, norm]) => norm)
  expect(norms).toHaveLength(2)
  expect(new Set(norms).size).toBe(1)
  expect(existsSync(join(run.bench.dir, 'train.trainyard.yaml'))).toBe(true)
  run.start('-f', 'train.trainyard.yaml', '--replace')
  const again = await run.end()
  expect(again.code).toBe(0)
  expect(readTraining(again.stdout).resumed).toEqual([60, 60])
})
