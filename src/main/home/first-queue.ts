// A job may name the queue `default` without anybody having made one: a new home has it, open to all.
import { DEFAULT_QUEUE, QUEUE_NAMESPACE } from '../../api/queue/queue-object.ts'
import { isAlreadyExists, isNotFound, type KubeClient, type KubeObject, NAMESPACES } from '../../kube/index.ts'
import { QUEUES } from '../../scheduler/facts/resources.ts'

/** On the namespace of the queues once the first one has been made: if somebody deletes it, it stays deleted. */
const MADE = 'trainyard.dev/first-queue'

export async function createFirstQueue(client: KubeClient): Promise<void> {
  const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: QUEUE_NAMESPACE } }
  const there = await client.get(NAMESPACES, { name: QUEUE_NAMESPACE }).catch((error) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  if (there?.metadata.annotations?.[MADE] !== undefined) return
  if (!there) await client.create(NAMESPACES, namespace)
  await createUnlessThere(client)
  const body = { metadata: { annotations: { [MADE]: DEFAULT_QUEUE } } }
  await client.patch(NAMESPACES, { name: QUEUE_NAMESPACE }, { type: 'merge', body })
}

async function createUnlessThere(client: KubeClient): Promise<void> {
  const metadata = { name: DEFAULT_QUEUE, namespace: QUEUE_NAMESPACE }
  const queue = { apiVersion: 'scheduler.tensorstack.dev/v1beta1', kind: 'Queue', metadata }
  try {
    await client.create(QUEUES, { ...queue, spec: { namespaceSelector: {} } })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
