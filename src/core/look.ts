// What one pod tells about its replica, right now and by itself; what was recorded before is not looked at.
import type { ContainerStateTerminated, Pod } from '../../gen/kubernetes-types.ts'
import { fromTimestamp, type Instant } from '../lib/time.ts'
import type { NodeState } from './decision.ts'
import type { Role } from './job-model.ts'
import { nodeTroubleOf } from './node-trouble.ts'

export type Look =
  | { is: 'absent' }
  /** Not on a node yet. */
  | { is: 'unplaced' }
  | { is: 'pending' }
  | { is: 'running'; since: Instant | undefined }
  | { is: 'unknown' }
  /** The training process ended by itself. `othersRun`: other containers do not know it yet. */
  | { is: 'ended'; exitCode: number | undefined; at: Instant; ranFor: number; why?: string; othersRun: boolean }
  /** The pod is no good any more and it was not its process's fault. */
  | { is: 'lost'; why: string; ranFor: number; at?: Instant }
  /** Being deleted; what its process does now no longer counts. `at`: since when, where it is the replica's own pod. */
  | { is: 'leaving'; at?: Instant }

/** The kubelet turned the pod away before anything ran: nobody's failure. */
const TURNED_AWAY =
  /^(OutOf\w+|NodeAffinity|NodePorts|UnexpectedAdmissionError|NodeShutdown|Shutdown|Preempting|TaintToleration)$/

export function lookAt(pod: Pod | undefined, role: Role, nodes: ReadonlyMap<string, NodeState>): Look {
  if (!pod) return { is: 'absent' }
  const name = role.template?.spec?.containers[role.trainingContainer]?.name
  const training = pod.status?.containerStatuses?.find((status) => status.name === name)
  const disturbed = disturbedAt(pod)
  const ended = training?.state?.terminated
  if (ended && endedByItself(ended, disturbed)) return endOf(pod, ended)
  const ranFor = secondsBetween(ended?.startedAt ?? training?.state?.running?.startedAt, ended?.finishedAt)

  if (pod.metadata?.deletionTimestamp) return { is: 'leaving', at: disturbed }
  const disruption = disruptionOf(pod)
  const trouble = nodeTroubleOf(pod, nodes)
  if (disruption) {
    // What drives pods off a dead node only says that it did.
    const why = trouble?.message ?? (disruption.message || disruption.reason || 'disrupted')
    return { is: 'lost', why, ranFor, at: disturbed }
  }
  if (trouble?.reason === 'NodeGone') return { is: 'lost', why: trouble.message, ranFor }

  switch (pod.status?.phase) {
    case 'Failed':
      return failureOf(pod, nodes, ranFor)
    case 'Succeeded':
      return { is: 'ended', exitCode: 0, at: fromTimestamp(ended?.finishedAt) ?? 0, ranFor, othersRun: false }
    case 'Running':
      return { is: 'running', since: fromTimestamp(training?.state?.running?.startedAt) }
    case 'Unknown':
      return { is: 'unknown' }
    default:
      return pod.spec?.nodeName ? { is: 'pending' } : { is: 'unplaced' }
  }
}

function endOf(pod: Pod, ended: ContainerStateTerminated): Look {
  const others = pod.status?.containerStatuses ?? []
  return {
    is: 'ended',
    exitCode: ended.exitCode,
    at: fromTimestamp(ended.finishedAt) ?? 0,
    ranFor: secondsBetween(ended.startedAt, ended.finishedAt),
    why: ended.reason === 'OOMKilled' ? 'killed for exceeding its memory limit' : undefined,
    othersRun: pod.status?.phase === 'Running' && others.some((status) => status.state?.running),
  }
}

/** The pod failed although its training container did not end by itself. */
function failureOf(pod: Pod, nodes: ReadonlyMap<string, NodeState>, ranFor: number): Look {
  const reason = pod.status?.reason ?? ''
  if (TURNED_AWAY.test(reason)) return { is: 'lost', why: pod.status?.message || reason, ranFor }
  const trouble = nodeTroubleOf(pod, nodes)
  if (trouble) return { is: 'lost', why: trouble.message, ranFor }
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
  const culprit = all.find((status) => (status.state?.terminated?.exitCode ?? 0) !== 0)
  const ended = culprit?.state?.terminated
  return {
    is: 'ended',
    exitCode: ended?.exitCode,
    at: fromTimestamp(ended?.finishedAt) ?? 0,
    ranFor,
    why: culprit ? `container ${culprit.name} failed first` : pod.status?.message || reason || undefined,
    othersRun: false,
  }
}

/** When somebody began to remove the pod, if anybody did. */
function disturbedAt(pod: Pod): Instant | undefined {
  const deadline = fromTimestamp(pod.metadata?.deletionTimestamp)
  const deletion =
    deadline === undefined ? undefined : deadline - (pod.metadata?.deletionGracePeriodSeconds ?? 0) * 1000
  const disruption = fromTimestamp(disruptionOf(pod)?.lastTransitionTime)
  return deletion === undefined ? disruption : Math.min(deletion, disruption ?? deletion)
}

function disruptionOf(pod: Pod) {
  return pod.status?.conditions?.find((c) => c.type === 'DisruptionTarget' && c.status === 'True')
}

/** Timestamps have whole seconds: an end in the same second as the disturbance was caused by it. */
function endedByItself(ended: ContainerStateTerminated, disturbed: Instant | undefined): boolean {
  if (disturbed === undefined) return true
  const at = fromTimestamp(ended.finishedAt)
  return at !== undefined && at < disturbed
}

function secondsBetween(start: string | undefined, end: string | undefined): number {
  const from = fromTimestamp(start)
  const to = fromTimestamp(end)
  return from === undefined || to === undefined ? 0 : Math.max(0, (to - from) / 1000)
}
