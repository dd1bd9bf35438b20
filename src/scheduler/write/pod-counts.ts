import type { Pod } from '../../../gen/kubernetes-types.ts'

export interface PhaseCounts {
  pending: number
  running: number
  succeeded: number
  failed: number
  unknown: number
}

export function countPhases(pods: readonly Pod[]): PhaseCounts {
  const counts = { pending: 0, running: 0, succeeded: 0, failed: 0, unknown: 0 }
  for (const { status } of pods) {
    const phase = (status?.phase ?? 'Pending').toLowerCase()
    if (phase in counts) counts[phase as keyof PhaseCounts]++
  }
  return counts
}

/** On a node, and not ended. */
export function holdsRoom({ spec, status }: Pod): boolean {
  return spec?.nodeName !== undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed'
}
