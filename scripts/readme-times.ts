// How long a newcomer waits: measured, told with the aim beside it, and no reason to fail. Machines differ.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Timed {
  code: number
  /** Seconds from the start to the first line that matches, per name; absent if none did. */
  seconds: Partial<Record<string, number>>
  total: number
}

/** Runs a program to its end, or until the first line called `until`, and shows what it writes. */
export async function timeLines(
  [command, ...args]: readonly [string, ...string[]],
  lines: Record<string, RegExp>,
  options: { cwd: string; env: NodeJS.ProcessEnv; until?: string },
): Promise<Timed> {
  const start = performance.now()
  const since = (): number => (performance.now() - start) / 1000
  const { cwd, env, until } = options
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const seconds: Timed['seconds'] = {}
  // A second Ctrl-C would mean something else.
  let left = false
  const look = (rest: { text: string }) => (chunk: Buffer) => {
    process.stdout.write(chunk)
    const all = (rest.text + chunk).split('\n')
    rest.text = all.pop() ?? ''
    for (const [name, pattern] of Object.entries(lines)) {
      if (seconds[name] === undefined && all.some((line) => pattern.test(line))) seconds[name] = since()
    }
    if (!left && until && seconds[until] !== undefined) left = child.kill('SIGINT')
  }
  child.stdout.on('data', look({ text: '' }))
  child.stderr.on('data', look({ text: '' }))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 1, seconds, total: since() }
}

/** `first line with a home running: 0.42 s (aim 0.5 s: met)`. */
export function tellTime(what: string, seconds: number | undefined, aim?: number): string {
  if (seconds === undefined) return `${what}: never seen`
  const verdict = aim === undefined ? '' : ` (aim ${aim} s: ${seconds < aim ? 'met' : 'missed'})`
  return `${what}: ${seconds.toFixed(seconds < 10 ? 2 : 1)} s${verdict}`
}
