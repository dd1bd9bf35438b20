// Between the status as a kind shows it and the one record the engine works with.
import type { JobCondition, JobStatus, TFJobStatus } from '../api/types.ts'
import type { Instant } from '../lib/time.ts'
import type { Reason } from './decision.ts'
import type { JobModel } from './job-model.ts'
import { buildTFJobStatus } from './kinds/tfjob-status.ts'
import type { Outcome } from './outcome.ts'
import type { Replica } from './replicas.ts'

/** The record of a job, also of one that another operator has looked after until now. */
export function journalOf(model: JobModel, status: unknown): JobStatus {
  if (typeof status !== 'object' || status === null) return {}
  if (model.kind !== 'TFJob') return withLists(status as JobStatus)
  const { trainyard, startTime, completionTime, conditions } = status as TFJobStatus
  const record = withLists(trainyard ?? { phase: phaseFrom(conditions ?? []) })
  return { ...record, startTime, completionTime, conditions: conditions ?? [] }
}

function withLists(status: JobStatus): JobStatus {
  if (!status.tasks) return status
  return { ...status, tasks: status.tasks.map((task) => ({ ...task, replicaStatus: task.replicaStatus ?? [] })) }
}

function phaseFrom(conditions: readonly JobCondition[]): JobStatus['phase'] {
  return (['Succeeded', 'Failed'] as const).find((type) =>
    conditions.some((c) => c.type === type && c.status === 'True'),
  )
}

export function statusOf(
  model: JobModel,
  stored: unknown,
  status: JobStatus,
  context: { replicas: readonly Replica[]; reasons: readonly Reason[]; outcome?: Outcome },
  now: Instant,
): object {
  const plain = withoutUndefined(status)
  return model.kind === 'TFJob' ? buildTFJobStatus(model, (stored ?? {}) as TFJobStatus, plain, context, now) : plain
}

export function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T
}
