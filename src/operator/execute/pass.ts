// One decision being carried out: what its steps share.
import type { Reason } from '../../core/decision.ts'
import type { Instant } from '../../lib/time.ts'
import type { Answer, Answers, Batch, Request } from './cluster.ts'
import type { JobMemory } from './job-memory.ts'

export interface JobAtHand {
  uid: string
  /** The one the decision was taken from. */
  resourceVersion: string
  replicas: number
  /** Surely nobody has done anything for it yet: its first status licenses nothing that could have been done before. */
  isNewborn?: boolean
  /** There is more important work for the API than the first status of a newborn job: it may be stored with later news. */
  statusMayWait?: boolean
  /** None has been stored so far. */
  lacksStatus?: boolean
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

/** How many requests of one job may be under way at one time. */
export const UNDER_WAY = 16

/** Sends a request together with the first of the steps' own, behind those that may be under way with it. */
export function* sendAlong<T>(request: Request, steps: Steps<T>): Steps<[Answer | undefined, T]> {
  let step = steps.next()
  const batch: Batch = step.done ? { requests: [] } : step.value
  const at = Math.min(batch.requests.length, UNDER_WAY - 1)
  const answers = yield { ...batch, requests: batch.requests.toSpliced(at, 0, request) }
  const [answer] = answers.splice(at, 1)
  if (!step.done) step = steps.next(answers)
  while (!step.done) step = steps.next(yield step.value)
  return [answer, step.value]
}

export function wakeBy(pass: Pass, instant: Instant | undefined): void {
  if (instant !== undefined) pass.wakeAt = Math.min(pass.wakeAt ?? instant, instant)
}
