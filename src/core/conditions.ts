// Conditions of the three batch.tensorstack.dev kinds, in T9k's order and words.
import type { JobCondition, JobPhase, JobStatus } from '../api/types.ts'
import { type Instant, toTimestamp } from '../lib/time.ts'
import type { Trouble } from './decision.ts'
import type { Outcome } from './outcome.ts'

export interface Situation {
  phase: JobPhase
  outcome?: Outcome
  /** In words, while something is not as it should be: who is restarted, who is waited for. */
  waitingFor?: string
  /** The replica that failed last and has not come back: pod and exit code. */
  failure?: { pod: string; exitCode: number | undefined }
  noGangScheduler: boolean
  /** Whether the job's pods have been placed together, as far as the scheduler has said. */
  gang?: { placed: boolean; reason: string; message: string }
  troubles: readonly Trouble[]
  /** What keeps pods from running: no node, no image, no start. */
  heldUp?: { reason: string; message: string }
  /** Nodes of its pods that are gone or silent. */
  nodeTrouble?: { reason: string; message: string }
}

type Draft = Omit<JobCondition, 'lastTransitionTime'>

const ORDER = [
  'Initialized',
  'Running',
  'Failed',
  'Completed',
  'ReplicaFailure',
  'Paused',
  'GangScheduling',
  'NameTaken',
  'CreationRefused',
  'HeldUp',
  'NodeTrouble',
]
const ALL_WELL = 'All pods are running normally or have completed successfully.'

export function conditionsOf(before: JobStatus, situation: Situation, now: Instant): JobCondition[] {
  const known = new Map((before.conditions ?? []).map((condition) => [condition.type, condition]))
  const set = (draft: Draft): void => {
    const old = known.get(draft.type)
    const lastTransitionTime = old?.status === draft.status ? old.lastTransitionTime : toTimestamp(now)
    known.set(draft.type, { ...draft, lastTransitionTime })
  }
  /** Only worth a condition while it is so, or to say that it no longer is. */
  const flag = (type: string, reason: string | undefined, message: string, over = 'No longer so.'): void => {
    if (reason !== undefined) set({ type, status: 'True', reason, message })
    else if (known.get(type)?.status === 'True') set({ type, status: 'False', reason: '-', message: over })
  }

  if (situation.outcome?.by !== 'InvalidSpec') {
    set({ type: 'Initialized', status: 'True', reason: '-', message: 'The job has been initialized successfully.' })
  }
  if (situation.outcome) setFinished(set, situation.outcome)
  else setUnfinished(set, situation)
  if (!situation.outcome || situation.failure) setReplicaFailure(set, situation)
  if (situation.phase === 'Paused') {
    set({ type: 'Paused', status: 'True', reason: '-', message: 'All replicas are deleted or being deleted.' })
  } else if (known.has('Paused'))
    set({ type: 'Paused', status: 'False', reason: '-', message: 'The job has been resumed.' })
  if (situation.noGangScheduler) {
    const message = 'This cluster has no gang scheduler; the default scheduler places each pod by itself.'
    set({ type: 'GangScheduling', status: 'False', reason: 'NoGangScheduler', message })
  }
  const { gang } = situation
  const toldOf = known.get('GangScheduling')?.status === 'False'
  if (!situation.noGangScheduler && !situation.outcome && gang && (!gang.placed || toldOf)) {
    const { placed, reason, message } = gang
    set({ type: 'GangScheduling', status: placed ? 'True' : 'False', reason, message })
  }
  const taken = situation.troubles.find((trouble) => trouble.reason === 'NameTaken')
  const refused = situation.troubles.find((trouble) => trouble.reason === 'Refused')
  flag('NameTaken', taken && 'NameTaken', taken?.message ?? '')
  flag('CreationRefused', refused && 'Refused', refused?.message ?? '')
  flag('HeldUp', situation.heldUp?.reason, situation.heldUp?.message ?? '')
  const { nodeTrouble } = situation
  // A lost node is soon replaced; that it was lost is what somebody will look for later.
  const lost = known.get('NodeTrouble')?.message
  flag('NodeTrouble', nodeTrouble?.reason, nodeTrouble?.message ?? '', `No longer so: ${lost}`)
  return [...known.values()].sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))
}

function setFinished(set: (draft: Draft) => void, { phase, by, message }: Outcome): void {
  const failed = phase === 'Failed'
  const reason = by === 'InvalidSpec' ? 'InvalidSpec' : by === 'Deadline' ? 'DeadlineExceeded' : phase
  set({ type: 'Running', status: 'False', reason, message })
  set({ type: 'Failed', status: failed ? 'True' : 'False', reason, message })
  set({ type: 'Completed', status: 'True', reason, message })
}

function setUnfinished(set: (draft: Draft) => void, { phase, waitingFor }: Situation): void {
  if (phase === 'Running') set({ type: 'Running', status: 'True', reason: '-', message: waitingFor ?? ALL_WELL })
  else if (phase === 'Unknown') {
    set({ type: 'Running', status: 'Unknown', reason: 'PodsUnknown', message: "No pod's state can be read." })
  } else {
    const message = phase === 'Paused' ? 'The job is paused.' : (waitingFor ?? 'The pods are being started.')
    set({ type: 'Running', status: 'False', reason: phase, message })
  }
  set({ type: 'Completed', status: 'False', reason: 'NotFinished', message: 'The job is still running.' })
}

function setReplicaFailure(set: (draft: Draft) => void, { failure }: Situation): void {
  if (!failure) {
    set({ type: 'ReplicaFailure', status: 'False', reason: '-', message: ALL_WELL })
    return
  }
  const how = failure.exitCode === undefined ? 'failed' : `exited with error code ${failure.exitCode}`
  set({ type: 'ReplicaFailure', status: 'True', reason: 'ErrorInPod', message: `Pod[${failure.pod}] ${how}` })
}
