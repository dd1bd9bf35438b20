// The page of `trainyard describe`.
import type { JobCondition } from '../../api/types.ts'
import { describeExit } from '../../core/exit-words.ts'
import type { JobModel } from '../../core/job-model.ts'
import { fromTimestamp, type Instant } from '../../lib/time.ts'
import { type AnyJob, isFinished, recordOf } from '../home/running-jobs.ts'
import { renderTable } from '../output/table.ts'
import type { Style } from '../output/terminal.ts'
import { cut, padEnd, printable } from '../output/text.ts'
import type { ReplicaAttempts } from './attempts.ts'
import { type JobEvent, renderEvents } from './job-events.ts'
import { colourOfPhase, summariseJob } from './job-summary.ts'
import { spellAge, spellDuration } from './spell-duration.ts'

export interface Description {
  job: AnyJob
  model: JobModel
  replicas: ReplicaAttempts[]
  conditions: JobCondition[]
  events: JobEvent[]
  /** What it waits for. */
  waiting?: string
}

const SECOND_COLUMN = 49

export function renderDescription(description: Description, style: Style, now: Instant): string[] {
  const { replicas, conditions, events } = description
  const inner: Style = { ...style, width: style.width - 2 }
  const section = (title: string, lines: string[]): string[] => ['', `${title}:`, ...lines.map((line) => `  ${line}`)]
  return [
    ...renderHead(description, style, now),
    ...section('Replicas', renderReplicas(replicas, inner)),
    ...(conditions.length > 0 ? section('Conditions', renderConditions(conditions, inner, now)) : []),
    ...(events.length > 0 ? section('Events', renderEvents(events, inner, now)) : []),
  ]
}

function renderHead(description: Description, style: Style, now: Instant): string[] {
  const { job, model } = description
  const { name, namespace, kind, phase, duration, age } = summariseJob(job, now)
  const created = (job.metadata.creationTimestamp ?? '').replace('T', ' ').replace(/(\.\d+)?Z$/, '')
  const rows: Array<[string, string, string, string]> = [
    ['Name', name, 'Kind', kind],
    ['Namespace', namespace, 'UID', job.metadata.uid ?? ''],
    ['Phase', phase, 'Created', `${created} (${spellAge(age)} ago)`],
    ['Result', resultOf(description), 'Duration', spellDuration(duration)],
    ['Restarts', restartsOf(job, model), 'Clean-up', CLEAN_UP[model.cleanUp]],
  ]
  return rows.map(([label, value, secondLabel, second]) => {
    const left = cut(printable(`${`${label}:`.padEnd(13)}${value}`), SECOND_COLUMN - 2, style.ellipsis)
    const line = `${padEnd(left, SECOND_COLUMN)}${`${secondLabel}:`.padEnd(11)}${printable(second)}`
    if (label === 'Name') return line.replace(value, (text) => style.paint('bold', text))
    return label === 'Phase' ? line.replace(value, (text) => style.paint(colourOfPhase(text), text)) : line
  })
}

const CLEAN_UP: Record<JobModel['cleanUp'], string> = {
  None: 'None (finished pods are kept)',
  Unfinished: 'Unfinished (running pods are removed)',
  All: 'All (pods are removed)',
}

const BY: Record<string, string> = {
  Success: 'the job is done',
  Failure: 'a replica failed for good',
  BackoffLimit: 'no restarts were left',
  Deadline: 'its time was over',
  InvalidSpec: 'the job is impossible as it is written',
}
const ENDS = new Set(['Succeeded', 'Failed', 'DeadlineExceeded', 'InvalidSpec', 'InvalidTFJobSpec'])

/** Who decided it and how it ended; where nobody does alone, the reason that was given. */
export function resultOf({ job, model, replicas, events }: Description): string {
  if (!isFinished(job)) return '-'
  const { finishedBy = '' } = recordOf(job)
  const master = model.master && `${model.master.type}-${model.master.index}`
  const exitCode = replicas.find(({ replica }) => replica === master)?.attempts.at(-1)?.exitCode
  if (exitCode !== undefined && (finishedBy === 'Success' || finishedBy === 'Failure')) {
    return exitCode === 0 ? `${master} finished with exit 0` : `${master} failed: ${describeExit(exitCode)}`
  }
  const given = events.findLast(({ object, reason }) => object === 'job' && ENDS.has(reason))?.message
  return given ?? BY[finishedBy] ?? '-'
}

function restartsOf(job: AnyJob, model: JobModel): string {
  const { restarts } = summariseJob(job, 0)
  if (model.backoffLimit !== undefined) return `${restarts} of ${model.backoffLimit}`
  const limits = model.roles.flatMap(({ limitPerReplica }) => limitPerReplica ?? [])
  return limits.length > 0 ? `${restarts} (at most ${Math.max(...limits)} per replica)` : `${restarts}`
}

function renderReplicas(replicas: readonly ReplicaAttempts[], style: Style): string[] {
  const rows = replicas.flatMap(({ replica, rank, attempts }) =>
    attempts.map(({ attempt, phase, exitCode, ran, pod }, i) => [
      i === 0 ? replica : '',
      i === 0 ? String(rank) : '',
      phase,
      String(attempt),
      exitCode === undefined ? '-' : String(exitCode),
      ran === undefined ? '-' : spellDuration(ran),
      pod,
    ]),
  )
  const columns = [
    { header: 'REPLICA' },
    { header: 'RANK', align: 'right' as const },
    { header: 'PHASE' },
    { header: 'ATTEMPT', align: 'right' as const },
    { header: 'EXIT', align: 'right' as const },
    { header: 'RAN', align: 'right' as const },
    { header: 'POD' },
  ]
  const [header, ...lines] = renderTable(columns, rows, style)
  return [
    header!,
    ...lines.map((line, i) => line.replace(rows[i]![2]!, (phase) => style.paint(colourOfPhase(phase), phase))),
  ]
}

function renderConditions(conditions: readonly JobCondition[], style: Style, now: Instant): string[] {
  const rows = conditions.map(({ type, status, reason, lastTransitionTime, message }) => {
    const since = fromTimestamp(lastTransitionTime)
    return [type, status, reason || '-', since === undefined ? '-' : spellAge(now - since), message ?? '']
  })
  const headers = ['TYPE', 'STATUS', 'REASON', 'FOR', 'MESSAGE']
  return renderTable(
    headers.map((header) => ({ header })),
    rows,
    style,
  )
}
