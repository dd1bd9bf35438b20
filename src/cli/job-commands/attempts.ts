// Every attempt of every replica: how it stands or ended, and how long it ran. What the API has forgotten about earlier
// attempts is put together from events and from the logs the home has kept.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { JobStatus, ReplicaStatus } from '../../api/types.ts'
import type { JobModel } from '../../core/job-model.ts'
import { isOwed } from '../../core/replicas.ts'
import { placesOf } from '../../core/slots.ts'
import { fromTimestamp, type Instant } from '../../lib/time.ts'
import { endingOf, endingsOf, type Outcome, pausesOf, type Start } from './attempt-endings.ts'
import type { JobEvent } from './job-events.ts'
import type { KeptLog } from './log-sources.ts'
import { attemptOfPod, type ReplicaNames, replicaOfPod } from './replica-of-pod.ts'

export interface Attempt extends Outcome {
  attempt: number
  pod: string
}

export interface ReplicaAttempts {
  replica: string
  rank: number
  attempts: Attempt[]
}

export interface Seen {
  model: JobModel
  names: ReplicaNames
  record: JobStatus
  pods: readonly Pod[]
  events: readonly JobEvent[]
  /** Absent on a cluster. */
  kept?: readonly KeptLog[]
  now: Instant
}

export function attemptsOf(seen: Seen): ReplicaAttempts[] {
  const entries = new Map(seen.record.tasks?.flatMap((task) => task.replicaStatus.map((entry) => [entry.name, entry])))
  return placesOf(seen.model).map(({ key, rank, podName, role }) => {
    const entry = entries.get(podName)
    const pod = seen.pods.find((each) => replicaOfPod(each) === key)
    const container = role.template.spec?.containers[role.trainingContainer]?.name
    const starts = startsOf(seen, podName)
    const owed = entry !== undefined && isOwed(entry) && (!pod || pod.metadata?.uid === entry.uid)
    const current = currentAttempt(entry, pod, starts, owed)
    const endings = endingsOf(seen.events, key)
    const pauses = pausesOf(seen.events)
    const earlier: Attempt[] = []
    for (let attempt = 1; attempt < current; attempt++) {
      earlier.push({ attempt, ...endingOf(endings, pauses, attempt, starts), pod: podName })
    }
    const standing = owed ? { phase: 'Pending' } : standingOf(seen, entry, pod, container)
    const last = { attempt: current, ...standing, pod: podName }
    return { replica: key, rank, attempts: [...earlier, last] }
  })
}

function startsOf({ kept }: Seen, podName: string): Start[] {
  const logs = (kept ?? []).filter((log) => log.pod === podName)
  return [...new Map(logs.map((log) => [log.attempt, log])).values()]
    .map(({ attempt, uid, createdAt }) => ({ attempt, uid, at: fromTimestamp(createdAt) ?? 0 }))
    .sort((a, b) => a.attempt - b.attempt)
}

/** By the logs if there are any, so that it is the number `trainyard logs` shows. */
function currentAttempt(
  entry: ReplicaStatus | undefined,
  pod: Pod | undefined,
  starts: readonly Start[],
  owed: boolean,
): number {
  const uid = pod?.metadata?.uid ?? entry?.uid
  const byLog = starts.find((start) => start.uid === uid)?.attempt
  if (byLog !== undefined) return owed ? byLog + 1 : byLog
  const byRecord = Math.max(entry?.attempt ?? 1, pod ? attemptOfPod(pod) : 1)
  return Math.max(byRecord, (starts.at(-1)?.attempt ?? 0) + (uid === undefined ? 0 : 1))
}

/** A pod that is cleaned up with its job, as one whose second container would run on, has its times only in the logs. */
function standingOf(
  { kept, now }: Seen,
  entry: ReplicaStatus | undefined,
  pod: Pod | undefined,
  container: string | undefined,
): Outcome {
  const state = pod?.status?.containerStatuses?.find(({ name }) => name === container)?.state
  const noted = entry?.containers?.find(({ name }) => name === container)?.exitCode
  const exitCode = state?.terminated?.exitCode ?? noted
  const log = kept?.find((each) => each.uid === entry?.uid && each.container === container && each.finishedAt)
  const { startedAt, finishedAt } = state?.terminated ?? log ?? {}
  const from = fromTimestamp(startedAt ?? state?.running?.startedAt ?? entry?.runningSince)
  const to = state?.running ? now : fromTimestamp(finishedAt)
  const phase = entry?.phase ?? pod?.status?.phase ?? 'Pending'
  // A status is stored moments after what it tells of.
  const hasJustEnded = state?.terminated && phase === 'Running'
  return {
    phase: hasJustEnded ? (exitCode === 0 ? 'Succeeded' : 'Failed') : phase,
    ...(exitCode !== undefined && { exitCode }),
    ...(from !== undefined && to !== undefined && { ran: Math.max(0, to - from) }),
  }
}
