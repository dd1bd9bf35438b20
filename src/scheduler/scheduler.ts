// The scheduler's door: looks whenever pods or nodes change, binds what fits, and says of the rest what it waits for.
import type { Node, Pod } from '../../gen/kubernetes-types.ts'
import { Informer, isConflict, isNotFound, type KubeClient, type KubeObject, NODES, PODS } from '../kube/index.ts'
import { toTimestamp } from '../lib/time.ts'
import { placePods } from './place.ts'

export interface SchedulerOptions {
  client: KubeClient
  onError?: (where: string, error: unknown) => void
}

export interface Scheduler {
  ready: Promise<void>
  stop(): Promise<void>
}

/** The names a pod may ask for us by; T9k's scheduler is ours here. */
const OUR_NAMES = new Set([undefined, '', 'default-scheduler', 't9k-scheduler'])
const RETRY = 1_000

export function startScheduler(options: SchedulerOptions): Scheduler {
  const scheduler = new RunningScheduler(options)
  return { ready: scheduler.ready, stop: () => scheduler.stop() }
}

class RunningScheduler {
  readonly ready: Promise<void>
  readonly #client: KubeClient
  readonly #onError: (where: string, error: unknown) => void
  readonly #stopping = new AbortController()
  readonly #pods: Informer<Pod & KubeObject>
  readonly #nodes: Informer<Node & KubeObject>
  readonly #runs: Promise<unknown>
  readonly #assumed = new Map<string, string>()
  readonly #told = new Map<string, string>()
  #looking: Promise<void> | undefined
  #again = false
  #timer: NodeJS.Timeout | undefined

  constructor({ client, onError = () => {} }: SchedulerOptions) {
    this.#client = client
    this.#onError = onError
    const onChange = (): void => this.#look()
    const watching = (what: string) => (error: unknown) => onError(`watching ${what}`, error)
    this.#pods = new Informer({ client, resource: PODS, onChange, onError: watching('pods') })
    this.#nodes = new Informer({ client, resource: NODES, onChange, onError: watching('nodes') })
    const { signal } = this.#stopping
    this.#runs = Promise.all([this.#pods.run(signal), this.#nodes.run(signal)])
    this.ready = Promise.all([this.#pods.synced, this.#nodes.synced]).then(() => this.#look())
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await Promise.all([this.#runs, this.#looking])
  }

  /** One look at a time; what changes meanwhile is looked at afterwards. */
  #look(): void {
    this.#again = true
    this.#looking ??= this.#lookUntilQuiet().finally(() => {
      this.#looking = undefined
      if (this.#again && !this.#stopping.signal.aborted) this.#look()
    })
  }

  async #lookUntilQuiet(): Promise<void> {
    // Changes come in bursts: a job's pods are one look, not a look each.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#again && !this.#stopping.signal.aborted) {
      this.#again = false
      const pods = this.#pods.cache.list()
      this.#forgetSettled(pods)
      const isOurs = (pod: Pod): boolean => OUR_NAMES.has(pod.spec?.schedulerName)
      const placement = placePods({ nodes: this.#nodes.cache.list(), pods, assumed: this.#assumed, isOurs })
      await Promise.all(placement.bindings.map(({ pod, node }) => this.#bind(pod as Pod & KubeObject, node)))
      await Promise.all(placement.waiting.map(({ pod, reason }) => this.#tell(pod as Pod & KubeObject, reason)))
    }
  }

  #forgetSettled(pods: ReadonlyArray<Pod & KubeObject>): void {
    const open = new Set(pods.filter((pod) => !pod.spec?.nodeName).map((pod) => pod.metadata.uid))
    for (const uid of this.#assumed.keys()) if (!open.has(uid)) this.#assumed.delete(uid)
    for (const uid of this.#told.keys()) if (!open.has(uid)) this.#told.delete(uid)
  }

  async #bind(pod: Pod & KubeObject, node: string): Promise<void> {
    const { namespace, name = '', uid = '' } = pod.metadata
    this.#assumed.set(uid, node)
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    }
    try {
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace ?? 'default')}/pods/${encodeURIComponent(name)}/binding`
      await this.#client.raw({ method: 'POST', path, body: binding, signal: this.#stopping.signal })
    } catch (error) {
      this.#assumed.delete(uid)
      if (isNotFound(error) || isConflict(error) || this.#stopping.signal.aborted) return
      this.#onError(`binding pod ${name}`, error)
      this.#lookLater()
    }
  }

  /** Written once per reason: whoever waits wants to know, the API wants to be left in peace. */
  async #tell(pod: Pod & KubeObject, reason: string): Promise<void> {
    const { namespace, name = '', uid = '' } = pod.metadata
    if (this.#told.get(uid) === reason) return
    this.#told.set(uid, reason)
    const now = toTimestamp(Math.floor(Date.now() / 1000) * 1000)
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: reason,
      lastTransitionTime: now,
    }
    const body = { metadata: { uid }, status: { conditions: [condition] } }
    try {
      await this.#client.patch(PODS, { namespace, name }, { type: 'strategic', body }, { subresource: 'status' })
    } catch (error) {
      this.#told.delete(uid)
      if (isNotFound(error) || isConflict(error) || this.#stopping.signal.aborted) return
      this.#onError(`telling pod ${name} what it waits for`, error)
      this.#lookLater()
    }
  }

  #lookLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), RETRY)
  }
}
