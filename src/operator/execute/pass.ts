// One decision being carried out: what its steps share.
import type { Reason } from '../../core/decision.ts'
import type { Instant } from '../../lib/time.ts'
import type { Answers, Batch } from './cluster.ts'
import type { JobMemory } from './job-memory.ts'

export interface JobAtHand {
  uid: string
  /** The one the decision was taken from. */
  resourceVersion: string
  replicas: number
}

export interface Pass {
  job: JobAtHand
  memory: JobMemory
  now: Instant
  /** Something was not as it had seemed: decide again as soon as the cache has caught up. */
  again: boolean
  /** When to look again if nothing happens. */
  wakeAt?: Instant
  reasons: Reason[]
}

export type Steps<T> = Generator<Batch, T, Answers>

export function wakeBy(pass: Pass, instant: Instant | undefined): void {
  if (instant !== undefined) pass.wakeAt = Math.min(pass.wakeAt ?? instant, instant)
}
