import { sameJson } from '../../lib/json.ts'
import type { Api } from '../api.ts'
import { trackUpdate } from '../apply/track.ts'
import { parseObject, timestamp } from '../object.ts'
import { writeObject } from '../verbs/update.ts'

export interface Taint {
  key: string
  effect: string
  timeAdded?: string
}

interface NodeSpec {
  taints?: Taint[]
  unschedulable?: boolean
}

/** Condition, its status, and the taint that tells of it. */
const BY_CONDITION: ReadonlyArray<[type: string, status: string, key: string]> = [
  ['Ready', 'False', 'node.kubernetes.io/not-ready'],
  ['Ready', 'Unknown', 'node.kubernetes.io/unreachable'],
  ['MemoryPressure', 'True', 'node.kubernetes.io/memory-pressure'],
  ['DiskPressure', 'True', 'node.kubernetes.io/disk-pressure'],
  ['NetworkUnavailable', 'True', 'node.kubernetes.io/network-unavailable'],
  ['PIDPressure', 'True', 'node.kubernetes.io/pid-pressure'],
]
const CORDONED = 'node.kubernetes.io/unschedulable'
const OURS = new Set([...BY_CONDITION.map(([, , key]) => key), CORDONED])

/** A node's taints follow its conditions; those that people have set stay. */
export function settleTaints(api: Api, name: string): boolean {
  const resource = api.registry.find('', 'v1', 'nodes')
  const row = api.store.get({ resource: 'nodes', namespace: '', name })
  if (!resource || !row) return true
  const node = parseObject(row.body)
  const spec = (node.spec ?? {}) as NodeSpec
  const { conditions = [] } = (node.status ?? {}) as { conditions?: Array<{ type: string; status: string }> }
  const wanted = BY_CONDITION.filter(([type, status]) =>
    conditions.some((condition) => condition.type === type && condition.status === status),
  ).map(([, , key]) => key)
  if (spec.unschedulable) wanted.push(CORDONED)
  const present = spec.taints ?? []
  const isOurs = (taint: Taint): boolean => OURS.has(taint.key) && taint.effect === 'NoSchedule'
  const kept = present.filter((taint) => !isOurs(taint) || wanted.includes(taint.key))
  const added = wanted
    .filter((key) => !present.some((taint) => taint.key === key && isOurs(taint)))
    .map((key): Taint => ({ key, effect: 'NoSchedule', timeAdded: timestamp(api.now()) }))
  const taints = [...kept, ...added]
  if (sameJson(taints, present)) return true
  const { taints: _before, ...rest } = spec
  const next = { ...node, metadata: { ...node.metadata }, spec: taints.length > 0 ? { ...rest, taints } : rest }
  trackUpdate(resource, node, next, { manager: 'kube-controller-manager', subresource: undefined, now: api.now() })
  writeObject(api, resource, { namespace: '', name }, next)
  return true
}
