// Each replica with what was recorded of it and what its pod shows: the recorded state brought up to date.
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { JobStatus, ReplicaStatus } from '../api/types.ts'
import { fromTimestamp, type Instant, toTimestamp } from '../lib/time.ts'
import type { Observed } from './decision.ts'
import type { JobModel } from './job-model.ts'
import { ATTEMPT_ANNOTATION } from './labels.ts'
import { type Look, lookAt } from './look.ts'
import { countSetback, delayMillis } from './restart-delay.ts'
import type { Place } from './slots.ts'

export interface Replica {
  place: Place
  /** Ours to change; becomes tasks[].replicaStatus[]. */
  entry: ReplicaStatus
  pod?: Pod
  look: Look
  /** It ended and nothing of that was recorded before: to be judged now, once. */
  fresh: boolean
  /** Found lost in this pass, and why. */
  lost?: string
}

/** The recorded outcome stands: this replica is not run again. */
export function isFinal(entry: ReplicaStatus): boolean {
  return (entry.phase === 'Failed' || entry.phase === 'Succeeded') && entry.uid !== undefined && !isOwed(entry)
}

/** Its pod's restart has been granted and counted; whatever that pod still does is nothing new. */
export function isOwed(entry: ReplicaStatus): boolean {
  return entry.uid !== undefined && entry.uid === entry.replaces
}

export function hasSucceeded({ entry, look, fresh }: Replica): boolean {
  if (isFinal(entry)) return entry.phase === 'Succeeded'
  return fresh && look.is === 'ended' && look.exitCode === 0
}

export function isRunning({ entry, look }: Replica): boolean {
  return !isFinal(entry) && !isOwed(entry) && look.is === 'running'
}

/** The job's own pods by name; an object of the same name that belongs to somebody else is not ours to see. */
export function ownPods(model: JobModel, pods: readonly Pod[]): Map<string, Pod> {
  const own = new Map<string, Pod>()
  for (const pod of pods) {
    const owner = pod.metadata?.ownerReferences?.find((reference) => reference.controller)
    if (owner?.uid === model.uid && pod.metadata?.name) own.set(pod.metadata.name, pod)
  }
  return own
}

export function settleReplicas(
  places: readonly Place[],
  before: JobStatus,
  pods: ReadonlyMap<string, Pod>,
  observed: Observed,
  /** Paused or finished: a pod that is gone was meant to go. */
  stopped: boolean,
  now: Instant,
): Replica[] {
  const recorded = new Map(before.tasks?.flatMap((task) => task.replicaStatus).map((entry) => [entry.name, entry]))
  return places.map((place) => {
    const pod = pods.get(place.podName)
    const entry: ReplicaStatus = { ...(recorded.get(place.podName) ?? newEntry(place, pod)) }
    const seen = lookAt(pod, place.role, observed.nodes)
    // One that leaves before it was ever recorded is what a replica left behind that was given up, and nobody's loss.
    const leftBehind = entry.uid === undefined && seen.is === 'leaving'
    if (pod && !leftBehind && attemptOf(pod) === expectedAttempt(entry) && !isFinal(entry)) adopt(entry, pod)
    // Another pod bears the name: the view is older than the record, or the other way round. Wait until they agree.
    const look: Look = pod && pod.metadata?.uid !== entry.uid ? { is: 'leaving' } : seen
    const open = !isFinal(entry) && !isOwed(entry)
    const replica: Replica = { place, entry, pod, look, fresh: look.is === 'ended' && open }
    if (open) follow(replica, stopped, now)
    return replica
  })
}

/** A replica that comes back after it had been given up goes on with the pod it still has. */
function newEntry({ podName: name }: Place, pod: Pod | undefined): ReplicaStatus {
  const attempt = pod ? attemptOf(pod) : 1
  return { name, phase: 'Pending', ...(attempt > 1 && { attempt }) }
}

/** Pods that other operators made count as the first. */
function attemptOf(pod: Pod): number {
  return Number(pod.metadata?.annotations?.[ATTEMPT_ANNOTATION] ?? 1)
}

export function expectedAttempt(entry: ReplicaStatus): number {
  return entry.attempt ?? 1
}

/** The pod is an earlier attempt's, which has been dealt with: it only has to go. */
export function isSuperseded({ pod, entry }: Replica): boolean {
  return pod !== undefined && attemptOf(pod) < expectedAttempt(entry)
}

/** The pod's successor is owed from here on, and whatever the pod still does is nothing new. */
export function supersede(entry: ReplicaStatus): void {
  entry.replaces = entry.uid
  entry.attempt = expectedAttempt(entry) + 1
}

/** A pod the record does not know yet: its predecessor, if any, has been dealt with. */
function adopt(entry: ReplicaStatus, pod: Pod): void {
  if (pod.metadata?.uid === entry.uid) return
  entry.uid = pod.metadata?.uid
  entry.phase = 'Pending'
  entry.restartAt = undefined
  entry.runningSince = undefined
}

/** Phases that are no outcome follow the pod; a pod that is gone, or no good any more, is a loss. */
function follow(replica: Replica, stopped: boolean, now: Instant): void {
  const { entry, look } = replica
  switch (look.is) {
    case 'running':
      entry.phase = 'Running'
      entry.runningSince ??= toTimestamp(look.since ?? now)
      break
    case 'unplaced':
    case 'pending':
      entry.phase = 'Pending'
      break
    case 'unknown':
      entry.phase = 'Unknown'
      break
    case 'lost':
      if (stopped) break
      replica.lost = look.why
      supersede(entry)
      postpone(entry, Math.max(look.ranFor, ranSince(entry, now)), now)
      break
    case 'absent':
      if (entry.uid === undefined) break
      if (stopped) {
        entry.phase = 'Pending'
        break
      }
      // The same attempt once more, under another uid: a stale view must not condemn a pod that is alive.
      replica.lost = 'its pod is gone'
      postpone(entry, ranSince(entry, now), now)
      entry.uid = undefined
      entry.phase = 'Pending'
      break
  }
}

export function ranSince(entry: ReplicaStatus, now: Instant): number {
  const since = fromTimestamp(entry.runningSince)
  return since === undefined ? 0 : (now - since) / 1000
}

/** Notes the setback and when the next pod may come. */
export function postpone(entry: ReplicaStatus, ranForSeconds: number, now: Instant): void {
  entry.setbacks = countSetback(entry.setbacks, ranForSeconds)
  const delay = delayMillis(entry.setbacks)
  entry.restartAt = delay > 0 ? toTimestamp(now + delay) : undefined
  entry.runningSince = undefined
}
