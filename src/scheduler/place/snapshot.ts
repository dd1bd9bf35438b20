// What a placement is decided from, and what it decides. Plain values: no clock, no API.
import type { LabelSelector } from '../../api/queue/queue-object.ts'
import type { Instant } from '../../lib/time.ts'
import type { Amounts } from '../facts/amounts.ts'
import type { Labels } from '../facts/label-selector.ts'

export interface NodeFacts {
  name: string
  allocatable: Amounts
  labels: Labels
  /** Ready, and not closed to new pods. */
  usable: boolean
  /** Those that keep pods away. */
  taints?: readonly NodeTaint[]
}

export interface NodeTaint {
  key: string
  value?: string
  effect: string
}

interface Requirement {
  key: string
  operator: string
  values?: readonly string[]
}

/** The most that one pod may ask for. */
export interface SizeRule {
  requests: Amounts
  limits: Amounts
}

export interface QueueFacts {
  name: string
  namespace: string
  priority: number
  /** Resources that are not named are not limited. */
  quota: Amounts
  preemptible: boolean
  closed: boolean
  nodeSelector?: LabelSelector
  namespaceSelector?: LabelSelector
  /** In milliseconds. */
  maxDuration?: number
  /** How large a single pod may be. */
  shapes?: { profile: string; rules: readonly SizeRule[] }
}

export interface GroupFacts {
  /** `namespace/name`, and for a pod without a group something that no name can be. */
  key: string
  name: string
  namespace: string
  /** Undefined: a pod that asked for no queue. */
  queue: string | undefined
  priority: number
  minMember: number
  roles: ReadonlyArray<{ name: string; minMember: number }>
  createdAt: Instant
  /** All it needs was placed at once before. */
  whole: boolean
}

export interface PodFacts {
  uid: string
  name: string
  namespace: string
  /** The key of its group. */
  group: string
  /** The queue it names itself: its use is counted there also when its group is gone. */
  queue: string | undefined
  role: string
  /** The job's first replica, where the others meet. */
  leads?: boolean
  requests: Amounts
  /** The same for pods that ask for the same. */
  shape: string
  nodeSelector: Labels
  /** Required node affinity: one of these must match. */
  affinity?: ReadonlyArray<{ matchExpressions?: readonly Requirement[]; matchFields?: readonly Requirement[] }>
  tolerations?: ReadonlyArray<{ key?: string; operator?: string; value?: string; effect?: string }>
  /** Where there are any. */
  limits?: Amounts
  /** `requests.cpu`, `limits.memory` and the like, where a container does not say it. */
  undeclared?: readonly string[]
  /** `waiting` has no node, `placed` and `leaving` have one; of those that ended only success counts, as a member. */
  state: 'waiting' | 'placed' | 'leaving' | 'succeeded'
  node?: string
  createdAt: Instant
  /** Whom to name as the holder of what it has: its job, or itself. */
  holder: string
}

export interface Snapshot {
  nodes: readonly NodeFacts[]
  /** One of each name. */
  queues: readonly QueueFacts[]
  groups: readonly GroupFacts[]
  pods: readonly PodFacts[]
  namespaces: ReadonlyMap<string, Labels>
  /** Whether a queue without namespaceSelector is open to all namespaces, or to none. */
  openWithoutSelector: boolean
  now: Instant
  /** After how many milliseconds a group that found no room has some kept for it. */
  patience: number
}

export interface Binding {
  pod: PodFacts
  node: string
}

export interface Eviction {
  pod: PodFacts
  /** Preempted: for a queue of higher priority. Released: it held what it could not use. */
  reason: 'Preempted' | 'Released'
  /** The group that gets the room. */
  by: GroupFacts
}

/** Why a group waits; what it needs and what is free is found out when somebody wants to know. */
export type Hold =
  | { reason: 'GroupNotFound' }
  | { reason: 'QueueNotFound' }
  | { reason: 'QueueClosed' }
  | { reason: 'NamespaceNotAllowed' }
  /** `needs` is absent where a container would have to say what it needs and does not. */
  | {
      reason: 'ShapeExceeded'
      profile: string
      what: 'requests' | 'limits'
      resource: string
      most: number
      needs?: number
    }
  | { reason: 'NotEnoughMembers'; have: number; want: number; role?: string }
  /** `ever`: even if nobody else used anything. */
  | { reason: 'QuotaExceeded'; resource: string; needs: number; used: number; quota: number; ever: boolean }
  | { reason: 'InsufficientResources' }
  /** There will be room as soon as others have left. */
  | { reason: 'WaitingForRoom'; leaving: number }

export interface Waiting {
  group: GroupFacts
  pods: readonly PodFacts[]
  hold: Hold
  /** From 1, among the groups of its queue that wait. */
  position: number
  of: number
  /** Those before it, the nearest last. */
  ahead: readonly string[]
  /** How many groups of queues of higher priority wait for room too. */
  above: number
}
