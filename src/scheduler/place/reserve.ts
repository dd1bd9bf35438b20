// A large gang would wait for ever if small ones took whatever becomes free. Once it has waited long enough, nodes are
// kept for it: nobody behind it in the line is put there until it has started.
import { fitGang, unseat } from './fit.ts'
import type { Ground } from './ground.ts'
import type { Gang } from './roll.ts'
import { Rooms } from './rooms.ts'
import type { QueueFacts } from './snapshot.ts'

/** Keeps nodes for the gang; false if it has not waited long enough, or would not fit if everybody else were gone. */
export function reserveNodes(ground: Ground, gang: Gang, queue: QueueFacts): boolean {
  const { now, patience, nodes } = ground.snapshot
  if (now - gang.group.createdAt < patience) return false
  // Always the same nodes as long as the cluster is the same, or they would never become empty.
  const empty = new Rooms(nodes)
  for (const pod of gang.placed) {
    const node = empty.indexOf(pod.node)
    if (node !== undefined) empty.take(node, empty.wantedBy(pod.shape, pod.requests))
  }
  const seats = fitGang(ground, gang, queue, empty)
  if (!seats) return false
  unseat(ground, seats, queue, empty)
  for (const { node } of seats) {
    ground.now.block(node)
    ground.later.block(node)
  }
  return true
}
