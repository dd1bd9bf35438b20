// How a home tells in a pod's status which of its containers failed without a word on their standard error.
import type { Pod } from '../../gen/kubernetes-types.ts'

export const SILENT_STDERR = 'trainyard.dev/SilentStderr'

export function tellSilent(containers: readonly string[]): string {
  return `containers that failed with nothing on stderr: [${containers.join(' ')}]`
}

/** False also where nobody tells it, as on a cluster. */
export function failedSilently(pod: Pod, container: string | undefined): boolean {
  const told = pod.status?.conditions?.find(({ type, status }) => type === SILENT_STDERR && status === 'True')
  const names = /\[(.*)\]$/.exec(told?.message ?? '')?.[1]?.split(' ') ?? []
  return container !== undefined && names.includes(container)
}
