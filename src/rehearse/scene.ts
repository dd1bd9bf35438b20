// What a rehearsal's picture is drawn from: who was in which state when.
import type { JobStatus, TFJobStatus, TrainingJob } from '../api/types.ts'
import type { JobModel } from '../core/job-model.ts'
import { read } from '../core/read.ts'
import type { Attempt } from './attempts.ts'
import type { Simulated } from './simulation.ts'

export type State = 'waiting' | 'running' | 'failed' | 'paused' | 'nothing'

export interface Scene {
  name: string
  /** How long the job took, or was rehearsed; milliseconds, as all times here. */
  endedAt: number
  /** When a TTL removed it. */
  deletedAt?: number
  restarts: number
  limit?: number
  actors: Actor[]
}

export interface Actor {
  replica: string
  /** In order of time, without gaps, from 0. */
  spans: Array<{ from: number; state: State }>
  failures: number[]
  end?: 'succeeded' | 'failed'
}

export function sceneOf(simulated: Simulated): Scene {
  const { job, endedAt, deleted, places, attempts, first, finished } = simulated
  const model = read(job)
  const wanted = new Set(
    model.roles.flatMap((role) => Array.from({ length: role.replicas }, (_, i) => `${role.type}-${i}`)),
  )
  return {
    name: job.metadata.name ?? '',
    endedAt,
    ...(deleted && { deletedAt: simulated.stoppedAt }),
    restarts: restartsOf(job),
    ...limitOf(model),
    actors: places.map(({ key }) => {
      const mine = attempts.of(key)
      const end = endOf(mine.at(-1), endedAt, finished)
      const spans = spansOf(mine, first.has(key), wanted.has(key) && !end, simulated.phases)
      const failures = mine.filter((attempt) => isFailure(attempt) && !(end === 'failed' && attempt === mine.at(-1)))
      return { replica: key, spans, failures: failures.map(({ endedAt: at }) => at!), ...(end && { end }) }
    }),
  }
}

/** An attempt that was the last one and came to an end of its own before the job was over. */
function endOf(last: Attempt | undefined, jobEndedAt: number, finished: boolean): Actor['end'] {
  if (!last || last.endedAt === null || last.endedAt > jobEndedAt) return undefined
  if (last.phase === 'Succeeded') return 'succeeded'
  return isFailure(last) && (finished || last.exitCode !== null) ? 'failed' : undefined
}

function isFailure(attempt: Attempt): boolean {
  return attempt.phase === 'Failed' && attempt.endedAt !== null
}

function spansOf(
  attempts: readonly Attempt[],
  fromTheStart: boolean,
  stillWanted: boolean,
  phases: Simulated['phases'],
): Actor['spans'] {
  const marks: Actor['spans'] = [{ from: 0, state: fromTheStart ? 'waiting' : 'nothing' }]
  for (const [i, { createdAt, startedAt, endedAt }] of attempts.entries()) {
    marks.push({ from: createdAt, state: 'waiting' })
    if (startedAt !== null) marks.push({ from: startedAt, state: 'running' })
    const isLast = i === attempts.length - 1
    if (endedAt !== null) marks.push({ from: endedAt, state: isLast && !stillWanted ? 'nothing' : 'waiting' })
  }
  return withPauses(marks, phases)
}

/** Who waits while the job is paused does not wait for anything. */
function withPauses(marks: Actor['spans'], phases: Simulated['phases']): Actor['spans'] {
  const pausedAt = (at: number): boolean => phases.findLast((phase) => phase.at <= at)?.phase === 'Paused'
  const moments = [...new Set([...marks.map(({ from }) => from), ...phases.map(({ at }) => at)])].sort((a, b) => a - b)
  let next = 0
  let state: State = 'nothing'
  return moments.map((from) => {
    while (next < marks.length && marks[next]!.from <= from) state = marks[next++]!.state
    return { from, state: state === 'waiting' && pausedAt(from) ? 'paused' : state }
  })
}

function restartsOf(job: TrainingJob): number {
  const status =
    job.kind === 'TFJob' ? (job.status as TFJobStatus | undefined)?.trainyard : (job.status as JobStatus | undefined)
  return status?.backoffCount ?? 0
}

/** Budgets that count for each replica by itself cannot be told in one number. */
function limitOf(model: JobModel): { limit?: number } {
  return model.backoffLimit === undefined ? {} : { limit: model.backoffLimit }
}
