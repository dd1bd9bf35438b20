// Queues and pod groups as they stand in the API, and which queue a name means.
import type { KubeObject } from '../types.ts'

type Quantities = Record<string, string | number>

export interface LabelSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: ReadonlyArray<{ key: string; operator: string; values?: readonly string[] }>
}

export interface SchedulingCondition {
  type: string
  status: 'True' | 'False'
  reason: string
  message: string
  lastTransitionTime: string
  transitionID?: string
}

export interface PodCounts {
  pending: number
  running: number
  succeeded: number
  failed: number
  unknown: number
}

export interface PodGroupStatus extends Partial<PodCounts> {
  conditions?: SchedulingCondition[]
  allocated?: Record<string, string>
}

export interface PodGroup extends KubeObject {
  spec?: {
    minMember?: number
    roles?: Array<{ name: string; minMember?: number }>
    queue?: string
    priority?: number
  }
  status?: PodGroupStatus
}

export interface QueueStatus {
  conditions?: SchedulingCondition[]
  allocated?: Record<string, string>
  podGroups?: { total: number }
  pods?: PodCounts
}

export interface Queue extends KubeObject {
  spec?: {
    quota?: { requests?: Quantities }
    requests?: Quantities
    priority?: number
    preemptible?: boolean
    closed?: boolean
    maxDuration?: string
    resourceShapeProfile?: string
    nodeSelector?: LabelSelector
    namespaceSelector?: LabelSelector
  }
  status?: QueueStatus
}

/** Where the queues of a cluster are kept; one in another namespace counts too, if its name is free. */
export const QUEUE_NAMESPACE = 't9k-system'
export const DEFAULT_QUEUE = 'default'

/** The older place means the same. */
export function quotaOf({ spec }: Queue): Quantities {
  return spec?.quota?.requests ?? spec?.requests ?? {}
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
