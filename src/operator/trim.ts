// Of thousands of pods and nodes only what decisions read is kept.
import type { Node, Pod } from '../../gen/kubernetes-types.ts'
import { PEERS_ANNOTATION } from '../api/peers.ts'
import type { NodeState } from '../core/decision.ts'
import { type KubeObject, withoutManagedFields } from '../kube/index.ts'

export function trimPod(pod: Pod & KubeObject): Pod & KubeObject {
  const { managedFields: _, ...metadata } = pod.metadata
  const { [PEERS_ANNOTATION]: __, ...annotations } = metadata.annotations ?? {}
  metadata.annotations = annotations
  const spec = { nodeName: pod.spec?.nodeName, containers: pod.spec?.containers.map(({ name }) => ({ name })) ?? [] }
  return { apiVersion: pod.apiVersion, kind: pod.kind, metadata, spec, status: pod.status }
}

/** The spec is what we wrote ourselves, or what somebody changed: neither is looked at again. */
export function trimService<T extends KubeObject>(service: T): T {
  const { apiVersion, kind, metadata } = withoutManagedFields(service)
  return { apiVersion, kind, metadata } as T
}

export function trimNode(node: Node & KubeObject): Node & KubeObject {
  const { name, uid, resourceVersion } = node.metadata
  const ready = node.status?.conditions?.filter(({ type }) => type === 'Ready')
  const taints = node.spec?.taints?.filter(({ key }) => key === OUT_OF_SERVICE)
  const kept = { name, uid, resourceVersion }
  return {
    apiVersion: node.apiVersion,
    kind: node.kind,
    metadata: kept,
    spec: { taints },
    status: { conditions: ready },
  }
}

const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service'

export function nodeStateOf(node: Node): NodeState {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')
  return {
    // A node that says nothing about itself is not held to be broken.
    ready: ready === undefined || ready.status === 'True',
    outOfService: node.spec?.taints?.some(({ key }) => key === OUT_OF_SERVICE) ?? false,
  }
}
