// Which jobs nobody can have worked on yet. What we see may be old: at the start of our term it may lack all that an
// earlier operator did, up to the end of a job and its clean-up. A job that was born well into our term has no such past.
import type { TrainingJob } from '../api/types.ts'
import type { Observed } from '../core/decision.ts'
import { fromTimestamp, type Instant } from '../lib/time.ts'

/** The clocks of two API servers may differ by as much. */
const CLOCKS_APART = 5_000

export class Newborns {
  readonly #leads: () => boolean
  readonly #clocksApart: number
  #since: Instant = Number.POSITIVE_INFINITY

  /** `leads`: whether it is our term at this very moment. */
  constructor(leads: () => boolean, clocksApart = CLOCKS_APART) {
    this.#leads = leads
    this.#clocksApart = clocksApart
  }

  /** Our term has begun by now, by the clock that dates the jobs; nothing is newborn where that is not known. */
  beginTerm(serverTime: Instant | undefined): void {
    this.#since = serverTime ?? Number.POSITIVE_INFINITY
  }

  has(job: TrainingJob, observed: Observed): boolean {
    const untouched = job.status === undefined && observed.pods.length === 0
    const born = fromTimestamp(job.metadata.creationTimestamp) ?? Number.NEGATIVE_INFINITY
    // Both times are whole seconds: of two in the same second nobody knows which was first.
    return untouched && born > this.#since + this.#clocksApart && this.#leads()
  }
}
