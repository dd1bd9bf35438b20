import type { Instant } from '../lib/time.ts'
import { type Backoff, delayOf } from './backoff.ts'
import { Deadlines } from './deadlines.ts'

/** Live work goes before looking again at what nobody touched. */
export type Priority = 'live' | 'resync'

export interface WorkQueueOptions {
  /** Does the work for one key; never called twice at a time for the same key. Throwing means: again, later. */
  handle: (key: string, signal: AbortSignal) => Promise<void>
  workers?: number
  backoff?: Backoff
  now?: () => Instant
  onError?: (key: string, error: unknown, failures: number) => void
  metrics?: {
    /** Keys that wait for a worker. */
    depth?(waiting: number): void
    /** How long a key waited for its worker and how long its work took, in milliseconds. */
    done?(waited: number, took: number, failed: boolean): void
  }
}

const BACKOFF: Backoff = { first: 50, most: 60_000 }

/** Keys to work on: each at most once in the queue and with at most one worker. */
export class WorkQueue {
  readonly #options: WorkQueueOptions
  readonly #waiting: Record<Priority, Map<string, number>> = { live: new Map(), resync: new Map() }
  readonly #working = new Set<string>()
  /** Asked for while their worker was busy with them. */
  readonly #again = new Map<string, Priority>()
  readonly #failures = new Map<string, number>()
  readonly #deadlines: Deadlines
  readonly #stopping = new AbortController()
  /** Who waits for the last worker. */
  readonly #waitingForEnd: Array<() => void> = []

  constructor(options: WorkQueueOptions) {
    this.#options = options
    this.#deadlines = new Deadlines((key) => this.add(key), options.now ?? Date.now)
  }

  /** Work on the key as soon as a worker is free. */
  add(key: string, priority: Priority = 'live'): void {
    if (this.#stopping.signal.aborted) return
    if (this.#working.has(key)) {
      if (this.#again.get(key) !== 'live') this.#again.set(key, priority)
      return
    }
    if (this.#waiting.live.has(key)) return
    const since = this.#waiting.resync.get(key)
    if (since !== undefined) {
      if (priority === 'resync') return
      this.#waiting.resync.delete(key)
    }
    this.#waiting[priority].set(key, since ?? performance.now())
    this.#dispatch()
  }

  /** Work on the key at this moment, if nothing brings it up before; replaces what was scheduled. */
  schedule(key: string, at: Instant | undefined): void {
    if (this.#stopping.signal.aborted) return
    if (at === undefined) this.#deadlines.cancel(key)
    else this.#deadlines.set(key, at)
  }

  /** The key will not come back: drop its schedule and its record. */
  forget(key: string): void {
    this.#deadlines.cancel(key)
    this.#failures.delete(key)
  }

  get depth(): number {
    return this.#waiting.live.size + this.#waiting.resync.size
  }

  /** Takes no more work, aborts what is in hand and resolves when the last worker is done. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#deadlines.stop()
    this.#waiting.live.clear()
    this.#waiting.resync.clear()
    this.#again.clear()
    if (this.#working.size === 0) return
    await new Promise<void>((resolve) => this.#waitingForEnd.push(resolve))
  }

  #dispatch(): void {
    while (this.#working.size < (this.#options.workers ?? 8)) {
      const queue = this.#waiting.live.size > 0 ? this.#waiting.live : this.#waiting.resync
      const next = queue.entries().next()
      if (next.done) break
      const [key, since] = next.value
      queue.delete(key)
      this.#working.add(key)
      void this.#work(key, performance.now() - since)
    }
    this.#options.metrics?.depth?.(this.depth)
  }

  async #work(key: string, waited: number): Promise<void> {
    const started = performance.now()
    let failed = false
    try {
      await this.#options.handle(key, this.#stopping.signal)
      this.#failures.delete(key)
    } catch (error) {
      failed = true
      if (!this.#stopping.signal.aborted) this.#retryLater(key, error)
    }
    this.#options.metrics?.done?.(waited, performance.now() - started, failed)
    // Keys whose work waits for nothing, thousands of finished jobs, would otherwise be gone through in one go, and all
    // else would have to wait for the last of them: sockets, timers, and with them the renewal of a Lease.
    await new Promise((resolve) => setImmediate(resolve))
    this.#working.delete(key)
    const again = this.#again.get(key)
    this.#again.delete(key)
    // After a failure even new events wait for the backoff: they would meet the same trouble.
    if (again !== undefined && !failed) this.add(key, again)
    if (!this.#stopping.signal.aborted) this.#dispatch()
    else if (this.#working.size === 0) for (const end of this.#waitingForEnd.splice(0)) end()
  }

  #retryLater(key: string, error: unknown): void {
    const failures = (this.#failures.get(key) ?? 0) + 1
    this.#failures.set(key, failures)
    this.#options.onError?.(key, error, failures)
    this.#deadlines.set(key, (this.#options.now ?? Date.now)() + delayOf(this.#options.backoff ?? BACKOFF, failures))
  }
}
