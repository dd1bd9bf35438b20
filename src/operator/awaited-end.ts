import type { Decision } from '../core/decision.ts'
import type { Instant } from '../lib/time.ts'

export interface AtHand {
  decision: Decision
  /** The version of the job that the decision was taken from. */
  resourceVersion: string
}

/**
 * The replicas of a job end within moments of each other, so the success of the deciding one waits a moment for the
 * others, to be stored together with their ends. Once seen it counts, whatever becomes of its pod meanwhile.
 */
export class AwaitedEnd {
  readonly #patience: number
  #seen: (AtHand & { until: Instant }) | undefined

  constructor(patience: number) {
    this.#patience = patience
  }

  /** What to carry out now, or when to look again. */
  consider(now: AtHand, at: Instant): AtHand | Instant {
    const seen = this.#seen
    if (now.decision.leavesRunning && this.#patience > 0) {
      this.#seen ??= { ...now, until: at + this.#patience }
      if (at < this.#seen.until) return this.#seen.until
    }
    this.#seen = undefined
    const { phase } = now.decision
    return seen && phase !== 'Succeeded' && phase !== 'Failed' ? seen : now
  }
}
