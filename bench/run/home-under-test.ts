// A home of the benchmark's own, and what the system says it costs.
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mustRun } from '../../scripts/run-program.ts'
import { findHome } from '../../src/cli/home/home-state.ts'
import { type AnyJob, isFinished, JOB_RESOURCES, listJobs, resourceOf } from '../../src/cli/home/running-jobs.ts'
import { KubeClient, loadConnection } from '../../src/kube/index.ts'

export const launcher = resolve(import.meta.dirname, '../../bin/trainyard.js')
const TICKS_PER_SECOND = 100
const PATIENCE = 600_000

export class HomeUnderTest {
  readonly dir: string
  readonly env: NodeJS.ProcessEnv
  #client: KubeClient | undefined

  private constructor(dir: string) {
    this.dir = dir
    this.env = { ...process.env, TRAINYARD_HOME: join(dir, 'home'), NO_COLOR: '1' }
  }

  static async make(): Promise<HomeUnderTest> {
    return new HomeUnderTest(await mkdtemp(join(tmpdir(), 'trainyard-bench-run-')))
  }

  async start(): Promise<void> {
    await mustRun(process.execPath, [launcher, 'up'], { env: this.env })
    this.#client = new KubeClient(await loadConnection({ kubeconfig: this.#state.kubeconfig }))
  }

  async stop(): Promise<void> {
    await this.#client?.close()
    this.#client = undefined
    await mustRun(process.execPath, [launcher, 'down', '--force'], { env: this.env })
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }

  get client(): KubeClient {
    return this.#client!
  }

  /** CPU seconds of the home; `all`: with those of its children that have ended. */
  cpu(all = false): number {
    const stat = readFileSync(`/proc/${this.#state.pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, all ? 15 : 13).reduce((sum, field) => sum + Number(field), 0)
    return ticks / TICKS_PER_SECOND
  }

  /** Resident memory in MiB. */
  rss(): number {
    const status = readFileSync(`/proc/${this.#state.pid}/status`, 'latin1')
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
  }

  create(job: AnyJob): Promise<AnyJob> {
    return this.client.create(resourceOf(job), job)
  }

  async untilFinished(count: number): Promise<AnyJob[]> {
    for (const begin = Date.now(); ; await sleep(100)) {
      const jobs = await listJobs(this.client)
      if (jobs.filter(isFinished).length >= count) return jobs
      if (Date.now() - begin > PATIENCE) throw new Error(`of ${count} jobs not all have ended`)
    }
  }

  async deleteAll(): Promise<void> {
    for (const { metadata, kind } of await listJobs(this.client)) {
      const at = { namespace: metadata.namespace, name: metadata.name ?? '' }
      await this.client.delete(JOB_RESOURCES.find((resource) => resource.kind === kind)!, at)
    }
    while ((await listJobs(this.client)).length > 0) await sleep(50)
  }

  get #state() {
    const state = findHome(this.env.TRAINYARD_HOME!)
    if (!state) throw new Error(`the home is gone; see ${join(this.env.TRAINYARD_HOME!, 'home.log')}`)
    return state
  }
}
