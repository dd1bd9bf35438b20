// How a TensorBoard stands, read off its pod.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { Standing } from './decide-board.ts'

/** Nothing is wrong while a container is only being prepared. */
const PREPARING = ['ContainerCreating', 'PodInitializing']

export function describePod(pod: Pod | undefined, withoutCredentials: boolean): Standing {
  const conditions = pod?.status?.conditions ?? []
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) {
    if (!withoutCredentials) return { phase: 'Running', reason: 'Serving', message: 'it serves the logs' }
    const message = 'it serves the logs; logDir.s3 names no secretRef, so buckets are read without credentials'
    return { phase: 'Running', reason: 'NoCredentials', message }
  }
  const trouble = troubleOf(pod)
  if (trouble) return { phase: 'Pending', ...trouble }
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled')
  if (scheduled?.status === 'False') {
    return {
      phase: 'Pending',
      reason: scheduled.reason ?? 'Unschedulable',
      message: scheduled.message ?? 'no node has room',
    }
  }
  return { phase: 'Pending', reason: 'Starting', message: pod ? 'it is starting' : 'it is being created' }
}

function troubleOf(pod: Pod | undefined): { reason: string; message: string } | undefined {
  const container = pod?.status?.containerStatuses?.[0]
  const waiting = container?.state?.waiting
  const ended = container?.state?.terminated ?? container?.lastState?.terminated
  if (ended && ended.exitCode !== 0) {
    const said = ended.message?.trim().split('\n').at(-1)
    return { reason: ended.reason ?? 'Error', message: said || `it ended with exit code ${ended.exitCode}` }
  }
  if (!waiting?.reason || PREPARING.includes(waiting.reason)) return undefined
  return { reason: waiting.reason, message: waiting.message ?? `it waits: ${waiting.reason}` }
}
