// Nodes, queues and groups as the placement sees them.
import type { Node } from '../../../gen/kubernetes-types.ts'
import { fromTimestamp } from '../../lib/time.ts'
import type { GroupFacts, NodeFacts, QueueFacts } from '../place/snapshot.ts'
import { allocatableOf, amountsOf } from './amounts.ts'
import { parseDuration } from './duration.ts'
import type { PodGroup, Queue } from './kinds.ts'
import { DEFAULT_QUEUE, QUEUE_NAMESPACE } from './labels.ts'

export function readNode(node: Node): NodeFacts {
  const ready = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
  return {
    name: node.metadata?.name ?? '',
    allocatable: allocatableOf(node),
    labels: node.metadata?.labels ?? {},
    usable: ready && !node.spec?.unschedulable && !node.metadata?.deletionTimestamp,
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

export function readQueue({ metadata, spec = {} }: Queue): QueueFacts {
  return {
    name: metadata.name ?? '',
    namespace: metadata.namespace ?? '',
    priority: spec.priority ?? 0,
    quota: amountsOf(spec.quota?.requests ?? spec.requests ?? {}),
    preemptible: spec.preemptible ?? true,
    closed: (spec.closed ?? false) || metadata.deletionTimestamp !== undefined,
    maxDuration: parseDuration(spec.maxDuration),
    nodeSelector: spec.nodeSelector,
    namespaceSelector: spec.namespaceSelector,
  }
}

/** Of queues of the same name one counts: the one in the scheduler's own namespace, else the oldest. */
export function pickQueues(queues: readonly Queue[]): Map<string, Queue> {
  const picked = new Map<string, Queue>()
  for (const queue of [...queues].sort(byStanding)) {
    const { name = '' } = queue.metadata
    if (!picked.has(name)) picked.set(name, queue)
  }
  return picked
}

function byStanding({ metadata: a }: Queue, { metadata: b }: Queue): number {
  const own = Number(b.namespace === QUEUE_NAMESPACE) - Number(a.namespace === QUEUE_NAMESPACE)
  const [born, other] = [a.creationTimestamp ?? '', b.creationTimestamp ?? '']
  if (own !== 0 || born !== other) return own || (born < other ? -1 : 1)
  return (a.namespace ?? '') < (b.namespace ?? '') ? -1 : 1
}
