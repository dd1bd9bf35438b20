// Where the objects lie that the scheduler looks after, besides pods.
import type { ConfigMap } from '../../../gen/kubernetes-types.ts'
import type { PodGroup, Queue } from '../../api/queue/queue-object.ts'
import type { KubeObject, Resource } from '../../kube/index.ts'

const scheduler = { group: 'scheduler.tensorstack.dev', version: 'v1beta1', namespaced: true }

export const POD_GROUPS: Resource<PodGroup> = { ...scheduler, plural: 'podgroups', kind: 'PodGroup' }
export const CONFIG_MAPS: Resource<ConfigMap & KubeObject> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
}
export const QUEUES: Resource<Queue> = { ...scheduler, plural: 'queues', kind: 'Queue' }
