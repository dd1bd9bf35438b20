// `trainyard run` on a pseudo-terminal of the system, as a person sees it.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import xterm from '@xterm/headless'
import { afterAll, expect, test, vi } from 'vitest'
import { Bench, launcher } from './run-cli.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const bench = new Bench()
afterAll(() => bench.close())

class Pty {
  readonly #terminal
  readonly #child
  readonly #tty: string

  constructor(columns: number, rows: number, args: string, env: NodeJS.ProcessEnv = {}) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true })
    this.#tty = join(bench.dir, `tty-${columns}`)
    const command = `stty cols ${columns} rows ${rows}; tty > ${this.#tty}; exec ${process.execPath} ${launcher} ${args}`
    const whole = { ...bench.env, TERM: 'xterm-256color', ...env }
    this.#child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: bench.dir, env: whole, stdio: 'pipe' })
    this.#child.stdout.on('data', (chunk: Buffer) => this.#terminal.write(chunk))
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows)
    execFileSync('stty', [
      '-F',
      bench.read(this.#tty.slice(bench.dir.length + 1)).trim(),
      'cols',
      `${columns}`,
      'rows',
      `${rows}`,
    ])
  }

  press(keys: string): void {
    this.#child.stdin.write(keys)
  }

  async text(): Promise<string> {
    await new Promise<void>((resolve) => this.#terminal.write('', resolve))
    const buffer = this.#terminal.buffer.active
    const lines = Array.from({ length: buffer.length }, (_, i) => buffer.getLine(i)?.translateToString(true) ?? '')
    return lines.join('\n').trimEnd()
  }

  async ended(): Promise<number | null> {
    const [code] = this.#child.exitCode === null ? await once(this.#child, 'close') : [this.#child.exitCode]
    return code
  }
}

const shows = (pty: Pty, pattern: RegExp) => vi.waitFor(async () => expect(await pty.text()).toMatch(pattern), 120_000)

test.each([
  [100, 30],
  [60, 20],
])('%i columns, %i rows: from the first line to the last', async (columns, rows) => {
  const file = bench.job(`wide-${columns}`, 'echo one; echo two; exit 3')
  const pty = new Pty(columns, rows, `run -f ${file}`)
  expect(await pty.ended()).toBe(1)
  const text = await pty.text()
  expect(text).toContain('worker-0 | one\nworker-0 | two\n')
  expect(text.match(/^REPLICA/gm)).toHaveLength(1)
  expect(text).toMatch(/^worker-0 {5}0 {2}Failed +\S+ {9}0 {2}two$/m)
  expect(text).toMatch(/^✗ wide-\d+ failed after .*First to fail:/ms)
  expect(text).toMatch(
    /\n {2}look inside {2}trainyard debug wide-\d+ worker-0\n {2}all logs {5}trainyard logs wide-\d+$/,
  )
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns)
})

test('a window made smaller in mid-run, and Ctrl-C', async () => {
  const file = bench.job('resized', `echo ${'a long line '.repeat(8)}; sleep 1000`)
  const pty = new Pty(100, 30, `run -f ${file}`)
  await shows(pty, /^worker-0 {5}0 {2}Running +\S+ +0 {2}a long line/m)
  pty.resize(60, 20)
  await shows(pty, /^resized {2}Running {2}\S+ +1 running$/m)
  await vi.waitFor(async () => {
    const table = (await pty.text()).split('\n').slice(-3)
    expect(table[0]).toHaveLength(60)
    expect(table[2]).toMatch(/ {2}Running +\S+ +0 {2}a long line .*…$/)
    expect(table[2]!.length).toBeLessThanOrEqual(60)
  }, 120_000)
  expect((await pty.text()).match(/^REPLICA/gm)).toHaveLength(1)
  pty.press('\u0003')
  expect(await pty.ended()).toBe(130)
  expect(await pty.text()).toContain(
    'resized goes on without this terminal.\n  watch again  trainyard logs -f resized\n',
  )
})

test('Ctrl-C twice is shown as two keys, each on a line of its own', async () => {
  const file = bench.job('stopped', 'echo one; sleep 1000')
  const pty = new Pty(100, 30, `run -f ${file}`)
  await shows(pty, /^worker-0 {5}0 {2}Running +\S+ +0 {2}one/m)
  pty.press('\u0003')
  await shows(pty, /^\^C\nstopped goes on without this terminal\.$/m)
  pty.press('\u0003')
  expect(await pty.ended()).toBe(130)
  expect(await pty.text()).toMatch(/does this too\)\n\^C\nstopped deleted$/)
})

test('no colour and no UTF-8', async () => {
  const file = bench.job('plain', 'echo one')
  const pty = new Pty(100, 30, `run -f ${file}`, { LANG: 'C', LC_ALL: 'C', NO_COLOR: '1' })
  expect(await pty.ended()).toBe(0)
  const text = await pty.text()
  expect(text).toMatch(/^o plain succeeded in/m)
  expect([...text].filter((character) => character > '~')).toEqual([])
})
