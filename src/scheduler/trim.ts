// Of thousands of pods only what is looked at is kept.
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { KubeObject } from '../kube/index.ts'

export function trimPod({ apiVersion, kind, metadata, spec, status }: Pod & KubeObject): Pod & KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels, ownerReferences } =
    metadata
  const shaped = (containers: NonNullable<Pod['spec']>['containers'] = []) =>
    containers.map(({ name: container, resources }) => ({ name: container, resources }))
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels, ownerReferences },
    spec: {
      nodeName: spec?.nodeName,
      nodeSelector: spec?.nodeSelector,
      tolerations: spec?.tolerations,
      affinity: spec?.affinity?.nodeAffinity && { nodeAffinity: spec.affinity.nodeAffinity },
      schedulerName: spec?.schedulerName,
      schedulingGates: spec?.schedulingGates,
      priority: spec?.priority,
      containers: shaped(spec?.containers),
      initContainers: shaped(spec?.initContainers),
    },
    status: { phase: status?.phase, conditions: status?.conditions?.filter(({ type }) => type === 'PodScheduled') },
  }
}
