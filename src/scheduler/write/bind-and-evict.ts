// The two deeds of a placement: a pod is given to a node, or is told to leave it.
import type { KubeClient } from '../../kube/index.ts'
import { PODS } from '../../kube/index.ts'
import { toTimestamp } from '../../lib/time.ts'
import type { Binding, Eviction, PodFacts } from '../place/snapshot.ts'

export async function bindPod(client: KubeClient, { pod, node }: Binding, signal: AbortSignal): Promise<void> {
  const { namespace, name, uid } = pod
  const body = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, namespace, uid },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  }
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/binding`
  await client.raw({ method: 'POST', path, body, signal })
}

/** Says why before it is done, so that the pod's owner knows that nothing was wrong with it. */
export async function evictPod(client: KubeClient, eviction: Eviction, signal: AbortSignal): Promise<void> {
  const { namespace, name, uid } = eviction.pod
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: describeEviction(eviction),
    lastTransitionTime: toTimestamp(Math.floor(Date.now() / 1000) * 1000),
  }
  const body = { metadata: { uid }, status: { conditions: [condition] } }
  await client.patch(PODS, { namespace, name }, { type: 'strategic', body }, { subresource: 'status', signal })
  await client.delete(PODS, { namespace, name }, { uid, signal })
}

export function describeEviction({ pod, reason, by }: Eviction): string {
  const whom = by.queue === undefined ? by.name : `${by.name} of queue ${by.queue}`
  if (reason === 'Preempted') return `removed to make room for ${whom}, which goes first`
  return isOwn(pod, by.key)
    ? 'removed because there is no room for those of its group that it cannot do without'
    : `removed because its group was waiting for room, and so was ${whom}, which goes first`
}

function isOwn(pod: PodFacts, group: string): boolean {
  return pod.group === group
}
