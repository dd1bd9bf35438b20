import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ExampleRun, readTraining } from '../examples/example-run.ts'

test('an elastic job goes from two nodes to three and to one while it trains', async () => {
  const run = new ExampleRun('torch-elastic', 'torch')
  // However slow the machine is, it must not be done before it was scaled.
  const keepGoing = join(run.claim('torch-elastic-checkpoints'), 'keep-going')
  writeFileSync(keepGoing, '')
  run.start()
  // Where one node is much slower than the other, the world begins with one, and the other joins it.
  await run.sees(/rank 0 of 2, [\s\S]*step +\d+0\//)
  expect(await run.command('scale', 'torch-elastic', '3')).toContain('node-2 joined')
  const grown = await run.sees(/rank 0 of 3, .* going on from step (\d+)/)
  expect(await run.command('scale', 'torch-elastic', '1')).toContain('node-1, node-2 left')
  const shrunk = await run.sees(/rank 0 of 1, .* going on from step (\d+)/)
  rmSync(keepGoing)
  const { code, stdout, job } = await run.end()
  const { steps, weights } = readTraining(stdout)
  expect(code).toBe(0)
  expect(job.phase).toBe('Succeeded')
  // Those who were told to leave are no failures of the job.
  expect(job.restarts.used).toBe(0)
  expect(job.replicas.map(({ replica }) => replica)).toEqual(['node-0'])
  expect(Number(grown[1])).toBeGreaterThanOrEqual(10)
  expect(Number(shrunk[1])).toBeGreaterThanOrEqual(Number(grown[1]))
  // Whoever has to leave says so in time, and no step is done twice.
  const stops = [...stdout.matchAll(/rank 0 stops after step (\d+)/g)].map(([, step]) => step)
  expect(stops.slice(-2)).toEqual([grown[1], shrunk[1]])
  expect(stdout.match(/rank 0 of \d, .* begins at step 0/g)).toHaveLength(1)
  expect(steps.at(-1)!.step).toBeGreaterThanOrEqual(200)
  expect(steps.at(-1)!.loss).toBeLessThan(steps[0]!.loss / 4)
  expect(weights).toHaveLength(1)
  await run.emptied()
})
