// Has the job ended, and why? Success is judged over the whole job first, then failure; then it is frozen.
import { messageOf, pathText } from '../api/issue.ts'
import type { FinishedBy } from '../api/types.ts'
import { describeExit } from './exit-words.ts'
import type { JobModel, Rule } from './job-model.ts'
import { hasSucceeded, isFinal, type Replica } from './replicas.ts'
import { slotKey } from './slots.ts'

export interface Outcome {
  phase: 'Succeeded' | 'Failed'
  by: FinishedBy
  /** For the conditions. */
  message: string
  /** For people: events and the summary of `run`. */
  because: string
}

export type ReplicaIndex = ReadonlyMap<string, Replica>

export function judgeSuccess(model: JobModel, replicas: ReplicaIndex): Outcome | undefined {
  const rule = model.success.find((candidate) => allOf(candidate, replicas, hasSucceeded))
  if (!rule) return undefined
  const because =
    model.kind === 'GenericJob'
      ? `the success rule ${rule.text} holds`
      : `${rule.text} finished, and ${rule.text} ${rule.slots.length > 1 ? 'decide' : 'decides'}`
  return { phase: 'Succeeded', by: 'Success', message: 'The job has finished successfully.', because }
}

/** `failedForGood`: recorded so before, or failed now without being started again. */
export function judgeFailure(
  model: JobModel,
  replicas: ReplicaIndex,
  failedForGood: (replica: Replica) => boolean,
  refused: readonly Replica[],
): Outcome | undefined {
  const spent = refused.find((replica) => !replica.place.role.mayFail)
  if (model.anyFailureFails && spent) return outOfBudget(model, spent)
  if (model.anyFailureFails) {
    const failed = [...replicas.values()].find((replica) => !replica.place.role.mayFail && failedForGood(replica))
    if (failed) return failedReplica(model, failed)
  }
  const rule = model.failure.find((candidate) => allOf(candidate, replicas, failedForGood))
  if (rule && model.kind === 'GenericJob') {
    const message = `The job is failed with rule: ${rule.text}`
    return { phase: 'Failed', by: 'Failure', message, because: `the failure rule ${rule.text} holds` }
  }
  if (rule) return failedReplica(model, replicas.get(slotKey(rule.slots[0]!))!)
  // Workers that may fail do not fail the job while others of them go on.
  const othersGoOn = [...replicas.values()].some(
    (replica) => replica.place.role.mayFail && !failedForGood(replica) && !hasSucceeded(replica),
  )
  const hopeless =
    !othersGoOn &&
    model.success.length > 0 &&
    model.success.every((candidate) => anyOf(candidate, replicas, failedForGood))
  if (hopeless) {
    const failed = model.success[0]!.slots.map((slot) => replicas.get(slotKey(slot))).find((r) => r && failedForGood(r))
    const message = `No success rule can be met any more: ${failed?.place.key} has failed and is not started again`
    return { phase: 'Failed', by: 'Failure', message, because: message }
  }
  return undefined
}

function failedReplica(model: JobModel, { place, look }: Replica): Outcome {
  const exitCode = look.is === 'ended' ? look.exitCode : undefined
  const how = exitCode === undefined ? 'failed' : `failed with exit code ${exitCode}`
  const why = look.is === 'ended' && look.why ? `: ${look.why}` : ''
  return {
    phase: 'Failed',
    by: 'Failure',
    message: `${model.kind} ${model.name} has failed: ${place.podName} ${how}${why}`,
    because: `${place.key} failed: ${describeExit(exitCode)}${why}; it is not started again`,
  }
}

function outOfBudget(model: JobModel, { place }: Replica): Outcome {
  return {
    phase: 'Failed',
    by: 'BackoffLimit',
    message: `${model.kind} ${model.name} has failed because it has reached the specified backoff limit`,
    because: `${place.key} failed, and all ${model.backoffLimit} restarts are used up`,
  }
}

export function deadlineOutcome(model: JobModel): Outcome {
  return {
    phase: 'Failed',
    by: 'Deadline',
    message: `${model.kind} ${model.name} has failed because it was active longer than specified deadline`,
    because: `it was active longer than activeDeadlineSeconds (${model.activeDeadlineSeconds})`,
  }
}

/** What the schemas could not refuse; nothing is created for such a job. */
export function invalidOutcome(model: JobModel): Outcome {
  const [first, ...more] = model.problems
  const detail = first ? `${pathText(first.path)}: ${messageOf(first)}` : ''
  const message = `The spec is invalid: ${detail}${more.length > 0 ? ` (and ${more.length} more)` : ''}`
  return { phase: 'Failed', by: 'InvalidSpec', message, because: message }
}

function allOf(rule: Rule, replicas: ReplicaIndex, holds: (replica: Replica) => boolean): boolean {
  return rule.slots.length > 0 && rule.slots.every((slot) => isHeld(replicas.get(slotKey(slot)), holds))
}

function anyOf(rule: Rule, replicas: ReplicaIndex, holds: (replica: Replica) => boolean): boolean {
  return rule.slots.some((slot) => isHeld(replicas.get(slotKey(slot)), holds))
}

function isHeld(replica: Replica | undefined, holds: (replica: Replica) => boolean): boolean {
  return replica !== undefined && holds(replica)
}

/** Failed, and either recorded as final or ended just now without a restart to come. */
export function failsForGood(granted: ReadonlySet<Replica>): (replica: Replica) => boolean {
  return (replica) => {
    if (isFinal(replica.entry)) return replica.entry.phase === 'Failed'
    return replica.fresh && replica.look.is === 'ended' && replica.look.exitCode !== 0 && !granted.has(replica)
  }
}
