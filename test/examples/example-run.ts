// An example on a home of its own, run as a user runs it; a framework's programs are first on the PATH if it needs one.
import { mkdirSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import type { FrameworkName } from '../../scripts/training/frameworks.ts'
import { readProcesses } from '../../src/kubelet/process/process-table.ts'
import { Bench, type Ran } from '../run/run-cli.ts'

// A loaded machine needs many times what a quiet one does.
vi.setConfig({ testTimeout: 900_000 })

const examples = resolve(import.meta.dirname, '../../examples')

export interface Described {
  phase: string
  restarts: { used: number }
  replicas: { replica: string; attempts: { phase: string; exitCode?: number }[] }[]
}

export class ExampleRun {
  readonly bench = new Bench()
  readonly #name: string
  readonly #where: readonly string[]
  readonly #begun = performance.now()
  #started: ReturnType<Bench['start']> | undefined
  #text = ''
  #looking = new Set<() => void>()

  /** `where`: options that lead every command to a cluster instead of to the home of this machine. */
  constructor(name: string, framework?: FrameworkName, where: readonly string[] = []) {
    this.#name = name
    this.#where = where
    if (framework) {
      const programs = process.env[`TRAINYARD_${framework.toUpperCase()}`]
      if (!programs) throw new Error(`npm run test:training provides ${framework}`)
      this.bench.env.PATH = [programs, process.env.PATH].join(delimiter)
    }
    onTestFinished(() => this.bench.close())
  }

  /** `trainyard run`, of the example's manifest unless something else is said. */
  start(...args: string[]): void {
    const what = args.length > 0 ? args : ['-f', join(examples, this.#name, 'job.yaml')]
    this.#started = this.bench.start('run', ...this.#where, ...what)
    for (const stream of [this.#started.child.stdout, this.#started.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#text += chunk
        for (const look of this.#looking) look()
      })
    }
    this.say('started')
  }

  /** Waits until the replicas have written this. */
  async sees(pattern: RegExp): Promise<RegExpExecArray> {
    let look = () => {}
    const found = new Promise<RegExpExecArray>((resolve) => {
      look = () => {
        const match = pattern.exec(this.#text)
        if (match) resolve(match)
      }
      this.#looking.add(look)
      look()
    })
    const ended = this.#started!.ran.then(() => {
      const match = pattern.exec(this.#text)
      if (match) return match
      throw new Error(`it never said ${pattern}:\n${this.#text}`)
    })
    try {
      return await Promise.race([found, ended])
    } finally {
      this.#looking.delete(look)
    }
  }

  /** Kills the process whose greeting matches: its last group is the pid. */
  async kill(greeting: RegExp, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const match = await this.sees(greeting)
    process.kill(Number(match.at(-1)), signal)
    this.say(`${signal} for the process of "${match[0]}"`)
  }

  async command(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.bench.run(...args, ...this.#where)
    if (code !== 0) throw new Error(`trainyard ${args.join(' ')}: exit code ${code}\n${stdout}${stderr}`)
    this.say(`${args.join(' ')}: ${stdout.trimEnd().split('\n')[0]}`)
    return stdout
  }

  /** The end of `trainyard run`, and the job as `describe` shows it. */
  async end(): Promise<Ran & { job: Described }> {
    const ran = await this.#started!.ran
    this.say(`ended with exit code ${ran.code}`)
    const { stdout } = await this.bench.run('describe', this.#name, '-o', 'json', ...this.#where)
    return { ...ran, job: JSON.parse(stdout) as Described }
  }

  /** The directory that stands for a claim, made before the job asks for it. */
  claim(name: string): string {
    const directory = join(this.bench.env.TRAINYARD_HOME, 'volumes', 'default', name)
    mkdirSync(directory, { recursive: true })
    return directory
  }

  /** Waits until no process of the home's pods is there any more. */
  async emptied(): Promise<void> {
    const home = this.bench.env.TRAINYARD_HOME
    const look = () => readProcesses().flatMap((row) => (row.home === home ? [row.pid] : []))
    await expect.poll(look, { timeout: 120_000 }).toEqual([])
  }

  /** Progress, for suites that take minutes. */
  say(line: string): void {
    if (process.env.TRAINYARD_SUITE === undefined) return
    const seconds = ((performance.now() - this.#begun) / 1000).toFixed(1).padStart(6)
    console.log(`${this.#name} ${seconds} s  ${line}`)
  }
}

/** What replicas of all examples write, read back. */
export function readTraining(stdout: string) {
  const steps = [...stdout.matchAll(/ step +(\d+)\/(\d+) +loss ([\d.]+)/g)].map(([, step, of, loss]) => ({
    step: Number(step),
    of: Number(of),
    loss: Number(loss),
  }))
  return {
    steps,
    weights: [...stdout.matchAll(/has weights ([0-9a-f]+)/g)].map(([, weights]) => weights),
    begun: [...stdout.matchAll(/begins at step 0\b/g)].length,
    resumed: [...stdout.matchAll(/going on from step (\d+)/g)].map(([, step]) => Number(step)),
  }
}
