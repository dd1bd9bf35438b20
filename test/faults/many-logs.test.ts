// More log than anybody could hold in memory: 1 GB with `npm run soak -- logs`, less in CI.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closingLine } from '../closing-line.ts'
import { Bench } from '../run/run-cli.ts'

vi.setConfig({ testTimeout: 900_000, hookTimeout: 180_000 })

const MB = 1_000_000
const BYTES = Number(process.env.TRAINYARD_LOG_BYTES ?? 128 * 1024 * 1024)
const LINE = 64
const LINES = Math.floor(BYTES / LINE)
const LONG = 100 * MB
/** Whoever kept what passes through would grow by all of it. */
const ROOM = 96 * 1024 * 1024

const bench = new Bench()
const seen: string[] = []
let home = 0
let small = 0

beforeAll(async () => {
  expect((await bench.run('run', '-f', bench.job('first', 'echo well'))).code).toBe(0)
  home = (JSON.parse(readFileSync(join(bench.env.TRAINYARD_HOME, 'home.json'), 'utf8')) as { pid: number }).pid
  small = peakOfHome()
})
afterAll(async () => {
  await bench.close()
  closingLine(`logs: ${seen.join('; ')}`)
})

/** Peak of the home's resident memory since the last look, in bytes. */
function peakOfHome(): number {
  const status = readFileSync(`/proc/${home}/status`, 'latin1')
  writeFileSync(`/proc/${home}/clear_refs`, '5')
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024
}

/** By how much the home has grown at most, which is not much. */
function expectSmallHome(): string {
  const growth = Math.max(0, peakOfHome() - small)
  expect(growth).toBeLessThan(ROOM)
  return `home + ${Math.round(growth / MB)} MB`
}

async function timed<T>(act: Promise<T>): Promise<[T, string]> {
  const start = performance.now()
  return [await act, `${((performance.now() - start) / 1000).toFixed(1)} s`]
}

test(`${BYTES} bytes of logs are written, shown and read again, and the home stays as small as it was`, async () => {
  const script = `yes ${'x'.repeat(LINE - 1)} | head -n ${LINES}; echo the end`
  const [shown, showing] = await timed(bench.count('run', '-f', bench.job('much', script)))
  const prefix = 'worker-0 | '.length
  expect(shown).toEqual({ code: 0, bytes: LINES * (LINE + prefix) + prefix + 8, end: '| the end\n'.slice(-9) })
  seen.push(`${Math.round(BYTES / MB)} MB in ${LINES} lines shown in ${showing} (${expectSmallHome()})`)
  const [read, reading] = await timed(bench.count('logs', 'much', '--replica', 'worker-0', '--no-prefix'))
  expect(read).toEqual({ code: 0, bytes: LINES * LINE + 8, end: '\nthe end\n' })
  const last = await bench.run('logs', 'much', '--no-prefix', '--tail', '1')
  expect(last).toMatchObject({ code: 0, stdout: 'the end\n' })
  seen.push(`read again in ${reading} (${expectSmallHome()})`)
})

test('a line of a hundred megabytes comes through, and the next one too', async () => {
  const script = `head -c ${LONG} /dev/zero | tr "\\0" x; echo; echo next`
  const run = await bench.run('run', '-f', bench.job('line', script), '--detach')
  expect(run.code).toBe(0)
  expect((await bench.run('wait', 'line', '--timeout', '120s')).code).toBe(0)
  const logs = await bench.count('logs', 'line', '--replica', 'worker-0', '--no-prefix')
  expect(logs).toEqual({ code: 0, bytes: LONG + '\nnext\n'.length, end: 'xxx\nnext\n' })
  const [shown, showing] = await timed(bench.count('run', '-f', bench.job('line', script), '--replace'))
  expect(shown.code).toBe(0)
  expect(shown.end).toBe('r-0 | next\n'.slice(-shown.end.length))
  expect(shown.bytes).toBeGreaterThan(LONG)
  seen.push(`a line of ${LONG / MB} MB shown in ${showing} (${expectSmallHome()})`)
})
