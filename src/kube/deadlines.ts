import type { Instant } from '../lib/time.ts'

/** A timer counts running time and the clock may jump or the machine sleep, so no wait is longer than this in one piece. */
const LONGEST = 60_000

/** Many moments, one timer: calls `due` with each key when its moment has come. */
export class Deadlines {
  readonly #due: (key: string) => void
  readonly #now: () => Instant
  readonly #moments = new Map<string, Instant>()
  /** A heap by moment; entries that no longer match `#moments` are skipped when they come up. */
  #heap: Array<{ key: string; at: Instant }> = []
  #timer: NodeJS.Timeout | undefined
  #armedFor = Number.POSITIVE_INFINITY

  constructor(due: (key: string) => void, now: () => Instant = Date.now) {
    this.#due = due
    this.#now = now
  }

  get size(): number {
    return this.#moments.size
  }

  set(key: string, at: Instant): void {
    if (this.#moments.get(key) === at) return
    this.#moments.set(key, at)
    this.#push({ key, at })
    if (this.#heap.length > 2 * this.#moments.size + 64) this.#rebuild()
    if (at < this.#armedFor) this.#arm()
  }

  cancel(key: string): void {
    this.#moments.delete(key)
    if (this.#moments.size === 0) this.stop()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#armedFor = Number.POSITIVE_INFINITY
    this.#moments.clear()
    this.#heap = []
  }

  #arm(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const next = this.#heap[0]
    this.#armedFor = next?.at ?? Number.POSITIVE_INFINITY
    if (next === undefined) return
    const wait = Math.min(LONGEST, Math.max(0, next.at - this.#now()))
    this.#timer = setTimeout(() => this.#fire(), wait)
  }

  #fire(): void {
    const now = this.#now()
    const ready: string[] = []
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      const current = this.#moments.get(top.key) === top.at
      if (current && top.at > now) break
      this.#pop()
      if (!current) continue
      this.#moments.delete(top.key)
      ready.push(top.key)
    }
    this.#arm()
    for (const key of ready) this.#due(key)
  }

  #rebuild(): void {
    this.#heap = []
    for (const [key, at] of this.#moments) this.#push({ key, at })
  }

  #push(entry: { key: string; at: Instant }): void {
    const heap = this.#heap
    let i = heap.push(entry) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (heap[parent]!.at <= entry.at) break
      heap[i] = heap[parent]!
      i = parent
    }
    heap[i] = entry
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child++
      if (heap[child]!.at >= last.at) break
      heap[i] = heap[child]!
      i = child
    }
    heap[i] = last
  }
}
