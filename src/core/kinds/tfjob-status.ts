// TFJob's status as Kubeflow shows it, with the engine's record beside it under `trainyard`.
import type { JobCondition, JobStatus, TFJobStatus } from '../../api/types.ts'
import { groupBy } from '../../lib/group-by.ts'
import { sameJson } from '../../lib/json.ts'
import { type Instant, toTimestamp } from '../../lib/time.ts'
import type { Reason } from '../decision.ts'
import type { JobModel } from '../job-model.ts'
import type { Outcome } from '../outcome.ts'
import { isRunning, type Replica } from '../replicas.ts'
import { aggregateOf } from '../summary.ts'

interface Context {
  replicas: readonly Replica[]
  reasons: readonly Reason[]
  outcome?: Outcome
}

export function buildTFJobStatus(
  model: JobModel,
  stored: TFJobStatus,
  journal: JobStatus,
  context: Context,
  now: Instant,
): TFJobStatus {
  const { startTime, completionTime, conditions: ours, ...record } = journal
  const wasFinished = journal.completionTime !== undefined && !context.outcome
  const kubeflows = wasFinished ? (stored.conditions ?? []) : conditionsOf(model, stored, context, now)
  const status: TFJobStatus = {
    conditions: withRemarks(kubeflows, ours ?? [], stored, now),
    // What was folded into a success stays there, whatever clean-up or time does to the pods.
    replicaStatuses:
      (wasFinished && journal.phase === 'Succeeded' && stored.replicaStatuses) ||
      replicaStatusesOf(model, journal, context.replicas),
    ...(startTime && { startTime }),
    ...(completionTime && { completionTime }),
    ...(stored.lastReconcileTime && { lastReconcileTime: stored.lastReconcileTime }),
    trainyard: record,
  }
  // It moves only together with something else: by itself it would be a write a pass.
  return sameJson(status, stored) ? status : { ...status, lastReconcileTime: toTimestamp(now) }
}

const REMARKS = ['GangScheduling', 'NameTaken', 'CreationRefused', 'HeldUp']

/** What Kubeflow has no condition for stands in front: the last one is what kubectl shows as the job's state. */
function withRemarks(
  kubeflows: readonly JobCondition[],
  ours: readonly JobCondition[],
  stored: TFJobStatus,
  now: Instant,
): JobCondition[] {
  const remarks = ours
    .filter(({ type }) => REMARKS.includes(type))
    .map((remark) => {
      const old = stored.conditions?.find(({ type }) => type === remark.type)
      const same = old?.status === remark.status && old.message === remark.message
      return { ...remark, lastUpdateTime: same ? old.lastUpdateTime : toTimestamp(now) }
    })
  return [...remarks, ...kubeflows.filter(({ type }) => !REMARKS.includes(type))]
}

function replicaStatusesOf(
  model: JobModel,
  journal: JobStatus,
  replicas: readonly Replica[],
): NonNullable<TFJobStatus['replicaStatuses']> {
  const byType = groupBy(replicas, (replica) => replica.place.type)
  const v1 = model.environment.framework === 'tfjob' && model.environment.edition === 'v1'
  return Object.fromEntries(
    model.roles.map((role) => {
      const counts = aggregateOf(byType.get(role.type) ?? [], model.paused || journal.completionTime !== undefined)
      const folded = journal.phase === 'Succeeded'
      const shown = {
        active: folded ? 0 : counts.running,
        succeeded: counts.succeeded + (folded ? counts.running : 0),
        failed: counts.failed,
      }
      const selector = v1
        ? { selector: `trainyard.dev/job-uid=${model.uid},training.kubeflow.org/replica-type=${role.type}` }
        : {}
      return [role.label, { ...Object.fromEntries(Object.entries(shown).filter(([, n]) => n > 0)), ...selector }]
    }),
  )
}

function conditionsOf(model: JobModel, stored: TFJobStatus, context: Context, now: Instant): JobCondition[] {
  let conditions = stored.conditions ?? []
  const set = (type: string, status: 'True' | 'False', reason: string, message: string): void => {
    conditions = setCondition(conditions, { type, status, reason, message }, now)
  }
  const { outcome } = context
  if (outcome?.by === 'InvalidSpec') {
    set('Failed', 'True', 'InvalidTFJobSpec', invalidSpec(outcome.message))
    return conditions
  }
  const about = `TFJob ${model.name}`
  set('Created', 'True', 'TFJobCreated', `${about} is created.`)
  // Somebody ran until now, also if nobody had looked before: Running is there to be False.
  if (outcome?.phase === 'Failed' && isActive(model, context.replicas))
    set('Running', 'True', 'TFJobRunning', `${about} is running.`)
  if (outcome?.phase === 'Succeeded') set('Succeeded', 'True', 'TFJobSucceeded', `${about} successfully completed.`)
  else if (outcome) set('Failed', 'True', 'TFJobFailed', failureMessage(about, outcome, context.replicas))
  else if (model.paused) {
    if (conditions.some((c) => c.type === 'Running'))
      set('Running', 'False', 'TFJobSuspended', `${about} is suspended.`)
    set('Suspended', 'True', 'TFJobSuspended', `${about} is suspended.`)
  } else {
    if (conditions.some((c) => c.type === 'Suspended'))
      set('Suspended', 'False', 'TFJobResumed', `${about} is resumed.`)
    const restarted = restartedTypes(context)
    if (restarted)
      set('Restarting', 'True', 'TFJobRestarting', `${about} is restarting because ${restarted} replica(s) failed.`)
    else if (isActive(model, context.replicas)) set('Running', 'True', 'TFJobRunning', `${about} is running.`)
  }
  return conditions
}

/** Kubeflow's sentence around what is wrong. */
export function invalidSpec(message: string): string {
  return `Failed to marshal the object to TFJob; the spec is invalid: ${message.replace('The spec is invalid: ', '')}`
}

/** Kubeflow's Running: the chief is active; without one, any worker. */
function isActive(model: JobModel, replicas: readonly Replica[]): boolean {
  return replicas.some((replica) => replica.place.type === model.master?.type && isRunning(replica))
}

/** `1 Worker`, of the replicas whose restart was granted in this pass. */
export function restartedTypes({ replicas, reasons }: Context): string | undefined {
  const keys = new Set(reasons.filter((reason) => reason.event === 'RestartReplica').map((reason) => reason.object))
  const labels = replicas.filter(({ place }) => keys.has(place.key)).map(({ place }) => place.role.label)
  const counts = groupBy(labels, (label) => label)
  return counts.size === 0 ? undefined : [...counts].map(([label, all]) => `${all.length} ${label}`).join(', ')
}

function failureMessage(about: string, outcome: Outcome, replicas: readonly Replica[]): string {
  if (outcome.by !== 'Failure') return outcome.message
  const failed = replicas.filter(({ entry }) => entry.phase === 'Failed').map(({ place }) => place.role.label)
  const counts = [...groupBy(failed, (label) => label)].map(([label, all]) => `${all.length} ${label}`)
  return `${about} has failed because ${counts.join(', ')} replica(s) failed.`
}

/** The newest condition stands last; Running and Restarting take each other's place; an end ends Running. */
export function setCondition(
  conditions: readonly JobCondition[],
  draft: Omit<JobCondition, 'lastTransitionTime' | 'lastUpdateTime'>,
  now: Instant,
): JobCondition[] {
  const old = conditions.find((condition) => condition.type === draft.type)
  if (old?.status === draft.status && old.reason === draft.reason) return [...conditions]
  const time = toTimestamp(now)
  const opposite: Record<string, string> = { Running: 'Restarting', Restarting: 'Running' }
  const kept = conditions
    .filter(({ type }) => type !== draft.type && type !== opposite[draft.type])
    .map((condition) => {
      const ended = condition.type === 'Running' && (draft.type === 'Succeeded' || draft.type === 'Failed')
      return ended && condition.status === 'True'
        ? { ...condition, status: 'False' as const, lastTransitionTime: time, lastUpdateTime: time }
        : condition
    })
  const lastTransitionTime = old?.status === draft.status ? old.lastTransitionTime : time
  return [...kept, { ...draft, lastUpdateTime: time, lastTransitionTime }]
}
