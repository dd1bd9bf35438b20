// A home as users run it, a process of its own that is killed without a word.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findHome } from '../../../src/cli/home/home-state.ts'
import { KubeClient, loadConnection } from '../../../src/kube/index.ts'

const launcher = resolve(import.meta.dirname, '../../../bin/trainyard.js')
const PATIENCE = 300_000

export class KillableHome {
  readonly dir: string
  #child: ChildProcess | undefined
  #client: KubeClient | undefined

  constructor(dir: string) {
    this.dir = dir
    mkdirSync(dir, { recursive: true, mode: 0o700 })
  }

  /** It starts, and may be killed before it is ready. */
  launch(): void {
    const log = openSync(join(this.dir, 'home.log'), 'a')
    const env = { ...process.env, TRAINYARD_HOME: this.dir }
    this.#child = spawn(process.execPath, [launcher, 'up', '--foreground'], { stdio: ['ignore', log, log], env })
    closeSync(log)
  }

  async start(): Promise<void> {
    this.launch()
    const child = this.#child!
    for (const begin = Date.now(); findHome(this.dir)?.pid !== child.pid; await delay(10)) {
      if (child.exitCode === null && Date.now() - begin < PATIENCE) continue
      throw new Error(`the home did not start; ${this.describe()}`)
    }
    await this.#client?.close()
    this.#client = new KubeClient(await loadConnection({ kubeconfig: findHome(this.dir)!.kubeconfig }))
  }

  /** Whether it works, sleeps or is gone, and its last words: for whoever waited for it in vain. */
  describe(): string {
    const log = readFileSync(join(this.dir, 'home.log'), 'utf8').slice(-2000)
    let stat = 'gone'
    try {
      const fields = readFileSync(`/proc/${this.#child?.pid}/stat`, 'latin1').replace(/.*\) /, '').split(' ')
      stat = `in state ${fields[0]} after ${Number(fields[11]) + Number(fields[12])} ticks of CPU`
    } catch {}
    return `the home is ${stat}; it said last:\n${log}`
  }

  get client(): KubeClient {
    return this.#client!
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  async close(): Promise<void> {
    await this.#client?.close()
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}
