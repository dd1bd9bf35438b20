// What one line tells about a job.
import { read } from '../../core/read.ts'
import { countReplicas } from '../../core/slots.ts'
import { fromTimestamp, type Instant } from '../../lib/time.ts'
import { type AnyJob, recordOf } from '../home/running-jobs.ts'
import type { Colour } from '../output/terminal.ts'

export interface JobSummary {
  name: string
  namespace: string
  kind: string
  phase: string
  running: number
  total: number
  restarts: number
  /** Milliseconds it has been at work: pauses and waiting for a place do not count. */
  duration: number
  age: number
}

export function summariseJob(job: AnyJob, now: Instant): JobSummary {
  const record = recordOf(job)
  const { name = '', namespace = '', creationTimestamp } = job.metadata
  return {
    name,
    namespace,
    kind: job.kind,
    phase: record.phase ?? 'Pending',
    running: record.aggregate?.running ?? 0,
    total: totalOf(job),
    restarts: record.backoffCount ?? 0,
    duration: durationOf(job, now),
    age: now - (fromTimestamp(creationTimestamp) ?? now),
  }
}

/** Every replica is in exactly one of the counts; before there are any, the manifest says how many there will be. */
function totalOf(job: AnyJob): number {
  const { aggregate } = recordOf(job)
  if (aggregate) return Object.values(aggregate).reduce((sum, count) => sum + count, 0)
  return countReplicas(read(job))
}

function durationOf(job: AnyJob, now: Instant): number {
  const { activeSeconds, activeSince, underWay, completionTime, phase } = recordOf(job)
  const ended = completionTime !== undefined || phase === 'Succeeded' || phase === 'Failed'
  if (!underWay && !ended && activeSeconds === undefined) return 0
  const since = fromTimestamp(activeSince)
  return (activeSeconds ?? 0) * 1000 + (since === undefined || ended ? 0 : Math.max(0, now - since))
}

export function colourOfPhase(phase: string): Colour {
  switch (phase) {
    case 'Running':
      return 'cyan'
    case 'Succeeded':
      return 'green'
    case 'Failed':
      return 'red'
    default:
      return 'yellow'
  }
}
