// The machine's clock jumps while a job runs: an hour ahead, and two back.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Bench } from '../run/run-cli.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const HOUR = 3_600_000

test.each([
  ['an hour ahead', HOUR],
  ['two hours back', -2 * HOUR],
])('%s', async (_, jump) => {
  const bench = new Bench()
  onTestFinished(() => bench.close())
  const clock = join(bench.dir, 'offset')
  writeFileSync(clock, '0')
  const preload = pathToFileURL(join(import.meta.dirname, 'jumping-clock.mjs')).href
  Object.assign(bench.env, { CLOCK_OFFSET: clock, NODE_OPTIONS: `--import=${preload}` })
  const [seen, go] = [join(bench.dir, 'seen'), join(bench.dir, 'go')]
  const wait = `until test -e ${go}; do sleep 0.05; done`
  // It fails once before the jump and once after it, and is started again both times.
  const script = `echo try >> ${seen}; n=$(wc -l < ${seen}); echo attempt $n; test $n = 2 && { ${wait}; }; test $n = 3`
  const manifest = bench.job('clock', script)
  const policy = 'replicas: 1\n      restartPolicy: {policy: OnFailure, limit: 3}'
  bench.file(manifest, bench.read(manifest).replace('replicas: 1', policy))
  const run = bench.start('run', '-f', manifest)
  await run.sees('worker-0 | attempt 2')
  writeFileSync(clock, String(jump))
  bench.file('go', '')
  const { code, stdout } = await run.ran
  expect(stdout).toBe('worker-0 | attempt 1\nworker-0 | attempt 2\nworker-0 | attempt 3\n')
  expect(code).toBe(0)
  const again = await bench.run('run', '-f', bench.job('after', 'echo well'))
  expect(again, again.stderr).toMatchObject({ code: 0, stdout: 'worker-0 | well\n' })
})
