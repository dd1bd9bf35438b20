// Which reasons have been told. A decision repeats its reasons until the status that holds them is stored; an event is
// recorded once. And a job in a bad way must not flood the cluster with events: a token bucket per job drops the rest.
import type { Reason } from '../../core/decision.ts'
import type { Instant } from '../../lib/time.ts'

const BURST = 25
const REFILL_EVERY = 10_000

export class SaidReasons {
  /** Told since the status was last written. */
  readonly #told = new Set<string>()
  #previous = new Set<string>()
  #tokens = BURST
  #refilledAt: Instant | undefined
  /** For a metric. */
  dropped = 0

  /** Those that are news. */
  filterNew(reasons: readonly Reason[]): Reason[] {
    const now = new Set(reasons.map(keyOf))
    const news = reasons.filter((reason) => !this.#told.has(keyOf(reason)) && !this.#previous.has(keyOf(reason)))
    for (const key of now) this.#told.add(key)
    this.#previous = now
    return news
  }

  /** The stored status holds all that was told: the same words would be about something new. */
  statusWritten(): void {
    this.#told.clear()
  }

  /** How many of so many events may be recorded now. */
  takeTokens(wanted: number, now: Instant): number {
    this.#refilledAt ??= now
    const refills = Math.floor((now - this.#refilledAt) / REFILL_EVERY)
    this.#tokens = Math.min(BURST, this.#tokens + refills)
    this.#refilledAt += refills * REFILL_EVERY
    const granted = Math.min(wanted, this.#tokens)
    this.#tokens -= granted
    this.dropped += wanted - granted
    return granted
  }
}

function keyOf(reason: Reason): string {
  return `${reason.object}\n${reason.event}\n${reason.message}`
}
