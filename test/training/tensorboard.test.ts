import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { ExampleRun } from '../examples/example-run.ts'

interface Job {
  status: { tensorboard: { ready: boolean; note: string; reason: string; dependent: { kind: string; uid: string } } }
}

async function readJob(run: ExampleRun): Promise<Job> {
  return JSON.parse((await run.bench.run('get', 'tensorboard', '-o', 'json')).stdout) as Job
}

test('a job writes scalars, TensorBoard serves them, status says so, and it goes with the job', async () => {
  const run = new ExampleRun('tensorboard', 'tensorboard')
  run.start()
  expect((await run.end()).code).toBe(0)
  const opened = run.bench.start('tensorboard', 'tensorboard', '--no-open')
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    opened.child.stdout?.on('data', (chunk) => {
      text += chunk
      if (text.endsWith('\n')) resolve(text.trim())
    })
    opened.ran.then(({ stderr }) => reject(new Error(stderr)))
  })
  const read = async (path: string): Promise<unknown> => (await fetch(new URL(path, url))).json()
  await expect
    .poll(() => read('data/plugin/scalars/tags'), { timeout: 60_000 })
    .toEqual({ '.': { loss: expect.anything() } })
  const scalars = (await read('data/plugin/scalars/scalars?tag=loss&run=.')) as number[][]
  expect(scalars.map(([, step]) => step)).toEqual(Array.from({ length: 100 }, (_, step) => step))
  expect(scalars[0]![2]).toBeCloseTo(9)
  opened.child.kill('SIGINT')
  expect((await opened.ran).code).toBe(0)

  const { tensorboard } = (await readJob(run)).status
  expect(tensorboard).toMatchObject({ ready: true, reason: 'DependentReady', dependent: { kind: 'TensorBoard' } })
  expect(tensorboard.note).toMatch(/^TensorBoard \[tensorboard-\w{5}\] is ready$/)
  await run.command('delete', 'tensorboard')
  await run.emptied()
})

test('a TensorBoard that is not installed is told in status, event and command, and the job runs all the same', async () => {
  const run = new ExampleRun('tensorboard', 'tensorboard')
  // The example's own program needs the package; the program `tensorboard` is what is missing.
  const python = join(run.bench.dir, 'python3')
  writeFileSync(python, `#!/bin/sh\nexec ${process.env.TRAINYARD_TENSORBOARD}/python3 "$@"\n`, { mode: 0o755 })
  run.bench.env.PATH = [run.bench.dir, process.env.PATH].join(delimiter)
  run.start()
  expect((await run.end()).code).toBe(0)
  const words = 'is not ready: no program "tensorboard" on its PATH'
  await expect.poll(async () => (await readJob(run)).status.tensorboard.note, { timeout: 60_000 }).toContain(words)
  const { code, stderr } = await run.bench.run('tensorboard', 'tensorboard')
  expect(code).toBe(1)
  expect(stderr).toContain(words)
  // An event is written after the status that it tells of.
  const events = (): Promise<string> => run.command('events', 'tensorboard')
  await expect.poll(events, { timeout: 60_000 }).toContain('TensorBoardNotReady')
})
