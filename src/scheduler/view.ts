// What the scheduler knows of the cluster, kept up to date by watches and by its own deeds.
import type { Namespace, Node, Pod } from '../../gen/kubernetes-types.ts'
import { DEFAULT_QUEUE, type PodGroup, pickQueues, type Queue } from '../api/queue/queue-object.ts'
import { Informer, type KubeClient, type KubeObject, NAMESPACES, NODES, PODS } from '../kube/index.ts'
import type { Instant } from '../lib/time.ts'
import { GROUP_LABEL, QUEUE_LABEL, T9K_SCHEDULER } from './facts/labels.ts'
import { readGroup, readNode, readQueue } from './facts/read-objects.ts'
import { type ReadPod, readPod } from './facts/read-pod.ts'
import { POD_GROUPS, QUEUES } from './facts/resources.ts'
import type { GroupFacts, PodFacts, Snapshot } from './place/snapshot.ts'
import { trimPod } from './trim.ts'

export type ApiPod = Pod & KubeObject

export interface ViewOptions {
  client: KubeClient
  openWithoutSelector: boolean
  patience: number
  onChange: (about: { groups?: readonly string[]; queues?: readonly string[] }) => void
  onError: (where: string, error: unknown) => void
}

export class View {
  readonly pods: Informer<ApiPod>
  readonly groups: Informer<PodGroup>
  readonly queues: Informer<Queue>
  readonly #nodes: Informer<Node & KubeObject>
  readonly #namespaces: Informer<Namespace & KubeObject>
  readonly #options: ViewOptions
  /** Bindings under way that the watch does not show yet: uid → node. */
  readonly assumed = new Map<string, string>()
  /** Pods that were told to leave, as long as the watch does not show it. */
  readonly toldToLeave = new Set<string>()
  readonly #read = new WeakMap<ApiPod, { key: string; read: ReadPod | undefined }>()

  constructor(options: ViewOptions) {
    this.#options = options
    const { client, onChange, onError } = options
    const usual = (what: string) => ({ client, onError: (error: unknown) => onError(`watching ${what}`, error) })
    this.pods = new Informer({
      ...usual('pods'),
      resource: PODS,
      trim: trimPod,
      indexes: { home: (pod) => [homeOf(pod)] },
      onChange: ({ type, object }) => {
        if (type === 'removed') this.#forget(object.metadata.uid ?? '')
        onChange(this.#concernedBy(object))
      },
    })
    this.groups = new Informer({
      ...usual('podgroups'),
      resource: POD_GROUPS,
      indexes: { queue: ({ spec }) => [spec?.queue || DEFAULT_QUEUE] },
      onChange: ({ object }) => onChange({ groups: [groupKey(object)], queues: [object.spec?.queue || DEFAULT_QUEUE] }),
    })
    this.queues = new Informer({
      ...usual('queues'),
      resource: QUEUES,
      onChange: ({ object }) => onChange({ queues: [object.metadata.name ?? ''] }),
    })
    this.#nodes = new Informer({ ...usual('nodes'), resource: NODES, onChange: () => onChange({}) })
    this.#namespaces = new Informer({ ...usual('namespaces'), resource: NAMESPACES, onChange: () => onChange({}) })
  }

  get synced(): Promise<unknown> {
    return Promise.all(this.#all.map((informer) => informer.synced))
  }

  run(signal: AbortSignal): Promise<unknown> {
    return Promise.all(this.#all.map((informer) => informer.run(signal)))
  }

  get #all(): Array<Informer<KubeObject>> {
    return [this.pods, this.groups, this.queues, this.#nodes, this.#namespaces] as object[] as Array<
      Informer<KubeObject>
    >
  }

  /** Of each name the queue that counts. */
  pickedQueues(): Map<string, Queue> {
    return pickQueues(this.queues.cache.list())
  }

  snapshot(now: Instant): Snapshot {
    const pods: PodFacts[] = []
    const groups: GroupFacts[] = this.groups.cache.list().map(readGroup)
    for (const pod of this.pods.cache.list()) {
      const read = this.#readPod(pod)
      if (read === undefined) continue
      pods.push(read.facts)
      if (read.alone) groups.push(read.alone)
    }
    const namespaces = this.#namespaces.cache
      .list()
      .map(({ metadata }) => [metadata.name ?? '', metadata.labels ?? {}] as const)
    const { openWithoutSelector, patience } = this.#options
    return {
      nodes: this.#nodes.cache.list().map(readNode),
      queues: [...this.pickedQueues().values()].map(readQueue),
      groups,
      pods,
      namespaces: new Map(namespaces),
      openWithoutSelector,
      now,
      patience,
    }
  }

  /** The pods of a group; of a pod without one, nothing. */
  podsOfGroup(key: string): ApiPod[] {
    return this.pods.cache.by('home', `group ${key}`)
  }

  podsOfQueue(queue: string): ApiPod[] {
    const groups = this.groups.cache.by('queue', queue)
    return [
      ...this.pods.cache.by('home', `queue ${queue}`),
      ...groups.flatMap((group) => this.podsOfGroup(groupKey(group))),
    ]
  }

  podOf({ namespace, name, uid }: PodFacts): ApiPod | undefined {
    const pod = this.pods.cache.get(`${namespace}/${name}`)
    return pod?.metadata.uid === uid ? pod : undefined
  }

  #readPod(pod: ApiPod): ReadPod | undefined {
    const { uid = '' } = pod.metadata
    if (pod.spec?.nodeName !== undefined) this.assumed.delete(uid)
    if (pod.metadata.deletionTimestamp) this.toldToLeave.delete(uid)
    const node = this.assumed.get(uid)
    const leaves = this.toldToLeave.has(uid)
    const key = `${node}${leaves}`
    const known = this.#read.get(pod)
    if (known?.key === key) return known.read
    const read = readPod(pod, node, leaves)
    this.#read.set(pod, { key, read })
    return read
  }

  #forget(uid: string): void {
    this.assumed.delete(uid)
    this.toldToLeave.delete(uid)
  }

  #concernedBy(pod: ApiPod): { groups?: string[]; queues?: string[] } {
    const home = homeOf(pod)
    if (home.startsWith('queue ')) return { queues: [home.slice(6)] }
    if (!home.startsWith('group ')) return {}
    const queue = this.groups.cache.get(home.slice(6))?.spec?.queue || DEFAULT_QUEUE
    return { groups: [home.slice(6)], queues: [queue] }
  }
}

export function groupKey({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`
}

/** Where a pod is filed: under its group, else under its queue. */
function homeOf({ metadata, spec }: ApiPod): string {
  const group = metadata.labels?.[GROUP_LABEL]
  if (group !== undefined) return `group ${metadata.namespace}/${group}`
  const queue = metadata.labels?.[QUEUE_LABEL] ?? (spec?.schedulerName === T9K_SCHEDULER ? DEFAULT_QUEUE : undefined)
  return queue === undefined ? '' : `queue ${queue}`
}
