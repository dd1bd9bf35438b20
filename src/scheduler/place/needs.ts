// What a gang cannot do without.
import { type Gang, mayMiss } from './roll.ts'
import type { PodFacts } from './snapshot.ts'

/** The first of its pods, in the order of placing. */
export function neededOf(gang: Gang): PodFacts[] {
  return gang.waiting.slice(0, Math.max(1, gang.waiting.length - mayMiss(gang)))
}
