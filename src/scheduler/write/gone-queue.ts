// Whose queue is deleted while they run are told what that means for them; those who wait hear it from the next look.
import type { EventRecorder } from '../../kube/index.ts'
import { groupKey, type View } from '../view.ts'
import { holdsRoom } from './pod-counts.ts'

export function tellOfGoneQueue(view: View, events: EventRecorder, name: string): void {
  const message = `queue ${name} was deleted: what runs goes on, nothing new is placed`
  for (const group of view.groups.cache.by('queue', name)) {
    if (!view.podsOfGroup(groupKey(group)).some(holdsRoom)) continue
    events.record(group, { type: 'Warning', reason: 'QueueDeleted', message })
  }
}
