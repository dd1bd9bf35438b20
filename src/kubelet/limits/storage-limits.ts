// How much disk a pod may take, and what is said when it takes more: in the words of Kubernetes. Pure.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { formatQuantity, parseQuantity, type Quantity } from '../../api/quantity.ts'

export interface StorageLimits {
  /** Of emptyDir volumes that have one. */
  volumes: Map<string, Quantity>
  /** What the pod may take in all, where one of its containers says how much. */
  pod?: Quantity
}

export interface StorageUse {
  /** Bytes in each emptyDir volume. */
  volumes: ReadonlyMap<string, number>
  /** Bytes in its working directory, logs and volumes that are not in memory. */
  pod: number
}

const nano = 1_000_000_000n
const ephemeral = 'ephemeral-storage'

/** Undefined where nothing is limited. */
export function storageLimitsOf(pod: Pod): StorageLimits | undefined {
  const volumes = new Map<string, Quantity>()
  for (const { name, emptyDir } of pod.spec?.volumes ?? []) {
    const limit = readLimit(emptyDir?.sizeLimit)
    if (limit) volumes.set(name, limit)
  }
  const each = (pod.spec?.containers ?? []).flatMap(({ resources }) => readLimit(resources?.limits?.[ephemeral]) ?? [])
  const [first] = each
  const whole = first && { nano: each.reduce((sum, limit) => sum + limit.nano, 0n), format: first.format }
  return volumes.size > 0 || whole ? { volumes, ...(whole && { pod: whole }) } : undefined
}

/** Why the pod has to go; undefined while it may stay. */
export function decideEviction(limits: StorageLimits, use: StorageUse): string | undefined {
  for (const [name, limit] of limits.volumes)
    if (exceeds(use.volumes.get(name) ?? 0, limit))
      return `Usage of EmptyDir volume ${JSON.stringify(name)} exceeds the limit ${JSON.stringify(formatQuantity(limit))}.`
  if (limits.pod && exceeds(use.pod, limits.pod))
    return `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(limits.pod)}.`
  return undefined
}

const exceeds = (bytes: number, limit: Quantity): boolean => BigInt(bytes) * nano > limit.nano

function readLimit(text: string | number | undefined): Quantity | undefined {
  const quantity = text === undefined ? undefined : parseQuantity(String(text))
  // A limit of nothing is no limit.
  return quantity && quantity.nano > 0n ? quantity : undefined
}
