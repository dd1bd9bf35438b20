// Who has what others wait for, the largest first.
import { describeNumber } from '../facts/amounts.ts'
import type { Ground } from '../place/ground.ts'
import type { PodFacts } from '../place/snapshot.ts'

const NAMED = 2

/** `; sweep-3 holds 4, digits holds 3`, or nothing. */
export function describeHolders(ground: Ground, resource: string, queue?: string): string {
  const held = new Map<string, number>()
  for (const pod of ground.snapshot.pods) {
    if (pod.state !== 'placed' && pod.state !== 'leaving') continue
    if (queue !== undefined && queueOf(ground, pod) !== queue) continue
    const amount = pod.requests.get(resource) ?? 0
    if (amount > 0) held.set(pod.holder, (held.get(pod.holder) ?? 0) + amount)
  }
  const largest = [...held].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, NAMED)
  return largest.length === 0
    ? ''
    : `; ${largest.map(([name, amount]) => `${name} holds ${describeNumber(resource, amount)}`).join(', ')}`
}

function queueOf(ground: Ground, pod: PodFacts): string | undefined {
  return ground.gangs.get(pod.group)?.group.queue ?? pod.queue
}
