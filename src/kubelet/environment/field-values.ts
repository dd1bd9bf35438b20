// The pod's own fields and resources, as fieldRef and resourceFieldRef name them.
import { availableParallelism, totalmem } from 'node:os'
import type { Container, Pod, ResourceFieldSelector } from '../../../gen/kubernetes-types.ts'
import { parseQuantity } from '../../api/quantity.ts'
import { CannotStart } from '../process/find-program.ts'

export const podIP = '127.0.0.1'
const badReference = 128

export function fieldValue(pod: Pod, path: string): string {
  const { metadata = {}, spec } = pod
  const keyed = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path)
  if (keyed) return metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2]!] ?? ''
  switch (path) {
    case 'metadata.name':
      return metadata.name ?? ''
    case 'metadata.namespace':
      return metadata.namespace ?? ''
    case 'metadata.uid':
      return metadata.uid ?? ''
    case 'metadata.labels':
      return formatMap(metadata.labels)
    case 'metadata.annotations':
      return formatMap(metadata.annotations)
    case 'spec.nodeName':
      return spec?.nodeName ?? ''
    case 'spec.serviceAccountName':
      return spec?.serviceAccountName ?? 'default'
    case 'status.hostIP':
    case 'status.hostIPs':
    case 'status.podIP':
    case 'status.podIPs':
      return podIP
    default:
      throw new CannotStart(`field ${path} cannot be referred to`, badReference)
  }
}

export function resourceValue(pod: Pod, container: Container, selector: ResourceFieldSelector): string {
  const wanted = selector.containerName
  const all = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])]
  const target = wanted ? all.find(({ name }) => name === wanted) : container
  const match = /^(limits|requests)\.(.+)$/.exec(selector.resource)
  if (!target || !match) throw new CannotStart(`resource ${selector.resource} cannot be referred to`, badReference)
  const [, kind, resource] = match as unknown as [string, 'limits' | 'requests', string]
  const { limits, requests } = target.resources ?? {}
  // What is not limited may use the whole machine; a request that is not made is its limit.
  const quantity =
    kind === 'limits'
      ? (limits?.[resource] ?? ofMachine(resource))
      : (requests?.[resource] ?? limits?.[resource] ?? '0')
  const amount = parseQuantity(String(quantity))?.nano ?? 0n
  const divisor = parseQuantity(String(selector.divisor || '1'))?.nano || parseQuantity('1')!.nano
  // Rounded up, as Kubernetes does.
  return String((amount + divisor - 1n) / divisor)
}

function ofMachine(resource: string): string {
  if (resource === 'cpu') return String(availableParallelism())
  return resource === 'memory' ? String(totalmem()) : '0'
}

/** One `key="value"` per line, in order, as the downward API writes maps. */
function formatMap(map: Record<string, string> | undefined): string {
  return Object.entries(map ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n')
}
