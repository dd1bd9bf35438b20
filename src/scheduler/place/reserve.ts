// A large gang would wait for ever if small ones took whatever becomes free. Once it has waited long enough, room is kept
// for it: nobody behind it in the line is put there until it has started.
import type { Instant } from '../../lib/time.ts'
import { sumOf } from '../facts/amounts.ts'
import type { Ground, Seat } from './ground.ts'
import { neededOf } from './needs.ts'
import type { Gang } from './roll.ts'
import { Rooms } from './rooms.ts'
import type { QueueFacts } from './snapshot.ts'

/** What has to be emptied for it stands idle meanwhile: who needs all of the cluster waits for this many times longer. */
const WHOLE_CLUSTER = 4

/** When room is to be kept for a gang that found none. */
export function reservesAt({ snapshot, cluster }: Ground, gang: Gang): Instant {
  let part = 0
  for (const [resource, amount] of sumOf(neededOf(gang).map(({ requests }) => requests))) {
    if (amount > 0) part = Math.max(part, Math.min(1, amount / (cluster.get(resource) ?? 0)))
  }
  return gang.group.createdAt + snapshot.patience * (1 + (WHOLE_CLUSTER - 1) * part)
}

/** Seats for all it needs, as if everybody else were gone; undefined if there are none. */
export function reserveSeats(ground: Ground, gang: Gang, queue: QueueFacts): Seat[] | undefined {
  const needed = neededOf(gang)
  const empty = new Rooms(ground.now.nodes)
  for (const pod of gang.placed) {
    const node = empty.indexOf(pod.node)
    if (node !== undefined) empty.take(node, ground.wantedBy(pod))
  }
  const seats: Seat[] = []
  // What is emptiest now will be so the next time too, since nobody else is let in: the choice stays the same.
  const order = emptiestFirst(ground, gang)
  for (const pod of needed) {
    const wanted = ground.wantedBy(pod)
    const accepts = ground.accepts(pod, queue)
    const node = order.find((i) => accepts(empty.nodes[i]!) && empty.hasRoom(i, wanted))
    if (node === undefined) return undefined
    empty.take(node, wanted)
    seats.push({ pod, node })
  }
  return seats
}

function emptiestFirst({ now }: Ground, { waiting }: Gang): number[] {
  const resource = scarcest(waiting[0]!.requests)
  const free = now.nodes.map((_, i) => now.free(i, resource))
  return now.nodes.map((_, i) => i).sort((a, b) => free[b]! - free[a]! || a - b)
}

/** What only few nodes have, where it is asked for; else the CPU. */
function scarcest(requests: ReadonlyMap<string, number>): string {
  const special = [...requests].find(([name, amount]) => amount > 0 && !['cpu', 'memory', 'pods'].includes(name))
  return special?.[0] ?? 'cpu'
}
