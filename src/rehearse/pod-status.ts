// A pod's status at each station of its life, as the scheduler and the kubelet write it.
import type { Container, ContainerState, ContainerStatus, PodCondition, PodStatus } from '../../gen/kubernetes-types.ts'
import { type Instant, toTimestamp } from '../lib/time.ts'
import type { SimulatedPod } from './simulated-api.ts'

export function unschedulable(pod: SimulatedPod, now: Instant, message: string): PodStatus {
  return { ...pod.status, conditions: [condition('PodScheduled', 'False', toTimestamp(now), 'Unschedulable', message)] }
}

export function scheduled(pod: SimulatedPod, now: Instant): PodStatus {
  const at = toTimestamp(now)
  const creating: ContainerState = { waiting: { reason: 'ContainerCreating' } }
  return {
    phase: 'Pending',
    startTime: at,
    conditions: [
      condition('PodScheduled', 'True', at),
      condition('Initialized', 'False', at, 'ContainersNotInitialized'),
      condition('ContainersReady', 'False', at, 'ContainersNotReady'),
      condition('Ready', 'False', at, 'ContainersNotReady'),
    ],
    initContainerStatuses: initContainers(pod).map((container) => statusOf(container, creating)),
    containerStatuses: containers(pod).map((container) => statusOf(container, creating)),
  }
}

export function running(pod: SimulatedPod, now: Instant): PodStatus {
  const at = toTimestamp(now)
  const completed: ContainerState = { terminated: { exitCode: 0, reason: 'Completed', startedAt: at, finishedAt: at } }
  return {
    ...pod.status,
    phase: 'Running',
    conditions: ready(pod.status?.conditions, now, 'True'),
    initContainerStatuses: initContainers(pod).map((container) =>
      statusOf(container, container.restartPolicy === 'Always' ? { running: { startedAt: at } } : completed),
    ),
    containerStatuses: containers(pod).map((container) => statusOf(container, { running: { startedAt: at } })),
  }
}

/** One container ends; the pod does when all of them have. */
export function exited(pod: SimulatedPod, name: string, exitCode: number, now: Instant): PodStatus {
  const statuses = (pod.status?.containerStatuses ?? []).map((status) =>
    status.name === name && status.state?.running ? terminate(status, exitCode, now) : status,
  )
  const conditions = ready(pod.status?.conditions, now, 'False')
  return { ...pod.status, phase: phaseOf(statuses), conditions, containerStatuses: statuses }
}

/** Stopped for the cluster's sake: every container is killed, and the pod says that it was not its fault. */
export function evicted(pod: SimulatedPod, now: Instant): PodStatus {
  const statuses = (pod.status?.containerStatuses ?? []).map((status) =>
    status.state?.running ? terminate(status, 137, now) : status,
  )
  const message = 'Eviction API: evicting'
  const conditions = [
    condition('DisruptionTarget', 'True', toTimestamp(now), 'EvictionByEvictionAPI', message),
    ...ready(pod.status?.conditions, now, 'False'),
  ]
  return { ...pod.status, phase: 'Failed', conditions, containerStatuses: statuses }
}

export function hasEnded(pod: SimulatedPod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
}

function phaseOf(statuses: readonly ContainerStatus[]): string {
  if (statuses.some((status) => !status.state?.terminated)) return 'Running'
  return statuses.every((status) => status.state?.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed'
}

function terminate(status: ContainerStatus, exitCode: number, now: Instant): ContainerStatus {
  const startedAt = status.state?.running?.startedAt
  const reason = exitCode === 0 ? 'Completed' : 'Error'
  const terminated = { exitCode, reason, startedAt, finishedAt: toTimestamp(now) }
  return { ...status, ready: false, started: false, state: { terminated } }
}

function statusOf(container: Container, state: ContainerState): ContainerStatus {
  const up = state.running !== undefined
  return {
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    restartCount: 0,
    ready: up || state.terminated?.exitCode === 0,
    started: up,
    state,
  }
}

/** A condition that stays as it is keeps the time of its last change. */
function ready(before: readonly PodCondition[] | undefined, now: Instant, status: 'True' | 'False'): PodCondition[] {
  const at = toTimestamp(now)
  const reason = status === 'True' ? undefined : 'ContainersNotReady'
  const after = [
    condition('Initialized', 'True', at),
    condition('ContainersReady', status, at, reason),
    condition('Ready', status, at, reason),
  ].map((next) => before?.find((old) => old.type === next.type && old.status === next.status) ?? next)
  const others = (before ?? []).filter(({ type }) => type === 'PodScheduled' || type === 'DisruptionTarget')
  return [...others, ...after]
}

function condition(
  type: string,
  status: 'True' | 'False',
  at: string,
  reason?: string,
  message?: string,
): PodCondition {
  return { type, status, lastTransitionTime: at, ...(reason && { reason }), ...(message && { message }) }
}

function containers(pod: SimulatedPod): Container[] {
  return pod.spec?.containers ?? []
}

function initContainers(pod: SimulatedPod): Container[] {
  return pod.spec?.initContainers ?? []
}
