// Every attempt of every replica: how it stands or ended, and how long it ran. What the API has forgotten about earlier
// attempts is put together from events and from the logs the home has kept.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { JobStatus, ReplicaStatus } from '../../api/types.ts'
import type { JobModel } from '../../core/job-model.ts'
import { placesOf } from '../../core/slots.ts'
import { fromTimestamp, type Instant } from '../../lib/time.ts'
import type { JobEvent } from './job-events.ts'
import type { KeptLog } from './log-sources.ts'
import { attemptOfPod, type ReplicaNames, replicaOfPod } from './replica-of-pod.ts'

export interface Attempt {
  attempt: number
  phase: string
  exitCode?: number
  /** Milliseconds. */
  ran?: number
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

const A_SECOND = 1_000

export function attemptsOf(seen: Seen): ReplicaAttempts[] {
  const entries = new Map(seen.record.tasks?.flatMap((task) => task.replicaStatus.map((entry) => [entry.name, entry])))
  return placesOf(seen.model).map(({ key, rank, podName, role }) => {
    const entry = entries.get(podName)
    const pod = seen.pods.find((each) => replicaOfPod(each) === key)
    const container = role.template.spec?.containers[role.trainingContainer]?.name
    const starts = startsOf(seen, podName)
    const current = currentAttempt(entry, pod, starts)
    const endings = endingsOf(seen.events, key)
    const earlier: Attempt[] = []
    for (let attempt = 1; attempt < current; attempt++) {
      earlier.push({ attempt, ...endingOf(endings, attempt, starts), pod: podName })
    }
    const last = { attempt: current, ...standingOf(entry, pod, container, seen.now), pod: podName }
    return { replica: key, rank, attempts: [...earlier, last] }
  })
}

interface Start {
  attempt: number
  uid: string
  at: Instant
}

function startsOf({ kept }: Seen, podName: string): Start[] {
  const logs = (kept ?? []).filter((log) => log.pod === podName)
  return [...new Map(logs.map((log) => [log.attempt, log])).values()]
    .map(({ attempt, uid, createdAt }) => ({ attempt, uid, at: fromTimestamp(createdAt) ?? 0 }))
    .sort((a, b) => a.attempt - b.attempt)
}

/** By the logs if there are any, so that it is the number `trainyard logs` shows. */
function currentAttempt(entry: ReplicaStatus | undefined, pod: Pod | undefined, starts: readonly Start[]): number {
  const uid = pod?.metadata?.uid ?? entry?.uid
  const byLog = starts.find((start) => start.uid === uid)?.attempt
  if (byLog !== undefined) return byLog
  const byRecord = Math.max(entry?.attempt ?? 1, pod ? attemptOfPod(pod) : 1)
  return Math.max(byRecord, (starts.at(-1)?.attempt ?? 0) + (uid === undefined ? 0 : 1))
}

function standingOf(
  entry: ReplicaStatus | undefined,
  pod: Pod | undefined,
  container: string | undefined,
  now: Instant,
): Omit<Attempt, 'attempt' | 'pod'> {
  const state = pod?.status?.containerStatuses?.find(({ name }) => name === container)?.state
  const noted = entry?.containers?.find(({ name }) => name === container)?.exitCode
  const exitCode = state?.terminated?.exitCode ?? noted
  const from = fromTimestamp(state?.terminated?.startedAt ?? state?.running?.startedAt ?? entry?.runningSince)
  const to = state?.running ? now : fromTimestamp(state?.terminated?.finishedAt)
  return {
    phase: entry?.phase ?? pod?.status?.phase ?? 'Pending',
    ...(exitCode !== undefined && { exitCode }),
    ...(from !== undefined && to !== undefined && { ran: Math.max(0, to - from) }),
  }
}

interface Ending {
  at: Instant
  /** One of many told in one event: it was between then and this. */
  until?: Instant
  message: string
}

const ENDINGS = new Set(['ReplicaFailed', 'ReplicaSucceeded', 'ExitedWithCode'])

function endingsOf(events: readonly JobEvent[], replica: string): Ending[] {
  return events
    .filter(({ object, reason }) => object === replica && ENDINGS.has(reason))
    .flatMap(({ first, last, count, message }): Ending[] => [
      { at: first, message },
      ...Array.from({ length: Math.max(0, count - 2) }, () => ({ at: first, until: last, message })),
      ...(count > 1 ? [{ at: last, message }] : []),
    ])
    .sort((a, b) => a.at - b.at)
}

/** Takes the attempt's own out of the endings; one without was stopped: by a pause, or with the whole job. */
function endingOf(endings: Ending[], attempt: number, starts: readonly Start[]): Omit<Attempt, 'attempt' | 'pod'> {
  const start = starts.find((each) => each.attempt === attempt)
  const next = starts.find((each) => each.attempt === attempt + 1)
  // Events are told in whole seconds, so two attempts may claim one; it was the earlier's.
  const fits = ({ at, until = at }: Ending): boolean =>
    !start || (until + A_SECOND > start.at && (!next || at <= next.at))
  const known = endings.findIndex((ending) => ending.until === undefined && fits(ending))
  const found = start && known >= 0 ? known : endings.findIndex(fits)
  const [own] = found < 0 ? [] : endings.splice(found, 1)
  if (!own) return { phase: 'Stopped', ...(start && next && { ran: next.at - start.at }) }
  const code = /(?:exit|code):? (\d+)/.exec(own.message)?.[1]
  return {
    phase: code === '0' ? 'Succeeded' : 'Failed',
    ...(code !== undefined && { exitCode: Number(code) }),
    ...(start && own.until === undefined && { ran: Math.max(0, own.at - start.at) }),
  }
}
