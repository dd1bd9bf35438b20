// What happened to the job, in words. Told by comparing the record before and after, so that each thing is told once.
import { messageOf, pathText } from '../api/issue.ts'
import type { JobStatus } from '../api/types.ts'
import type { Action, Reason } from './decision.ts'
import type { JobModel } from './job-model.ts'
import { speakKubeflow } from './kinds/tfjob-events.ts'
import type { Outcome } from './outcome.ts'
import { isFinal, type Replica } from './replicas.ts'
import type { Place } from './slots.ts'

const NAMES_IN_AN_EVENT = 10

/** One event for all replicas of a pass. A restarted replica was announced when the restart was granted. */
export function explainCreation(before: JobStatus, created: readonly Place[], actions: readonly Action[]): Reason[] {
  const known = new Set(
    before.tasks?.flatMap((task) => task.replicaStatus.filter((e) => e.uid || e.setbacks).map((e) => e.name)),
  )
  const firstTime = created.filter((place) => !known.has(place.podName))
  if (firstTime.length === 0) return []
  const names = firstTime.slice(0, NAMES_IN_AN_EVENT).map((place) => place.podName)
  const more =
    firstTime.length > names.length ? ` and ${firstTime.length - names.length} more, ${firstTime.length} in all` : ''
  return [
    {
      object: firstTime.length === 1 ? firstTime[0]!.key : 'job',
      type: 'Normal',
      event: 'NewReplica',
      message: `Create the replica[${names.join(', ')}]${more} for the first time.`,
      word: 'Created',
      short: countObjects(actions),
    },
  ]
}

/** `4 pods and 1 service`. */
function countObjects(actions: readonly Action[]): string {
  const created = actions.filter((action) => action.verb === 'create').map((action) => action.kind)
  const count = (kind: string, word: string): string[] => {
    const n = created.filter((k) => k === kind).length
    return n === 0 ? [] : [`${n} ${word}${n > 1 ? 's' : ''}`]
  }
  const parts = [
    ...count('Pod', 'pod'),
    ...count('Service', 'service'),
    ...count('PodGroup', 'pod group'),
    ...count('TensorBoard', 'TensorBoard'),
  ]
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts.join('')
}

export function explainPhase(
  model: JobModel,
  before: JobStatus,
  after: JobStatus,
  replicas: readonly Replica[],
  podCount: number,
  outcome: Outcome | undefined,
): Reason[] {
  const job = (type: Reason['type'], event: string, message: string, word?: string, short?: string): Reason => ({
    object: 'job',
    type,
    event,
    message,
    ...(word && { word }),
    ...(short && { short }),
  })
  const reasons: Reason[] = []
  if (before.phase === undefined && before.observedGeneration === undefined) {
    if (outcome?.by !== 'InvalidSpec')
      reasons.push(job('Normal', 'Created', `A ${model.kind} has been created: ${model.name}`))
    for (const warning of model.warnings) {
      reasons.push(job('Warning', 'Doubtful', `${pathText(warning.path)}: ${messageOf(warning)}`))
    }
  }
  reasons.push(...explainHoldUp(before, after))
  if (outcome) {
    const event =
      outcome.by === 'InvalidSpec' ? 'InvalidSpec' : outcome.by === 'Deadline' ? 'DeadlineExceeded' : outcome.phase
    reasons.push(job(outcome.phase === 'Succeeded' ? 'Normal' : 'Warning', event, outcome.because, outcome.phase))
    return reasons
  }
  if (before.phase === after.phase) return reasons
  if (after.phase === 'Paused') {
    const field = model.kind === 'TFJob' ? 'spec.runPolicy.suspend' : 'spec.runMode.pause'
    reasons.push(job('Normal', 'Paused', `${field}; ${plural(podCount, 'pod')} stopped, counters kept`))
  } else if (after.phase === 'Resuming') {
    const open = replicas.filter(({ entry }) => !isFinal(entry)).length
    reasons.push(
      job('Normal', 'Resumed', `the job goes on with ${plural(open, 'pod')}`, 'Resuming', plural(open, 'pod')),
    )
  } else if (after.phase === 'Running') {
    const run = replicas.filter(({ look }) => look.is === 'running').length
    reasons.push({ ...job('Normal', 'Running', `${run} of ${replicas.length} replicas run`), phase: 'Running' })
  } else if (after.phase === 'Unknown') {
    reasons.push(job('Warning', 'Unknown', "no pod's state can be read"))
  }
  return reasons
}

/** What keeps pods from running: told when the cause is another, not with every pod that shares it. */
function explainHoldUp(before: JobStatus, after: JobStatus): Reason[] {
  const of = ({ conditions }: JobStatus) =>
    conditions?.find(({ type, status }) => type === 'HeldUp' && status === 'True')
  const [old, now] = [of(before), of(after)]
  if (now === undefined || old?.reason === now.reason) return []
  const { reason = '', message = '' } = now
  return [{ object: 'job', type: 'Warning', event: reason, message, word: 'Held up' }]
}

/** Why a gang waits: told when the reason is another, not with every other number. */
export function explainGang(before: JobStatus, after: JobStatus): Reason[] {
  const of = ({ conditions }: JobStatus) => conditions?.find(({ type }) => type === 'GangScheduling')
  const [old, now] = [of(before), of(after)]
  if (now === undefined || now.reason === 'NoGangScheduler' || old?.reason === now.reason) return []
  const { status, reason = '-', message = '' } = now
  const placed = status === 'True'
  return [
    {
      object: 'job',
      type: placed ? 'Normal' : 'Warning',
      event: placed ? 'GangScheduled' : reason,
      message,
      word: placed ? 'Placed' : 'Waiting',
    },
  ]
}

function plural(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`
}

/** TFJob keeps Kubeflow's reasons and messages. */
export function speakTheKindsLanguage(
  model: JobModel,
  reasons: readonly Reason[],
  replicas: readonly Replica[],
  actions: readonly Action[],
): Reason[] {
  return model.kind === 'TFJob' ? speakKubeflow(model, reasons, replicas, actions) : [...reasons]
}
