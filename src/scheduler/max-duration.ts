// Whose time in a queue is over. Age counts from a pod's creation, whether it runs or waits: that is how T9k counts.
import type { Instant } from '../lib/time.ts'
import type { PodFacts, Snapshot } from './place/snapshot.ts'

export interface Overdue {
  pods: PodFacts[]
  /** When the next one will be. */
  next?: Instant
}

export function findOverdue({ queues, groups, pods, now }: Snapshot): Overdue {
  const limits = new Map(queues.flatMap(({ name, maxDuration }) => (maxDuration ? [[name, maxDuration] as const] : [])))
  const overdue: Overdue = { pods: [] }
  if (limits.size === 0) return overdue
  const queueOf = new Map(groups.map(({ key, queue }) => [key, queue]))
  for (const pod of pods) {
    const limit = limits.get(queueOf.get(pod.group) ?? pod.queue ?? '')
    if (limit === undefined || (pod.state !== 'placed' && pod.state !== 'waiting')) continue
    const at = pod.createdAt + limit
    if (at <= now) overdue.pods.push(pod)
    else overdue.next = Math.min(overdue.next ?? at, at)
  }
  return overdue
}
