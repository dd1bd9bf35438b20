// A job may name the queue `default` without anybody having made one: a new home has it, open to all.
import { DEFAULT_QUEUE, QUEUE_NAMESPACE } from '../../api/queue/queue-object.ts'
import { isAlreadyExists, type KubeClient, type KubeObject, NAMESPACES } from '../../kube/index.ts'
import { QUEUES } from '../../scheduler/facts/resources.ts'

/** Only together with its namespace: a queue that somebody has deleted stays deleted. */
export async function createFirstQueue(client: KubeClient): Promise<void> {
  const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: QUEUE_NAMESPACE } }
  try {
    await client.create(NAMESPACES, namespace)
  } catch (error) {
    if (isAlreadyExists(error)) return
    throw error
  }
  await client.create(QUEUES, {
    apiVersion: 'scheduler.tensorstack.dev/v1beta1',
    kind: 'Queue',
    metadata: { name: DEFAULT_QUEUE, namespace: QUEUE_NAMESPACE },
    spec: { namespaceSelector: {} },
  })
}
