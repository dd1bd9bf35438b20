// The queues of a cluster, by the names that jobs know them by, and who is in them.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { DEFAULT_QUEUE, type PodGroup, pickQueues, type Queue } from '../../api/queue/queue-object.ts'
import { isNotFound, type KubeClient, type KubeObject, PODS, type Resource } from '../../kube/index.ts'
import { fromTimestamp, type Instant } from '../../lib/time.ts'
import { Declined } from '../job-commands/declined.ts'

const scheduler = { group: 'scheduler.tensorstack.dev', version: 'v1beta1', namespaced: true }
export const QUEUES: Resource<Queue> = { ...scheduler, plural: 'queues', kind: 'Queue' }
const POD_GROUPS: Resource<PodGroup> = { ...scheduler, plural: 'podgroups', kind: 'PodGroup' }

const GROUP_LABEL = 'scheduler.tensorstack.dev/group-name'
const QUEUE_LABEL = 'scheduler.tensorstack.dev/queue'

export async function listQueues(client: KubeClient): Promise<Queue[]> {
  try {
    return [...pickQueues((await client.list(QUEUES)).items).values()].sort(byName)
  } catch (error) {
    if (isNotFound(error)) throw new Declined("the cluster has no queues: T9k's scheduler is not installed there")
    throw error
  }
}

export async function findQueue(client: KubeClient, name: string): Promise<Queue> {
  const all = await listQueues(client)
  const found = all.find(({ metadata }) => metadata.name === name)
  if (found) return found
  const names = all.map(({ metadata }) => metadata.name)
  const there = names.length === 0 ? 'there are none' : `there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`
  throw new Declined(`no queue "${name}"; ${there}`)
}

/** A group of pods, or a pod by itself, in a queue. */
export interface Member {
  name: string
  namespace: string
  priority: number
  pods: number
  /** Why it waits; undefined once it has been placed. */
  waits?: string
  createdAt: Instant
}

/** In the order of their turns. */
export async function listMembers(client: KubeClient, queue: string): Promise<Member[]> {
  const [groups, pods] = await Promise.all([client.list(POD_GROUPS), client.list(PODS, { labelSelector: QUEUE_LABEL })])
  const alone = pods.items.filter(
    ({ metadata: { labels = {} } }) => labels[QUEUE_LABEL] === queue && !labels[GROUP_LABEL],
  )
  const members = [
    ...groups.items.filter(({ spec }) => (spec?.queue || DEFAULT_QUEUE) === queue).flatMap(memberOfGroup),
    ...alone.flatMap(memberOfPod),
  ]
  return members.sort((a, b) => b.priority - a.priority || a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1))
}

function memberOfGroup({ metadata, spec, status }: PodGroup): Member[] {
  const { pending = 0, running = 0, unknown = 0 } = status ?? {}
  const scheduled = status?.conditions?.find(({ type }) => type === 'GroupScheduled')
  const placed = scheduled?.status === 'True'
  // All its pods have ended: it is in the queue by name only.
  if (placed && pending + running + unknown === 0) return []
  const { minMember = 0, priority = 0 } = spec ?? {}
  const pods = Math.max(pending + running + unknown, placed ? 0 : minMember)
  return [
    { ...identityOf(metadata), priority, pods, ...(!placed && { waits: scheduled?.message ?? 'not looked at yet' }) },
  ]
}

function memberOfPod({ metadata, spec, status }: Pod & KubeObject): Member[] {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return []
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled')
  const waits = spec?.nodeName ? undefined : (scheduled?.message ?? 'not looked at yet')
  return [{ ...identityOf(metadata), priority: spec?.priority ?? 0, pods: 1, ...(waits !== undefined && { waits }) }]
}

function identityOf({ name = '', namespace = '', creationTimestamp }: KubeObject['metadata']) {
  return { name, namespace, createdAt: fromTimestamp(creationTimestamp) ?? 0 }
}

function byName({ metadata: a }: Queue, { metadata: b }: Queue): number {
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1
}
