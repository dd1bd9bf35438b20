// One replica as `run` shows it: its pod's latest state, what it wrote last, and how it ended.
import type { ContainerStateTerminated, Pod } from '../../../../gen/kubernetes-types.ts'
import { failedSilently } from '../../../api/silent-stderr.ts'
import type { JobPhase, ReplicaStatus } from '../../../api/types.ts'
import { describeExit } from '../../../core/exit-words.ts'
import { holdUpOf } from '../../../core/hold-up.ts'
import { ATTEMPT_ANNOTATION } from '../../../core/labels.ts'
import { type Look, lookAt } from '../../../core/look.ts'
import type { Place } from '../../../core/slots.ts'
import { fromTimestamp, type Instant } from '../../../lib/time.ts'
import { duration } from '../words.ts'

const SHORT = 1_000

export type ReplicaState = 'Starting' | 'Pending' | 'Running' | 'Restarting' | 'Succeeded' | 'Failed' | 'Paused'

/** How one attempt ended. */
export interface End {
  uid: string
  attempt: number
  /** Undefined: the pod failed without telling how. */
  exitCode: number | undefined
  at: Instant
  /** For how long it ran, in milliseconds. */
  ran: number
  /** `killed by SIGKILL (exit 137)`. */
  words: string
  /** It never ran: what was in the way. */
  cannotStart?: string
  /** It wrote nothing to its standard error. */
  silentOnStderr?: true
  /** The container that failed, where it is not the one that trains: its words are in a log of its own. */
  culprit?: string
}

export interface Replica {
  place: Place
  pod?: Pod
  state: ReplicaState
  since: Instant
  /** Of the latest attempt that ended. */
  end?: End
  /** What it waits for, if the cluster has said so. */
  waitsFor?: string
  /** The last lines of the latest attempt that wrote any. */
  lines: string[]
  linesOf?: string
}

export function attemptOf(pod: Pod): number {
  return Number(pod.metadata?.annotations?.[ATTEMPT_ANNOTATION] ?? 1)
}

function trainingContainer({ role }: Place): string | undefined {
  return role.template?.spec?.containers[role.trainingContainer]?.name
}

export function trainingStatus(pod: Pod, place: Place) {
  const name = trainingContainer(place)
  return pod.status?.containerStatuses?.find((status) => status.name === name)
}

export function endOf(pod: Pod, place: Place): End | undefined {
  const look = lookOf(pod, place)
  if (look.is !== 'ended') return undefined
  const terminated = trainingStatus(pod, place)?.state?.terminated
  const startError = terminated?.reason === 'StartError' ? terminated.message : undefined
  const culprit = terminated ? undefined : failedContainer(pod)
  return {
    uid: pod.metadata?.uid ?? '',
    attempt: attemptOf(pod),
    exitCode: look.exitCode,
    at: look.at,
    ran: look.ranFor * 1000,
    words: wordsForEnd(look, place, terminated),
    ...(startError && { cannotStart: startError }),
    ...(failedSilently(pod, trainingContainer(place)) && { silentOnStderr: true }),
    ...(culprit && { culprit }),
  }
}

function failedContainer({ status }: Pod): string | undefined {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  return all.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0)?.name
}

function wordsForEnd(look: Look & { is: 'ended' }, place: Place, terminated?: ContainerStateTerminated): string {
  if (terminated?.reason === 'OOMKilled') {
    const { resources } = place.role.template.spec?.containers[place.role.trainingContainer] ?? {}
    const limit = resources?.limits?.memory
    return `killed for exceeding its memory limit${limit === undefined ? '' : ` ${limit}`}`
  }
  // The exit code is the nearest that a shell has, and would tell of a program that is not there.
  if (terminated?.reason === 'StartError' && !terminated.message?.startsWith('no program'))
    return `it could not be started (exit ${look.exitCode})`
  return `${describeExit(look.exitCode)}${look.why ? `: ${look.why}` : ''}`
}

/** Whether the node is well is for the operator to know; here every node counts as there. */
export function lookOf(pod: Pod, place: Place): Look {
  return lookAt(pod, place.role, new Map([[pod.spec?.nodeName ?? '', { ready: true, outOfService: false }]]))
}

/** The state a replica is in, from its pod and from what the job's record says of it. */
export function stateOf(
  replica: Pick<Replica, 'place' | 'pod'>,
  entry: ReplicaStatus | undefined,
  phase: JobPhase,
): ReplicaState {
  const { place, pod } = replica
  const owed = entry?.uid !== undefined && entry.uid === entry.replaces
  const look = pod && lookOf(pod, place)
  const current = pod !== undefined && attemptOf(pod) >= (entry?.attempt ?? 1)
  if (current && look?.is === 'ended') return look.exitCode === 0 ? 'Succeeded' : 'Failed'
  if (current && look?.is === 'running') return 'Running'
  if (!owed && (entry?.phase === 'Succeeded' || entry?.phase === 'Failed')) return entry.phase
  if (phase === 'Paused') return 'Paused'
  if (waitsFor(pod) !== undefined) return 'Pending'
  return (entry?.attempt ?? 1) > 1 && (entry?.restartCount ?? 0) > 0 ? 'Restarting' : 'Starting'
}

/** `in 8 s`, where an attempt that is owed is held back for longer than it takes to say so. */
export function waitOf(entry: ReplicaStatus | undefined, now: Instant): string | undefined {
  const wait = (fromTimestamp(entry?.restartAt) ?? now) - now
  return wait > SHORT ? `in ${duration(wait)}` : undefined
}

/** The scheduler's reason. */
export function waitsFor(pod: Pod | undefined): string | undefined {
  const holdUp = holdUpOf(pod)
  return holdUp?.reason === 'Unschedulable' ? holdUp.message : undefined
}

/** What the kubelet says while it cannot start a container. */
export function hindrance(pod: Pod | undefined): string | undefined {
  const holdUp = holdUpOf(pod)
  return holdUp?.reason === 'Unschedulable' ? undefined : holdUp?.message
}

/** A node of a cluster first needs the image; on this machine there is nothing to wait for. */
export function preparation(pod: Pod | undefined, place: Place): string | undefined {
  const node = pod?.spec?.nodeName
  const { hostIP = '' } = pod?.status ?? {}
  if (node === undefined || hostIP === '' || hostIP.startsWith('127.') || pod?.status?.phase !== 'Pending')
    return undefined
  const training = trainingStatus(pod, place)
  return training?.state?.waiting?.reason === 'ContainerCreating'
    ? `pulling ${training.image} on node ${node}`
    : undefined
}

/** Since when the process has been running, by its own clock where that is told. */
export function runningSince(pod: Pod | undefined, place: Place): Instant | undefined {
  return pod && fromTimestamp(trainingStatus(pod, place)?.state?.running?.startedAt)
}
