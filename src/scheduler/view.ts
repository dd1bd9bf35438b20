// What the scheduler knows of the cluster, kept up to date by watches and by its own deeds.
import type { ConfigMap, Namespace, Node, Pod } from '../../gen/kubernetes-types.ts'
import { DEFAULT_QUEUE, type PodGroup, pickQueues, QUEUE_NAMESPACE, type Queue } from '../api/queue/queue-object.ts'
import { Informer, type KubeClient, type KubeObject, NAMESPACES, NODES, PODS } from '../kube/index.ts'
import type { Instant } from '../lib/time.ts'
import { GROUP_LABEL, QUEUE_LABEL, T9K_SCHEDULER } from './facts/labels.ts'
import { readGroup, readNode, readQueue } from './facts/read-objects.ts'
import { readPod } from './facts/read-pod.ts'
import { type Profiles, readProfiles } from './facts/resource-shapes.ts'
import { CONFIG_MAPS, POD_GROUPS, QUEUES } from './facts/resources.ts'
import type { GroupFacts, NodeFacts, PodFacts, Snapshot } from './place/snapshot.ts'
import { Roster } from './roster.ts'
import { trimPod } from './trim.ts'

/** Where T9k keeps the sizes that its queues allow. */
const SHAPES = 'resource-shapes'

export type ApiPod = Pod & KubeObject

export interface ViewOptions {
  client: KubeClient
  openWithoutSelector: boolean
  patience: number
  onChange: (about: { groups?: readonly string[]; queues?: readonly string[] }) => void
  /** There is no queue of this name any more. */
  onQueueGone: (name: string) => void
  onError: (where: string, error: unknown) => void
}

export class View {
  readonly pods: Informer<ApiPod>
  readonly groups: Informer<PodGroup>
  readonly queues: Informer<Queue>
  readonly #nodes: Informer<Node & KubeObject>
  readonly #namespaces: Informer<Namespace & KubeObject>
  readonly #shapes: Informer<ConfigMap & KubeObject>
  readonly #options: ViewOptions
  /** Bindings under way that the watch does not show yet: uid → node. */
  readonly #assumed = new Map<string, string>()
  /** Pods that were told to leave, as long as the watch does not show it. */
  readonly #toldToLeave = new Set<string>()
  readonly #roster = new Roster()
  #profiles: Profiles = new Map()
  readonly #groupFacts = new WeakMap<PodGroup, GroupFacts>()
  readonly #nodeFacts = new WeakMap<Node, NodeFacts>()

  constructor(options: ViewOptions) {
    this.#options = options
    const { client, onChange, onQueueGone, onError } = options
    const usual = (what: string) => ({ client, onError: (error: unknown) => onError(`watching ${what}`, error) })
    this.pods = new Informer({
      ...usual('pods'),
      resource: PODS,
      trim: trimPod,
      indexes: { home: (pod) => [homeOf(pod)] },
      onChange: ({ type, object }) => {
        if (type === 'removed') this.#forget(object.metadata.uid ?? '')
        else this.#enter(object)
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
      onChange: ({ type, object }) => {
        const { name = '' } = object.metadata
        onChange({ queues: [name] })
        if (type === 'removed' && !this.pickedQueues().has(name)) onQueueGone(name)
      },
    })
    this.#shapes = new Informer({
      ...usual('resource shapes'),
      resource: CONFIG_MAPS,
      selection: { namespace: QUEUE_NAMESPACE, fieldSelector: `metadata.name=${SHAPES}` },
      onChange: ({ type, object }) => {
        this.#readShapes(type === 'removed' ? {} : object)
        onChange({})
      },
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
    return [this.pods, this.groups, this.queues, this.#shapes, this.#nodes, this.#namespaces] as object[] as Array<
      Informer<KubeObject>
    >
  }

  /** Of each name the queue that counts. */
  pickedQueues(): Map<string, Queue> {
    return pickQueues(this.queues.cache.list())
  }

  snapshot(now: Instant): Snapshot {
    const { pods, alone: groups, groups: keys } = this.#roster.read()
    for (const key of keys) {
      const group = this.groups.cache.get(key)
      if (group) groups.push(readOnce(this.#groupFacts, group, readGroup))
    }
    const namespaces = this.#namespaces.cache
      .list()
      .map(({ metadata }) => [metadata.name ?? '', metadata.labels ?? {}] as const)
    const { openWithoutSelector, patience } = this.#options
    return {
      nodes: this.#nodes.cache.list().map((node) => readOnce(this.#nodeFacts, node, readNode)),
      queues: [...this.pickedQueues().values()].map((queue) => readQueue(queue, this.#profiles)),
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

  /** The pod is being bound to this node. */
  assume(pod: PodFacts, node: string): void {
    this.#assumed.set(pod.uid, node)
    this.#readAgain(pod)
  }

  /** The pod is being removed. */
  expectToLeave(pod: PodFacts): void {
    this.#toldToLeave.add(pod.uid)
    this.#readAgain(pod)
  }

  /** What was tried with it did not happen. */
  takeBack(pod: PodFacts): void {
    this.#assumed.delete(pod.uid)
    this.#toldToLeave.delete(pod.uid)
    this.#readAgain(pod)
  }

  /** What cannot be read changes nothing. */
  #readShapes(configMap: ConfigMap): void {
    try {
      this.#profiles = readProfiles(configMap)
    } catch (error) {
      this.#options.onError(`reading the ConfigMap ${SHAPES}`, error)
    }
  }

  #readAgain(facts: PodFacts): void {
    const pod = this.podOf(facts)
    if (pod) this.#enter(pod)
  }

  #enter(pod: ApiPod): void {
    const { uid = '', deletionTimestamp } = pod.metadata
    if (pod.spec?.nodeName !== undefined) this.#assumed.delete(uid)
    if (deletionTimestamp) this.#toldToLeave.delete(uid)
    this.#roster.enter(uid, readPod(pod, this.#assumed.get(uid), this.#toldToLeave.has(uid)))
  }

  #forget(uid: string): void {
    this.#assumed.delete(uid)
    this.#toldToLeave.delete(uid)
    this.#roster.leave(uid)
  }

  #concernedBy(pod: ApiPod): { groups?: string[]; queues?: string[] } {
    const home = homeOf(pod)
    if (home.startsWith('queue ')) return { queues: [home.slice(6)] }
    if (!home.startsWith('group ')) return {}
    const queue = this.groups.cache.get(home.slice(6))?.spec?.queue || DEFAULT_QUEUE
    return { groups: [home.slice(6)], queues: [queue] }
  }
}

/** Objects of a cache are replaced, never changed: what was read from one stays true of it. */
function readOnce<T extends object, Facts>(known: WeakMap<T, Facts>, object: T, read: (object: T) => Facts): Facts {
  const facts = known.get(object) ?? read(object)
  known.set(object, facts)
  return facts
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
