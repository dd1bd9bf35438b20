// How a TensorBoard stands, read off its pod.
import type { ContainerStatus, Pod } from '../../../gen/kubernetes-types.ts'
import { holdUpOf } from '../../core/hold-up.ts'
import type { Standing } from './decide-board.ts'
import type { Source } from './sources.ts'

export function describePod(pod: Pod | undefined, sources: readonly Source[]): Standing {
  const conditions = pod?.status?.conditions ?? []
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) {
    const open = withoutCredentials(sources)
    if (open === undefined) return { phase: 'Running', reason: 'Serving', message: 'it serves the logs' }
    return { phase: 'Running', reason: 'NoCredentials', message: open }
  }
  const trouble = endOf(pod) ?? startErrorOf(pod) ?? holdUpOf(pod)
  if (trouble) return { phase: 'Pending', ...trouble }
  return { phase: 'Pending', reason: 'Starting', message: pod ? 'it is starting' : 'it is being created' }
}

/** Such a TensorBoard runs and shows nothing of a place that is not open to everybody. */
function withoutCredentials(sources: readonly Source[]): string | undefined {
  const kinds = new Set(sources.filter((source) => !('secret' in source && source.secret)).map(({ kind }) => kind))
  const words = [
    ...(kinds.has('s3') ? ['logDir.s3 names no secretRef, so only public buckets are shown'] : []),
    ...(kinds.has('http') ? ['logDir.http has no credentials, so only public addresses are shown'] : []),
  ]
  return words.length > 0 ? words.join('; ') : undefined
}

function endOf(pod: Pod | undefined): { reason: string; message: string } | undefined {
  const container = pod?.status?.containerStatuses?.[0]
  const ended = container?.state?.terminated ?? container?.lastState?.terminated
  if (!ended || ended.exitCode === 0) return undefined
  const said = ended.message?.trim().split('\n').at(-1)
  const message = missingProgram(container!, said) ?? said ?? ''
  return { reason: ended.reason ?? 'Error', message: message || `it ended with exit code ${ended.exitCode}` }
}

function startErrorOf(pod: Pod | undefined): { reason: string; message: string } | undefined {
  for (const container of [...(pod?.status?.initContainerStatuses ?? []), ...(pod?.status?.containerStatuses ?? [])]) {
    const told = container.state?.waiting?.message ?? container.lastState?.terminated?.message
    const message = missingProgram(container, told)
    if (message) return { reason: 'StartError', message }
  }
  return undefined
}

/** What a container runtime says at length. */
function missingProgram({ image }: ContainerStatus, told = ''): string | undefined {
  const [, program] = /exec: "([^"]+)": (?:executable file not found|stat .*no such file)/.exec(told) ?? []
  return program && `image ${image} has no program ${JSON.stringify(program)}`
}
