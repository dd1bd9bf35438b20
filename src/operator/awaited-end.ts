import type { Decision } from '../core/decision.ts'
import type { Instant } from '../lib/time.ts'

export interface AtHand {
  decision: Decision
  /** The version of the job that the decision was taken from. */
  resourceVersion: string
}

/**
 * The replicas of a job end within moments of each other, so what has succeeded waits a moment for the others, to be stored
 * together with their ends. Once seen it counts, whatever becomes of its pod meanwhile.
 */
export class AwaitedEnd {
  readonly #patience: () => number
  #seen: (AtHand & { until: Instant }) | undefined

  constructor(patience: () => number) {
    this.#patience = patience
  }

  /** What to carry out now, or when to look again. */
  consider(now: AtHand, at: Instant): AtHand | Instant {
    const seen = this.#seen
    if (now.decision.leavesRunning && (seen || this.#patience() > 0)) {
      const until = seen?.until ?? at + this.#patience()
      // The success of the job is not given up for that of one more replica.
      if (!seen || !isDone(seen)) this.#seen = { ...now, until }
      if (at < until) return until
    }
    this.#seen = undefined
    return seen && !isDone(now) && !now.decision.leavesRunning ? seen : now
  }
}

function isDone({ decision: { phase } }: AtHand): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}
