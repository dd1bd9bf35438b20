// What a decision means for the figures: how long jobs took to get where they are, and what went wrong on the way.
import type { JobStatus } from '../api/types.ts'
import type { Reason } from '../core/decision.ts'
import type { JobModel } from '../core/job-model.ts'
import { fromTimestamp, type Instant } from '../lib/time.ts'
import type { OperatorMetrics } from './metrics.ts'

export interface Step {
  model: JobModel
  before: JobStatus
  after: JobStatus
  reasons: readonly Reason[]
  now: Instant
}

export function noteProgress(metrics: OperatorMetrics, { model, before, after, reasons, now }: Step): void {
  const { kind } = model
  const age = now - model.createdAt
  if (before.startTime === undefined && after.startTime !== undefined) metrics.reached('first_pod', kind, age)
  if (before.phase !== after.phase) {
    // A job that goes on after a pause, or whose pods can be seen again, is not one that took so long to start.
    const isFirst = !before.underWay && !before.resumed
    if (after.phase === 'Running' && isFirst) metrics.reached('running', kind, age)
    if (after.phase === 'Succeeded' || after.phase === 'Failed') metrics.finished(kind, after.phase, age)
  }
  const restarts = (after.backoffCount ?? 0) - (before.backoffCount ?? 0)
  if (restarts > 0) metrics.restarted(kind, restarts)
  const lost = reasons.filter(({ event }) => event === 'ReplicaLost').length
  if (lost > 0) metrics.lost(kind, lost)
  const waitedSince = fromTimestamp(after.startTime)
  const firstPlaced = before.activeSince === undefined && !before.activeSeconds && after.activeSince !== undefined
  // Without a gang scheduler the clock starts with the pods, and nothing is waited for.
  if (model.gang && firstPlaced && waitedSince !== undefined) metrics.gangPlaced(kind, now - waitedSince)
}
