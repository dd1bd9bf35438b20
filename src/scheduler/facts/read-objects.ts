// Nodes, queues and groups as the placement sees them.
import type { Node } from '../../../gen/kubernetes-types.ts'
import { DEFAULT_QUEUE, type PodGroup, type Queue, quotaOf } from '../../api/queue/queue-object.ts'
import { fromTimestamp } from '../../lib/time.ts'
import type { GroupFacts, NodeFacts, QueueFacts } from '../place/snapshot.ts'
import { allocatableOf, amountsOf } from './amounts.ts'
import { parseDuration } from './duration.ts'
import type { Profiles } from './resource-shapes.ts'

export function readNode(node: Node): NodeFacts {
  const ready = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
  return {
    name: node.metadata?.name ?? '',
    allocatable: allocatableOf(node),
    labels: node.metadata?.labels ?? {},
    usable: ready && !node.spec?.unschedulable && !node.metadata?.deletionTimestamp,
    taints: (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute'),
  }
}

export function readGroup({ metadata, spec, status }: PodGroup): GroupFacts {
  const { name = '', namespace = 'default' } = metadata
  return {
    key: `${namespace}/${name}`,
    name,
    namespace,
    queue: spec?.queue || DEFAULT_QUEUE,
    priority: spec?.priority ?? 0,
    minMember: spec?.minMember ?? 0,
    roles: (spec?.roles ?? []).map((role) => ({ name: role.name, minMember: role.minMember ?? 0 })),
    createdAt: fromTimestamp(metadata.creationTimestamp) ?? 0,
    whole: status?.conditions?.some(({ type, status: is }) => type === 'GroupScheduled' && is === 'True') ?? false,
  }
}

/** A profile that is not there limits nothing, as on T9k. */
export function readQueue(queue: Queue, profiles: Profiles = new Map()): QueueFacts {
  const { metadata, spec = {} } = queue
  const profile = spec.resourceShapeProfile ?? ''
  const rules = profiles.get(profile)
  return {
    name: metadata.name ?? '',
    namespace: metadata.namespace ?? '',
    priority: spec.priority ?? 0,
    quota: amountsOf(quotaOf(queue)),
    preemptible: spec.preemptible ?? true,
    closed: (spec.closed ?? false) || metadata.deletionTimestamp !== undefined,
    maxDuration: parseDuration(spec.maxDuration),
    nodeSelector: spec.nodeSelector,
    namespaceSelector: spec.namespaceSelector,
    ...(rules && { shapes: { profile, rules } }),
  }
}
