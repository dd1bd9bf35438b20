// The counts and lists of a status: tasks, aggregate, phase.
import type { Aggregate, ContainerState, JobPhase, JobStatus, TaskStatus } from '../api/types.ts'
import { groupBy } from '../lib/group-by.ts'
import type { JobModel } from './job-model.ts'
import { isFinal, isOwed, type Replica } from './replicas.ts'

/** Above this many replicas only containers with something to tell are named, or the status outgrows etcd. */
const NAME_ALL_CONTAINERS_UP_TO = 500

export type Standing = keyof Aggregate

/** Every replica is in exactly one count: a recorded outcome first, else what its pod shows. */
export function standingOf({ entry, pod, look, fresh }: Replica, stopped: boolean): Standing {
  if (isFinal(entry)) return entry.phase === 'Succeeded' ? 'succeeded' : 'failed'
  if (fresh && look.is === 'ended' && !isOwed(entry)) return look.exitCode === 0 ? 'succeeded' : 'failed'
  if (stopped && (isOwed(entry) || look.is === 'absent' || look.is === 'leaving')) {
    return entry.uid === undefined && entry.replaces === undefined ? 'creating' : 'deleted'
  }
  if (isOwed(entry)) return 'creating'
  switch (look.is) {
    case 'running':
      return 'running'
    case 'pending':
      return 'pending'
    case 'unknown':
      return 'unknown'
    case 'leaving':
      // Deleted by somebody else; until its own pod is gone it is what that was last.
      if (look.at === undefined || !pod?.spec?.nodeName) return 'creating'
      return entry.phase === 'Running' ? 'running' : entry.phase === 'Unknown' ? 'unknown' : 'pending'
    default:
      return 'creating'
  }
}

export function aggregateOf(replicas: readonly Replica[], stopped: boolean): Aggregate {
  const counts: Aggregate = { creating: 0, pending: 0, running: 0, succeeded: 0, failed: 0, unknown: 0, deleted: 0 }
  for (const replica of replicas) counts[standingOf(replica, stopped)] += 1
  return counts
}

export function tasksOf(
  model: JobModel,
  replicas: readonly Replica[],
  before: JobStatus,
  spentBy: readonly Replica[],
): TaskStatus[] {
  const all = replicas.length <= NAME_ALL_CONTAINERS_UP_TO
  const byType = groupBy(replicas, (replica) => replica.place.type)
  return model.roles.map((role) => {
    const earlier = before.tasks?.find((task) => task.type === role.label)?.restartCount ?? 0
    const restartCount = earlier + spentBy.filter((replica) => replica.place.type === role.type).length
    const replicaStatus = (byType.get(role.type) ?? []).map(({ entry, pod, look }) => {
      const containers = look.is === 'absent' ? entry.containers : containersOf(pod, all)
      return withoutEmpty({ ...entry, containers: all ? containers : containers?.filter(isTelling) })
    })
    return { type: role.label, ...(restartCount > 0 && { restartCount }), replicaStatus }
  })
}

function containersOf(pod: Replica['pod'], all: boolean): ContainerState[] | undefined {
  const states = (pod?.status?.containerStatuses ?? []).map(({ name, state }): ContainerState => {
    if (state?.terminated) return { name, state: 'Terminated', exitCode: state.terminated.exitCode }
    return { name, state: state?.running ? 'Running' : 'Waiting' }
  })
  return all ? states : states.filter(isTelling)
}

function isTelling({ state, exitCode }: ContainerState): boolean {
  return state === 'Waiting' || (state === 'Terminated' && exitCode !== 0)
}

function withoutEmpty<T extends object>(value: T): T {
  const kept = Object.entries(value).filter(([, v]) => v !== undefined && !(Array.isArray(v) && v.length === 0))
  return Object.fromEntries(kept) as T
}

/** Enough replicas run, or have ended, at the same time for the job to be called Running. */
export function isComplete(model: JobModel, replicas: readonly Replica[]): boolean {
  const there = replicas.filter(({ entry, look, fresh }) => {
    if (isFinal(entry) || (fresh && look.is === 'ended')) return true
    return !isOwed(entry) && look.is === 'running'
  })
  return there.length >= Math.min(model.elastic?.min ?? replicas.length, replicas.length) && there.length > 0
}

export function phaseOf(
  model: JobModel,
  replicas: readonly Replica[],
  { underWay, resumed }: Pick<JobStatus, 'underWay' | 'resumed'>,
): JobPhase {
  if (model.paused) return 'Paused'
  const seen = replicas.filter(({ look }) => look.is !== 'absent')
  if (seen.length > 0 && seen.every(({ look }) => look.is === 'unknown')) return 'Unknown'
  if (underWay) return 'Running'
  return resumed ? 'Resuming' : 'Pending'
}
