import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const LAUNCHER = join(import.meta.dirname, '../../bin/trainyard.js')

export interface LogLine {
  time: string
  level: string
  message: string
  [field: string]: unknown
}

/** `trainyard operator` as a process of its own, with what it logs. */
export class OperatorProcess {
  readonly lines: LogLine[] = []
  /** What it said that is no log line. */
  readonly noise: string[] = []
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  readonly #waiting: Array<() => void> = []

  constructor(flags: readonly string[], launcher: readonly string[] = [LAUNCHER]) {
    this.#child = spawn(process.execPath, [...launcher, 'operator', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#ended = once(this.#child, 'exit')
    createInterface(this.#child.stdout!).on('line', (line) => this.noise.push(line))
    createInterface(this.#child.stderr!).on('line', (line) => this.#hear(line))
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** The first line with this message, once it has been said. */
  async says(message: string): Promise<LogLine> {
    for (;;) {
      const found = this.lines.find((line) => line.message === message)
      if (found) return found
      const said = new Promise<void>((resolve) => this.#waiting.push(resolve))
      const over = await Promise.race([said, this.#ended.then(() => 'over')])
      if (over && !this.lines.some((line) => line.message === message)) {
        const told = [...this.lines.map((line) => JSON.stringify(line)), ...this.noise].join('\n')
        throw new Error(`the operator ended without saying "${message}":\n${told}`)
      }
    }
  }

  /** Where it serves metrics and health. */
  async url(): Promise<string> {
    return String((await this.says('serving metrics and health')).url)
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  /** Resolves with the exit code. */
  async end(name: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.signal(name)
    return this.ends()
  }

  /** Resolves with the exit code when it has ended by itself. */
  async ends(): Promise<number | null> {
    await this.#ended
    return this.#child.exitCode
  }

  #hear(text: string): void {
    try {
      this.lines.push(JSON.parse(text) as LogLine)
    } catch {
      this.noise.push(text)
    }
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
