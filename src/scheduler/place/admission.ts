// Whether a group may be served at all, whatever is free.
import { selects } from '../facts/label-selector.ts'
import type { Gang } from './roll.ts'
import { missingMembers } from './roll.ts'
import { sizeHold } from './size-limit.ts'
import type { Hold, QueueFacts, Snapshot } from './snapshot.ts'

export function admissionHold(snapshot: Snapshot, gang: Gang): Hold | undefined {
  const { queue, group } = gang
  if (queue === undefined) return { reason: 'QueueNotFound' }
  if (queue.closed) return { reason: 'QueueClosed' }
  if (!mayUse(snapshot, queue, group.namespace, group.queue)) return { reason: 'NamespaceNotAllowed' }
  return sizeHold(gang, queue) ?? missingMembers(gang)
}

function mayUse(snapshot: Snapshot, queue: QueueFacts, namespace: string, asked: string | undefined): boolean {
  if (asked === undefined) return true
  if (queue.namespaceSelector === undefined) return snapshot.openWithoutSelector
  return selects(queue.namespaceSelector, snapshot.namespaces.get(namespace) ?? {})
}
