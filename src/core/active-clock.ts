// The deadline's clock. It runs while the job may run: not while paused, nor while a gang waits for its placement.
import type { JobStatus } from '../api/types.ts'
import { fromTimestamp, type Instant, toTimestamp } from '../lib/time.ts'
import type { JobModel } from './job-model.ts'

type Clock = Pick<JobStatus, 'activeSeconds' | 'activeSince'>

export function advanceClock(before: Clock, runs: boolean, now: Instant): Clock {
  const since = fromTimestamp(before.activeSince)
  if (runs) return { activeSeconds: before.activeSeconds, activeSince: before.activeSince ?? toTimestamp(now) }
  if (since === undefined) return { activeSeconds: before.activeSeconds }
  return { activeSeconds: (before.activeSeconds ?? 0) + Math.max(0, (now - since) / 1000) }
}

export function deadlineAt(model: JobModel, clock: Clock): Instant | undefined {
  const since = fromTimestamp(clock.activeSince)
  if (model.activeDeadlineSeconds === undefined || since === undefined) return undefined
  return since + (model.activeDeadlineSeconds - (clock.activeSeconds ?? 0)) * 1000
}
