// More log than anybody could hold in memory: 1 GB with `npm run soak -- logs`, less in CI.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Bench } from '../run/run-cli.ts'

vi.setConfig({ testTimeout: 900_000 })

const BYTES = Number(process.env.TRAINYARD_LOG_BYTES ?? 128 * 1024 * 1024)
const LINE = 64
const LINES = Math.floor(BYTES / LINE)
/** Whoever kept what passes through would grow by all of it. */
const ROOM = 96 * 1024 * 1024

/** Peak of resident memory since the last look, in bytes. */
function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024
}

test(`${BYTES} bytes of logs are written, shown and read again, and the home stays as small as it was`, async () => {
  const bench = new Bench()
  onTestFinished(() => bench.close())
  expect((await bench.run('run', '-f', bench.job('first', 'echo well'))).code).toBe(0)
  const { pid } = JSON.parse(readFileSync(join(bench.env.TRAINYARD_HOME, 'home.json'), 'utf8')) as { pid: number }
  const before = peakOf(pid)
  const script = `yes ${'x'.repeat(LINE - 1)} | head -n ${LINES}; echo the end`
  const shown = await bench.count('run', '-f', bench.job('much', script))
  const prefix = 'worker-0 | '.length
  expect(shown).toEqual({ code: 0, bytes: LINES * (LINE + prefix) + prefix + 8, end: '| the end\n'.slice(-9) })
  expect(peakOf(pid) - before).toBeLessThan(ROOM)
  const read = await bench.count('logs', 'much', '--replica', 'worker-0', '--no-prefix')
  expect(read).toEqual({ code: 0, bytes: LINES * LINE + 8, end: '\nthe end\n' })
  const last = await bench.run('logs', 'much', '--no-prefix', '--tail', '1')
  expect(last).toMatchObject({ code: 0, stdout: 'the end\n' })
  expect(peakOf(pid) - before).toBeLessThan(ROOM)
})
