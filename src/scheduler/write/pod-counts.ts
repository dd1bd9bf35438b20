import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { PodCounts } from '../../api/queue/queue-object.ts'

export function countPhases(pods: readonly Pod[]): PodCounts {
  const counts = { pending: 0, running: 0, succeeded: 0, failed: 0, unknown: 0 }
  for (const { status } of pods) {
    const phase = (status?.phase ?? 'Pending').toLowerCase()
    if (phase in counts) counts[phase as keyof PodCounts]++
  }
  return counts
}

/** On a node, and not ended. */
export function holdsRoom({ spec, status }: Pod): boolean {
  return spec?.nodeName !== undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed'
}
