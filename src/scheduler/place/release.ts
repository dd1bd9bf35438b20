// Gangs of which a part is placed while the rest finds no room hold what they cannot use, and two of them can wait for
// each other for ever. The one further back in the line gives its room up.
import { fitGang, unseat } from './fit.ts'
import type { Ground } from './ground.ts'
import type { Gang } from './roll.ts'
import type { Eviction, PodFacts } from './snapshot.ts'

/** `stuck`: in the order of the line. */
export function decideReleases(ground: Ground, stuck: readonly Gang[]): Eviction[] {
  const [first, ...others] = stuck
  if (first === undefined) return []
  const yielding: Gang[] = []
  for (const other of others.reverse()) {
    for (const pod of other.placed) move(ground, pod, 'give')
    yielding.push(other)
    const seats = fitGang(ground, first, first.queue!, ground.later)
    if (!seats) continue
    unseat(ground, seats, first.queue!, ground.later)
    return yielding.flatMap(({ placed }) =>
      placed.map((pod) => ({ pod, reason: 'Released' as const, by: first.group })),
    )
  }
  for (const gang of yielding) for (const pod of gang.placed) move(ground, pod, 'take')
  // Nobody can be helped by another's going; who never was whole has no business on a node.
  return stuck
    .filter(({ group }) => !group.whole)
    .flatMap(({ group, placed }) => placed.map((pod) => ({ pod, reason: 'Released' as const, by: group })))
}

function move(ground: Ground, pod: PodFacts, how: 'give' | 'take'): void {
  const node = ground.later.indexOf(pod.node)
  if (node !== undefined) ground.later[how](node, ground.wantedBy(pod))
}
