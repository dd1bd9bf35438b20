// Whether there is room for a gang, all of it that it needs at once, and where.
import { sumOf } from '../facts/amounts.ts'
import type { Ground, Seat } from './ground.ts'
import { neededOf } from './needs.ts'
import { type Gang, isEnough, mayMiss } from './roll.ts'
import type { Rooms } from './rooms.ts'
import type { Hold, PodFacts, QueueFacts } from './snapshot.ts'

/** Takes the seats it finds in `rooms` and in the queue's book, or nothing at all. */
export function fitGang(ground: Ground, gang: Gang, queue: QueueFacts, rooms: Rooms): Seat[] | undefined {
  const seats: Seat[] = []
  const full = new Set<string>()
  let missed = 0
  const limit = mayMiss(gang)
  for (const pod of gang.waiting) {
    const seat = full.has(pod.shape) ? undefined : seatFor(ground, pod, queue, rooms)
    if (seat) seats.push(seat)
    else {
      full.add(pod.shape)
      if (++missed > limit) break
    }
  }
  if (
    seats.length > 0 &&
    missed <= limit &&
    isEnough(
      gang,
      seats.map(({ pod }) => pod),
    )
  )
    return seats
  unseat(ground, seats, queue, rooms)
  return undefined
}

export function unseat(ground: Ground, seats: readonly Seat[], queue: QueueFacts, rooms: Rooms): void {
  for (const { pod, node } of seats) {
    rooms.give(node, ground.wantedBy(pod))
    ground.book.give(queue.name, pod.requests)
  }
}

function seatFor(ground: Ground, pod: PodFacts, queue: QueueFacts, rooms: Rooms) {
  if (ground.book.exceededBy(queue, pod.requests)) return undefined
  const wanted = ground.wantedBy(pod)
  const node = rooms.find(wanted, ground.accepts(pod, queue))
  if (node === undefined) return undefined
  rooms.take(node, wanted)
  ground.book.take(queue.name, pod.requests)
  return { pod, node }
}

export function quotaHold(
  ground: Ground,
  gang: Gang,
  queue: QueueFacts,
): (Hold & { reason: 'QuotaExceeded' }) | undefined {
  if (queue.quota.size === 0) return undefined
  const needs = sumOf(neededOf(gang).map(({ requests }) => requests))
  const hold = ground.book.exceededBy(queue, needs)
  if (hold === undefined) return undefined
  // What its own pods already hold belongs to what it needs in all.
  const own = sumOf(gang.placed.map(({ requests }) => requests)).get(hold.resource) ?? 0
  return { ...hold, ever: hold.needs + own > hold.quota }
}
