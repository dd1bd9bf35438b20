// An elastic gang that has lost its leader, and finds no room for another, would run on without anywhere to meet. It
// goes on with fewer instead: what it can do without leaves, the highest rank first, until the leader has a seat.
import { fitGang } from './fit.ts'
import type { Ground, Seat } from './ground.ts'
import type { Gang } from './roll.ts'
import type { PodFacts, QueueFacts } from './snapshot.ts'

/** Undefined if it is not the leader that waits, or if all that could be spared is not enough. */
export function yieldToLeader(
  ground: Ground,
  gang: Gang,
  queue: QueueFacts,
): { seats: Seat[]; victims: PodFacts[] } | undefined {
  const { group, placed, waiting, succeeded } = gang
  const leader = waiting[0]
  // Those of it who are leaving already may be enough.
  if (!leader?.leads || group.roles.length > 0 || gang.leaving.length > 0) return undefined
  const spare = placed.length + succeeded.length + 1 - group.minMember
  const victims: PodFacts[] = []
  for (const pod of placed.toReversed().slice(0, Math.max(0, spare))) {
    move(ground, pod, queue, 'give')
    victims.push(pod)
    const left = { ...gang, placed: placed.slice(0, placed.length - victims.length), waiting: [leader] }
    const seats = fitGang(ground, left, queue, ground.later)
    // Until they have left, what they use is theirs.
    if (seats) {
      for (const victim of victims) ground.book.take(queue.name, victim.requests)
      return { seats, victims }
    }
  }
  for (const pod of victims) move(ground, pod, queue, 'take')
  return undefined
}

function move(ground: Ground, pod: PodFacts, queue: QueueFacts, how: 'give' | 'take'): void {
  const node = ground.later.indexOf(pod.node)
  if (node !== undefined) ground.later[how](node, ground.wantedBy(pod))
  ground.book[how](queue.name, pod.requests)
}
