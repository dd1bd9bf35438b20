// What the executor remembers of one job between two decisions. All of it may be lost at any moment: it saves work, the
// status holds what matters.
import type { KubeObject } from '../../api/types.ts'
import type { Instant } from '../../lib/time.ts'
import type { OwnWrites } from './own-writes.ts'
import { RefusedCreations } from './refused-creations.ts'
import { SaidReasons } from './said-reasons.ts'

const BIG_JOB = 500
const PACE = 1_000
const PACE_OF_BIG_JOBS = 5_000
const LONGEST_BACK_OFF = 60_000

export class JobMemory<Cache extends OwnWrites = OwnWrites> {
  readonly cache: Cache
  readonly refused = new RefusedCreations()
  readonly said = new SaidReasons()
  #statusWrittenAt: Instant | undefined
  #failures = 0

  constructor(cache: Cache) {
    this.cache = cache
  }

  statusWritten(now: Instant, job: KubeObject | undefined): void {
    this.#statusWrittenAt = now
    this.#failures = 0
    this.said.statusWritten()
    if (job) this.cache.putJob(job)
  }

  mayWriteStatusAt(replicas: number): Instant {
    if (this.#statusWrittenAt === undefined) return Number.NEGATIVE_INFINITY
    return this.#statusWrittenAt + (replicas > BIG_JOB ? PACE_OF_BIG_JOBS : PACE)
  }

  /** When to try again after the cluster failed to serve us, not for a reason of the job's. */
  backOff(now: Instant): Instant {
    this.#failures++
    return now + Math.min(PACE * 2 ** (this.#failures - 1), LONGEST_BACK_OFF)
  }
}
