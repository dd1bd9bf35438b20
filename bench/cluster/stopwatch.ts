// Creates jobs and takes the times at which the API tells of what became of them. Kubernetes' own timestamps have whole
// seconds only.
import { setTimeout as delay } from 'node:timers/promises'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { apiVersionOf, Informer, type KubeClient, type KubeObject, PODS } from '../../src/kube/index.ts'
import { NAMESPACE } from './arena.ts'
import { endOf, isMaster, jobOf, REPLICAS, type Workload } from './workload.ts'

export interface JobTimes {
  workload: Workload
  created?: number
  firstPod?: number
  allPods?: number
  masterDone?: number
  end?: number
}

export interface Load {
  jobs: number
  /** All at once without it. */
  perSecond?: number
}

const CONNECTIONS = 32

export class Stopwatch {
  readonly #client: KubeClient
  readonly #workloads: readonly Workload[]
  readonly #stopping = new AbortController()
  readonly #informers: Array<Informer<KubeObject>>
  readonly #running: Promise<unknown>
  readonly #pods = new Map<string, Set<string>>()
  #jobs = new Map<string, JobTimes>()
  #open = 0
  #allOver = (): void => {}
  #failed: string[] = []

  constructor(client: KubeClient, workloads: readonly Workload[]) {
    this.#client = client
    this.#workloads = workloads
    const selection = { namespace: NAMESPACE }
    // What is not looked at is not kept: the stopwatch shares the machine with those it measures.
    const onlyStatus = (object: KubeObject): KubeObject => {
      const { name, uid, resourceVersion, labels, ownerReferences } = object.metadata
      const { status } = object as { status?: { phase?: string; conditions?: unknown } }
      const metadata = { name, uid, resourceVersion, labels, ownerReferences }
      return {
        ...object,
        metadata,
        spec: undefined,
        status: { phase: status?.phase, conditions: status?.conditions },
      } as KubeObject
    }
    const follow = (resource: Workload['resource'], onChange: (object: KubeObject) => void): Informer<KubeObject> =>
      new Informer({ client, resource, selection, trim: onlyStatus, onChange: ({ object }) => onChange(object) })
    this.#informers = [
      follow(PODS, (pod) => this.#onPod(pod as Pod)),
      ...workloads.map(({ resource }) => follow(resource, (job) => this.#onJob(job))),
    ]
    this.#running = Promise.all(this.#informers.map((informer) => informer.run(this.#stopping.signal)))
  }

  async ready(): Promise<void> {
    await Promise.all(this.#informers.map(({ synced }) => synced))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Sends jobs of all workloads in turn; resolves with their times when the last one is over. */
  async run(name: string, load: Load, timeoutMs: number): Promise<{ times: JobTimes[]; seconds: number }> {
    const jobs = Array.from({ length: load.jobs }, (_, index) => {
      const workload = this.#workloads[index % this.#workloads.length]!
      return { name: `${workload.prefix}-${name}-${index}`, workload }
    })
    this.#jobs = new Map(jobs.map(({ name, workload }) => [name, { workload }]))
    this.#open = jobs.length
    const allOver = new Promise<void>((resolve) => {
      this.#allOver = resolve
    })
    const start = performance.now()
    let next = 0
    const send = async (): Promise<void> => {
      for (let i = next++; i < jobs.length; i = next++) {
        if (load.perSecond) await delay(Math.max(0, start + (i * 1000) / load.perSecond - performance.now()))
        const { name, workload } = jobs[i]!
        const { resource, spec } = workload
        const metadata = { namespace: NAMESPACE, name }
        const job = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata, spec } as KubeObject
        await this.#client.create(resource, job, { fieldValidation: 'Strict' })
        this.#jobs.get(name)!.created = performance.now()
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, send))
    const late = new AbortController()
    const timeout = delay(timeoutMs, 'late' as const, { signal: late.signal }).catch(() => undefined)
    const outcome = await Promise.race([allOver, timeout])
    late.abort()
    const seconds = (performance.now() - start) / 1000
    if (outcome === 'late')
      throw new Error(`${this.#open} of ${load.jobs} jobs are not over after ${seconds.toFixed(0)} s`)
    if (this.#failed.length > 0) throw new Error(`jobs failed: ${this.#failed.slice(0, 5).join(', ')}`)
    return { times: [...this.#jobs.values()], seconds }
  }

  #onPod(pod: Pod): void {
    const name = jobOf(pod) ?? ''
    const job = this.#jobs.get(name)
    if (!job) return
    const now = performance.now()
    const pods = this.#pods.get(name) ?? new Set<string>()
    this.#pods.set(name, pods.add(pod.metadata?.uid ?? ''))
    job.firstPod ??= now
    if (pods.size === REPLICAS) job.allPods ??= now
    if (pod.status?.phase === 'Succeeded' && isMaster(pod)) job.masterDone ??= now
  }

  #onJob(object: KubeObject): void {
    const name = object.metadata.name ?? ''
    const job = this.#jobs.get(name)
    const end = endOf(object)
    if (!job || job.end !== undefined || !end) return
    job.end = performance.now()
    if (end === 'Failed') this.#failed.push(name)
    if (--this.#open === 0) this.#allOver()
  }
}
