// A cluster to which anything may happen, and which does what the placement says.
import { decidePlacement, type Placement } from '../../src/scheduler/place/decide-placement.ts'
import type { GroupFacts, NodeFacts, PodFacts, QueueFacts, Snapshot } from '../../src/scheduler/place/snapshot.ts'

export interface Wish {
  queue: string
  size: number
  minMember: number
  cpu: number
  gpu: number
  priority: number
}

export class RestlessCluster {
  nodes: NodeFacts[]
  queues: QueueFacts[]
  groups: GroupFacts[] = []
  pods: PodFacts[] = []
  #born = 0
  #made = 0

  constructor(nodes: readonly NodeFacts[], queues: readonly QueueFacts[]) {
    this.nodes = [...nodes]
    this.queues = [...queues]
  }

  get snapshot(): Snapshot {
    const { nodes, queues, groups, pods } = this
    const usual = {
      namespaces: new Map(),
      openWithoutSelector: true,
      now: this.#born,
      patience: Number.POSITIVE_INFINITY,
    }
    return { nodes, queues, groups, pods, ...usual }
  }

  add({ queue, size, minMember, cpu, gpu, priority }: Wish): void {
    const name = `g${this.#made++}`
    const key = `default/${name}`
    const createdAt = this.#born++
    const needed = Math.min(size, minMember)
    this.groups.push({
      key,
      name,
      namespace: 'default',
      queue,
      priority,
      minMember: needed,
      roles: [],
      createdAt,
      whole: false,
    })
    for (let i = 0; i < size; i++) {
      const requests = new Map([
        ['pods', 1],
        ['cpu', cpu],
        ['gpu', gpu],
      ])
      const shape = `${cpu}/${gpu}`
      const facts = { namespace: 'default', queue, role: '', requests, shape, nodeSelector: {}, holder: name }
      this.pods.push({
        uid: `${name}-${i}`,
        name: `${name}-${i}`,
        group: key,
        createdAt: this.#born++,
        state: 'waiting',
        ...facts,
      })
    }
  }

  /** Looks once and does what was decided. */
  step(): Placement {
    const placement = decidePlacement(this.snapshot)
    for (const { pod, node } of placement.bindings) this.#change(pod.uid, { state: 'placed', node })
    for (const { pod } of placement.evictions) this.#change(pod.uid, { state: 'leaving' })
    const { gangs } = placement.ground
    for (const group of this.groups) {
      const there = this.pods.filter(({ group: key, state }) => key === group.key && state === 'placed').length
      if (there >= (gangs.get(group.key)?.group.minMember ?? 0) && there > 0) this.#mark(group.key, true)
      else if (there === 0) this.#mark(group.key, false)
    }
    return placement
  }

  /** What was to leave has left, and its job has made it anew. */
  settle(): void {
    for (const pod of this.pods.filter(({ state }) => state === 'leaving'))
      this.#change(pod.uid, { state: 'waiting', node: undefined })
  }

  /** A pod is lost and comes back. */
  lose(which: number): void {
    const placed = this.pods.filter(({ state }) => state === 'placed')
    const pod = placed[which % Math.max(1, placed.length)]
    if (pod) this.#change(pod.uid, { state: 'waiting', node: undefined })
  }

  /** A node fails, and its pods come back elsewhere; or it is well again. */
  turn(which: number, usable: boolean): void {
    const at = which % this.nodes.length
    this.nodes = this.nodes.map((node, i) => (i === at ? { ...node, usable } : node))
    const name = this.nodes[at]!.name
    if (usable) return
    for (const pod of this.pods) if (pod.node === name) this.#change(pod.uid, { state: 'waiting', node: undefined })
  }

  /** All pods of a group that runs have succeeded. */
  finish(which: number): boolean {
    const running = this.groups.filter(
      ({ key, whole }) => whole && this.pods.some((pod) => pod.group === key && pod.node),
    )
    const group = running[which % Math.max(1, running.length)]
    if (!group) return false
    this.groups = this.groups.filter(({ key }) => key !== group.key)
    this.pods = this.pods.filter((pod) => pod.group !== group.key)
    return true
  }

  changeQueue(which: number, change: Partial<QueueFacts>): void {
    const at = which % this.queues.length
    this.queues = this.queues.map((queue, i) => (i === at ? { ...queue, ...change } : queue))
  }

  #change(uid: string, change: Partial<PodFacts>): void {
    this.pods = this.pods.map((pod) => (pod.uid === uid ? { ...pod, ...change } : pod))
  }

  #mark(key: string, whole: boolean): void {
    this.groups = this.groups.map((group) => (group.key === key ? { ...group, whole } : group))
  }
}
