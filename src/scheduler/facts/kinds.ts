// The objects the scheduler looks after, besides pods.
import type { KubeObject, Resource } from '../../kube/index.ts'
import type { LabelSelector } from './label-selector.ts'

type Quantities = Record<string, string | number>

export interface Condition {
  type: string
  status: 'True' | 'False'
  reason: string
  message: string
  lastTransitionTime: string
  transitionID?: string
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

export interface PodGroupStatus {
  conditions?: Condition[]
  allocated?: Record<string, string>
  pending?: number
  running?: number
  succeeded?: number
  failed?: number
  unknown?: number
}

export interface Queue extends KubeObject {
  spec?: {
    quota?: { requests?: Quantities }
    requests?: Quantities
    priority?: number
    preemptible?: boolean
    closed?: boolean
    maxDuration?: string
    nodeSelector?: LabelSelector
    namespaceSelector?: LabelSelector
  }
  status?: QueueStatus
}

export interface QueueStatus {
  conditions?: Condition[]
  allocated?: Record<string, string>
  podGroups?: { total: number }
  pods?: { pending: number; running: number; succeeded: number; failed: number; unknown: number }
}

const scheduler = { group: 'scheduler.tensorstack.dev', version: 'v1beta1', namespaced: true }

export const POD_GROUPS: Resource<PodGroup> = { ...scheduler, plural: 'podgroups', kind: 'PodGroup' }
export const QUEUES: Resource<Queue> = { ...scheduler, plural: 'queues', kind: 'Queue' }
