import type { ContainerStatus, PodSpec, PodStatus } from '../../../gen/kubernetes-types.ts'
import type { ApiObject } from '../object.ts'
import { ageOf } from './duration.ts'

export interface PodCells {
  ready: string
  status: string
  restarts: string
}

/** READY, STATUS and RESTARTS of `kubectl get pods`: what is wrong with a container is told before the pod's phase. */
export function podCells(pod: ApiObject, now: number): PodCells {
  const spec = (pod.spec ?? {}) as PodSpec
  const status = (pod.status ?? {}) as PodStatus
  const containers = status.containerStatuses ?? []
  const inits = status.initContainerStatuses ?? []
  let reason = status.reason || status.phase || ''
  const counted = [...inits, ...containers]
  const initializing = inits.findIndex((c) => !(c.state?.terminated && c.state.terminated.exitCode === 0))
  if (initializing >= 0 && (spec.initContainers?.length ?? 0) > 0) {
    reason = initReason(inits[initializing], initializing, spec.initContainers?.length ?? 0)
  } else {
    for (const container of [...containers].reverse()) reason = containerReason(container) ?? reason
    if (reason === 'Completed' && containers.some((c) => c.ready && c.state?.running)) reason = 'Running'
  }
  if (pod.metadata.deletionTimestamp) reason = status.reason === 'NodeLost' ? 'Unknown' : 'Terminating'
  const gated = status.conditions?.some((c) => c.type === 'PodScheduled' && c.reason === 'SchedulingGated')
  return {
    ready: `${containers.filter((c) => c.ready && c.state?.running).length}/${spec.containers?.length ?? 0}`,
    status: gated && status.phase === 'Pending' ? 'SchedulingGated' : reason,
    restarts: restartsText(counted, now),
  }
}

function initReason(container: ContainerStatus | undefined, index: number, total: number): string {
  const terminated = container?.state?.terminated
  if (terminated) {
    if (terminated.reason) return `Init:${terminated.reason}`
    return terminated.signal ? `Init:Signal:${terminated.signal}` : `Init:ExitCode:${terminated.exitCode}`
  }
  const waiting = container?.state?.waiting?.reason
  if (waiting && waiting !== 'PodInitializing') return `Init:${waiting}`
  return `Init:${index}/${total}`
}

function containerReason(container: ContainerStatus): string | undefined {
  const waiting = container.state?.waiting?.reason
  if (waiting) return waiting
  const terminated = container.state?.terminated
  if (!terminated) return undefined
  if (terminated.reason) return terminated.reason
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`
}

function restartsText(containers: readonly ContainerStatus[], now: number): string {
  const restarts = containers.reduce((sum, c) => sum + (c.restartCount ?? 0), 0)
  const last = containers
    .map((c) => c.lastState?.terminated?.finishedAt)
    .filter((t) => t !== undefined)
    .sort()
    .at(-1)
  return restarts > 0 && last ? `${restarts} (${ageOf(last, now)} ago)` : String(restarts)
}
