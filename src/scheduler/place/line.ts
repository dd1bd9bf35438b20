// Whose turn it is: queues of higher priority first, then the one that uses the smaller part of its quota; within a
// queue higher priority first, then who has waited longer.

import type { QueueBook } from './queue-book.ts'
import { type Gang, isHalfPlaced } from './roll.ts'
import type { QueueFacts } from './snapshot.ts'

interface Lane {
  queue: QueueFacts
  gangs: readonly Gang[]
  next: number
  share: number
}

/** Hands out the gangs one by one; between two, what is placed changes whose turn is next. */
export class Line {
  readonly #book: QueueBook
  /** A heap: the lane whose turn it is stands first. */
  readonly #lanes: Lane[] = []

  constructor(gangs: ReadonlyMap<QueueFacts, readonly Gang[]>, book: QueueBook) {
    this.#book = book
    for (const [queue, members] of gangs) {
      this.#lanes.push({ queue, gangs: members, next: 0, share: book.dominantShare(queue) })
    }
    this.#lanes.sort(byTurnOfQueue)
  }

  next(): Gang | undefined {
    for (;;) {
      const first = this.#lanes[0]
      if (first === undefined) return undefined
      // It was the first lane that was served last, so only its share can have changed.
      const share = this.#book.dominantShare(first.queue)
      const spent = first.next === first.gangs.length
      if (!spent && share === first.share) return first.gangs[first.next++]
      first.share = share
      const last = spent ? this.#lanes.pop() : undefined
      if (last !== undefined && last !== first) this.#lanes[0] = last
      this.#sink()
    }
  }

  #sink(): void {
    const lanes = this.#lanes
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = at
      if (left < lanes.length && byTurnOfQueue(lanes[left]!, lanes[least]!) < 0) least = left
      if (right < lanes.length && byTurnOfQueue(lanes[right]!, lanes[least]!) < 0) least = right
      if (least === at) return
      const moved = lanes[at]!
      lanes[at] = lanes[least]!
      lanes[least] = moved
      at = least
    }
  }
}

function byTurnOfQueue(a: Lane, b: Lane): number {
  return (
    b.queue.priority - a.queue.priority ||
    a.share - b.share ||
    (a.queue.name < b.queue.name ? -1 : a.queue.name > b.queue.name ? 1 : 0)
  )
}

/** A gang that holds room without being able to use it goes before those that hold nothing yet. */
export function byTurnInQueue(a: Gang, b: Gang): number {
  return (
    Number(isHalfPlaced(b)) - Number(isHalfPlaced(a)) ||
    b.group.priority - a.group.priority ||
    a.group.createdAt - b.group.createdAt ||
    (a.group.key < b.group.key ? -1 : a.group.key > b.group.key ? 1 : 0)
  )
}
