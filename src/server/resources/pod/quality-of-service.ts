import type { PodSpec } from '../../../../gen/kubernetes-types.ts'
import { parseQuantity } from '../../../api/quantity.ts'

const COUNTED = ['cpu', 'memory']

/** Guaranteed: every container has equal requests and limits for both; BestEffort: nobody asks for anything. */
export function decideQualityOfService(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])]
  const amount = (value: string | number | undefined): bigint => parseQuantity(String(value ?? '0'))?.nano ?? 0n
  let asks = false
  let guaranteed = true
  for (const { resources } of containers) {
    for (const name of COUNTED) {
      const request = amount(resources?.requests?.[name])
      const limit = amount(resources?.limits?.[name])
      if (request > 0n || limit > 0n) asks = true
      if (limit === 0n || (request > 0n && request !== limit)) guaranteed = false
    }
  }
  if (!asks) return 'BestEffort'
  return guaranteed ? 'Guaranteed' : 'Burstable'
}
