// A cluster in a few words, as the placement sees it.
import { decidePlacement, type Placement } from '../../src/scheduler/place/decide-placement.ts'
import type { GroupFacts, NodeFacts, PodFacts, QueueFacts, Snapshot } from '../../src/scheduler/place/snapshot.ts'
import { explainWait } from '../../src/scheduler/words/explain-wait.ts'

type Some = Record<string, number>

/** CPU in whole ones, as people write it. */
const amounts = (some: Some): Map<string, number> =>
  new Map(Object.entries(some).map(([name, n]) => [name, name === 'cpu' ? n * 1000 : n]))

export class StagedCluster {
  readonly #nodes: NodeFacts[] = []
  readonly #queues: QueueFacts[] = []
  readonly #groups: GroupFacts[] = []
  readonly #pods: PodFacts[] = []
  readonly settings = {
    openWithoutSelector: true,
    now: 1_000_000,
    patience: Number.POSITIVE_INFINITY,
    namespaces: new Map([['default', { 'kubernetes.io/metadata.name': 'default' }]]),
  }
  /** Whoever comes later is younger. */
  #clock = 0

  node(name: string, has: Some, rest: Partial<NodeFacts> = {}): this {
    this.#nodes.push({ name, allocatable: amounts({ pods: 500, ...has }), labels: {}, usable: true, ...rest })
    return this
  }

  queue(name: string, quota: Some = {}, rest: Partial<QueueFacts> = {}): this {
    const usual = { namespace: 't9k-system', priority: 0, preemptible: true, closed: false }
    this.#queues.push({ name, quota: amounts(quota), ...usual, ...rest })
    return this
  }

  /** A pod without a group, in a queue or in none. */
  pod(name: string, queue: string | undefined, asks: Some, rest: Partial<PodFacts & { priority: number }> = {}): this {
    const { priority = 0, ...facts } = rest
    const key = `default/${name}/`
    const createdAt = this.#clock++
    const alone = { key, name, namespace: 'default', queue, priority, minMember: 1, roles: [], createdAt, whole: false }
    this.#groups.push(alone)
    this.#enter(name, key, asks, { holder: name, queue, ...facts })
    return this
  }

  /** A gang of pods `name-0`, `name-1`, …; each is on the node of its place in `on`, or waits where there is none. */
  gang(
    name: string,
    queue: string,
    size: number,
    asks: Some,
    rest: Partial<GroupFacts> & { on?: (string | undefined)[] } = {},
  ): this {
    const { on = [], ...group } = rest
    const key = `default/${name}`
    const createdAt = this.#clock++
    const usual = { priority: 0, minMember: size, roles: [], createdAt, whole: on.length >= size }
    this.#groups.push({ key, name, namespace: 'default', queue, ...usual, ...group })
    for (let i = 0; i < size; i++) {
      const node = on[i]
      const there = node && { node, state: 'placed' as const }
      this.#enter(`${name}-${i}`, key, asks, { holder: name, queue, leads: i === 0, ...there })
    }
    return this
  }

  #enter(name: string, group: string, asks: Some, rest: Partial<PodFacts>): void {
    const requests = amounts({ pods: 1, ...asks })
    const shape = JSON.stringify([[...requests], rest.nodeSelector, rest.affinity, rest.tolerations])
    const usual = { namespace: 'default', queue: undefined, role: '', nodeSelector: {}, holder: name }
    const state = rest.node === undefined ? ('waiting' as const) : ('placed' as const)
    const createdAt = this.#clock++
    this.#pods.push({ uid: name, name, group, requests, shape, state, createdAt, ...usual, ...rest })
  }

  get snapshot(): Snapshot {
    const { settings } = this
    return { nodes: this.#nodes, queues: this.#queues, groups: this.#groups, pods: this.#pods, ...settings }
  }

  decide(): Told {
    return tell(decidePlacement(this.snapshot))
  }
}

export interface Told {
  bound: string[]
  evicted: string[]
  /** By group: why it waits. */
  waits: Record<string, { reason: string; message: string }>
}

export function tell({ bindings, evictions, waiting, ground }: Placement): Told {
  return {
    bound: bindings.map(({ pod, node }) => `${pod.name}@${node}`),
    evicted: evictions.map(({ pod }) => pod.name),
    waits: Object.fromEntries(waiting.map((each) => [each.group.name, explainWait(ground, each)])),
  }
}
