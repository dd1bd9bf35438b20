// The state a placement works on: what is free now, what will be once everybody who is leaving has left, what the queues
// use, and who belongs together.
import { type Amounts, sumOf } from '../facts/amounts.ts'
import { selects } from '../facts/label-selector.ts'
import { repelledBy, wishesFor } from './node-wishes.ts'
import { NO_QUEUE, QueueBook } from './queue-book.ts'
import { type Gang, inPlacingOrder } from './roll.ts'
import { Rooms, type Wanted } from './rooms.ts'
import type { GroupFacts, NodeFacts, PodFacts, QueueFacts, Snapshot } from './snapshot.ts'

/** A pod and the node that has room for it, by its place among the rooms' nodes. */
export interface Seat {
  pod: PodFacts
  node: number
}

export class Ground {
  readonly snapshot: Snapshot
  readonly queues: ReadonlyMap<string, QueueFacts>
  readonly gangs = new Map<string, Gang>()
  readonly now: Rooms
  readonly later: Rooms
  readonly book: QueueBook
  /** By resource, in all usable nodes. */
  readonly cluster: Amounts
  /** Groups of the same make that found no room: what did not fit will not fit while room only gets less. */
  readonly hopeless = new Set<string>()
  /** Room that is kept for a group that has waited for long. */
  reserved: { group: GroupFacts; seats: readonly Seat[] } | undefined
  /** How many pods are leaving or have been told to. */
  leaving: number

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot
    this.queues = new Map(snapshot.queues.map((queue) => [queue.name, queue]))
    this.cluster = sumOf(snapshot.nodes.filter(({ usable }) => usable).map(({ allocatable }) => allocatable))
    this.book = new QueueBook(this.cluster)
    this.now = new Rooms(snapshot.nodes)
    this.leaving = snapshot.pods.filter(({ state }) => state === 'leaving').length
    this.later = new Rooms(snapshot.nodes)
    for (const group of snapshot.groups) this.gangs.set(group.key, this.#gangOf(group))
    for (const pod of snapshot.pods) this.#enter(pod)
    for (const gang of this.gangs.values()) {
      if (gang.waiting.length > 1) gang.waiting = inPlacingOrder(gang, gang.waiting)
      if (gang.placed.length > 1) gang.placed = inPlacingOrder(gang, gang.placed)
    }
  }

  wantedBy(pod: PodFacts): Wanted {
    return this.now.wantedBy(pod.shape, pod.requests)
  }

  /** Seats that were taken in one of the two pictures count in the other one too. */
  mirror(seats: readonly Seat[], takenIn: Rooms): void {
    const other = takenIn === this.now ? this.later : this.now
    for (const { pod, node } of seats) other.take(node, this.wantedBy(pod))
  }

  /** Keeps seats that nobody has yet, or gives them back. */
  keep(seats: readonly Seat[], how: 'take' | 'give'): void {
    for (const { pod, node } of seats) {
      this.now[how](node, this.wantedBy(pod))
      this.later[how](node, this.wantedBy(pod))
    }
  }

  /** Which nodes may run this pod, room aside. */
  accepts(pod: PodFacts, queue: QueueFacts): (node: NodeFacts) => boolean {
    const suits = this.suits(pod, queue)
    return (node) => suits(node) && repelledBy(pod, node) === undefined
  }

  /** The same, taints aside. */
  suits(pod: PodFacts, { nodeSelector }: QueueFacts): (node: NodeFacts) => boolean {
    const isWished = wishesFor(pod)
    return (node) => node.usable && isWished(node) && (nodeSelector === undefined || selects(nodeSelector, node.labels))
  }

  #gangOf(group: GroupFacts): Gang {
    const queue = group.queue === undefined ? NO_QUEUE : this.queues.get(group.queue)
    return { group, queue, waiting: [], placed: [], leaving: [], succeeded: [] }
  }

  #enter(pod: PodFacts): void {
    const gang = this.gangs.get(pod.group)
    gang?.[pod.state].push(pod)
    if (pod.state !== 'placed' && pod.state !== 'leaving') return
    const node = this.now.indexOf(pod.node)
    const wanted = this.wantedBy(pod)
    if (node !== undefined) {
      this.now.take(node, wanted)
      if (pod.state === 'placed') this.later.take(node, wanted)
    }
    const queue = gang?.group.queue ?? pod.queue
    if (queue !== undefined) this.book.take(queue, pod.requests)
    else if (gang) this.book.take(NO_QUEUE.name, pod.requests)
  }
}
