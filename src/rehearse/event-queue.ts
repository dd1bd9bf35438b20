// What is going to happen, in order of time; at the same instant by turn, then as it was put in.
import type { Instant } from '../lib/time.ts'

export interface Happening {
  at: Instant
  turn: number
  happen: () => void
}

export class EventQueue {
  readonly #heap: Array<Happening & { order: number }> = []
  #count = 0

  get nextAt(): Instant | undefined {
    return this.#heap[0]?.at
  }

  /** What is put at Infinity never happens. */
  put(happening: Happening): void {
    if (!Number.isFinite(happening.at)) return
    const heap = this.#heap
    heap.push({ ...happening, order: this.#count++ })
    let i = heap.length - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!isBefore(heap[i]!, heap[parent]!)) break
      swap(heap, i, parent)
      i = parent
    }
  }

  take(): Happening | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || heap.length === 0) return first
    heap[0] = last
    let i = 0
    while (true) {
      const left = 2 * i + 1
      let least = i
      if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left
      if (left + 1 < heap.length && isBefore(heap[left + 1]!, heap[least]!)) least = left + 1
      if (least === i) return first
      swap(heap, i, least)
      i = least
    }
  }
}

type Entry = Happening & { order: number }

function isBefore(a: Entry, b: Entry): boolean {
  return (a.at - b.at || a.turn - b.turn || a.order - b.order) < 0
}

function swap(heap: Entry[], i: number, j: number): void {
  const entry = heap[i]!
  heap[i] = heap[j]!
  heap[j] = entry
}
