// What the executor remembers of one job between two decisions. All of it may be lost at any moment: it saves work, the
// status holds what matters.
import type { KubeObject } from '../../api/types.ts'
import type { Worth } from '../../core/decision.ts'
import type { Instant } from '../../lib/time.ts'
import { HeldReasons } from './held-reasons.ts'
import type { OwnWrites } from './own-writes.ts'
import { RefusedCreations } from './refused-creations.ts'
import { SaidReasons } from './said-reasons.ts'

const BIG_JOB = 500
const PACE = 1_000
const PACE_OF_BIG_JOBS = 5_000
const LONGEST_BACK_OFF = 60_000

/** How long a status that licenses nothing may wait for what comes next, to be stored together with it; milliseconds. */
export interface Patience {
  /** Another phase, other counts. */
  news: number
  /** What hardly anybody looks at. */
  details: number
}

const NONE: Patience = { news: 0, details: 0 }

export class JobMemory<Cache extends OwnWrites = OwnWrites> {
  readonly cache: Cache
  readonly refused = new RefusedCreations()
  readonly said = new SaidReasons()
  readonly held = new HeldReasons()
  readonly #patience: Patience
  #statusWrittenAt: Instant | undefined
  /** Since when the stored status lacks something. */
  #lacksNews: Instant | undefined
  #lacksDetails: Instant | undefined
  /** Until when news may wait: not cut short when patience shrinks, or all that has waited would be written at once. */
  #newsDue: Instant | undefined
  #failures = 0

  constructor(cache: Cache, patience: Patience = NONE) {
    this.cache = cache
    this.#patience = patience
  }

  statusWritten(now: Instant, job: KubeObject | undefined): void {
    this.#statusWrittenAt = now
    this.#failures = 0
    this.statusIsStored()
    this.said.statusWritten()
    if (job) this.cache.putJob(job)
  }

  /** The stored status lacks nothing. */
  statusIsStored(): void {
    this.#lacksNews = undefined
    this.#lacksDetails = undefined
    this.#newsDue = undefined
  }

  mayWriteStatusAt(now: Instant, replicas: number, worth: Worth): Instant {
    const { news, details } = this.#patience
    if (worth === 'detail') this.#lacksDetails ??= now
    else this.#lacksNews ??= now
    if (worth === 'turn' && news === 0) return now
    const pace = replicas > BIG_JOB ? PACE_OF_BIG_JOBS : PACE
    const paced = this.#statusWrittenAt === undefined ? now : this.#statusWrittenAt + pace
    if (this.#lacksNews !== undefined) this.#newsDue = Math.max(this.#newsDue ?? now, this.#lacksNews + news)
    return Math.max(paced, Math.min(this.#newsDue ?? Infinity, (this.#lacksDetails ?? Infinity) + details))
  }

  /** When to try again after the cluster failed to serve us, not for a reason of the job's. */
  backOff(now: Instant): Instant {
    this.#failures++
    return now + Math.min(PACE * 2 ** (this.#failures - 1), LONGEST_BACK_OFF)
  }
}
