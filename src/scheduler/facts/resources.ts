// Where the objects lie that the scheduler looks after, besides pods.
import type { PodGroup, Queue } from '../../api/queue/queue-object.ts'
import type { Resource } from '../../kube/index.ts'

const scheduler = { group: 'scheduler.tensorstack.dev', version: 'v1beta1', namespaced: true }

export const POD_GROUPS: Resource<PodGroup> = { ...scheduler, plural: 'podgroups', kind: 'PodGroup' }
export const QUEUES: Resource<Queue> = { ...scheduler, plural: 'queues', kind: 'Queue' }
