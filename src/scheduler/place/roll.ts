// Who is in which group, and how many of whom a group needs before any of its pods may start.
import type { GroupFacts, Hold, PodFacts, QueueFacts } from './snapshot.ts'

export interface Gang {
  group: GroupFacts
  /** Undefined: there is no such queue. */
  queue: QueueFacts | undefined
  /** In the order in which they are to be placed. */
  waiting: PodFacts[]
  /** On a node, and to stay there. */
  placed: PodFacts[]
  /** On a node, and being removed. */
  leaving: PodFacts[]
  succeeded: PodFacts[]
}

/** Some of its pods are on nodes, others are missing there that it cannot do without. */
export function isHalfPlaced(gang: Gang): boolean {
  return gang.placed.length > 0 && gang.waiting.length > 0 && lackOf(gang, gang.placed) !== undefined
}

/** What the group would lack if these of its pods were on nodes; those that have succeeded have had their turn. */
export function lackOf({ group, succeeded }: Gang, onNodes: readonly PodFacts[]): Lack | undefined {
  const there = [...onNodes, ...succeeded]
  if (there.length < group.minMember) return { have: there.length, want: group.minMember }
  for (const { name, minMember } of group.roles) {
    const have = there.reduce((sum, pod) => sum + (pod.role === name ? 1 : 0), 0)
    if (have < minMember) return { have, want: minMember, role: name }
  }
  return undefined
}

interface Lack {
  have: number
  want: number
  role?: string
}

/**
 * Whether the pods placed now are enough. Of a group that has run before, pods may be missing that will never come back;
 * all of those that are there have to be placed then.
 */
export function isEnough(gang: Gang, placedNow: readonly PodFacts[]): boolean {
  if (lackOf(gang, [...gang.placed, ...placedNow]) === undefined) return true
  return isUnderWay(gang) && placedNow.length === gang.waiting.length
}

/** Too few pods exist for the group ever to start. */
export function missingMembers(gang: Gang): (Hold & { reason: 'NotEnoughMembers' }) | undefined {
  const lack = isUnderWay(gang) ? undefined : lackOf(gang, [...gang.placed, ...gang.waiting])
  return lack && { reason: 'NotEnoughMembers', ...lack }
}

/** It was whole once, and part of it still runs. */
function isUnderWay({ group, placed }: Gang): boolean {
  return group.whole && placed.length > 0
}

/** At most so many may be missed before the rest cannot be enough. */
export function mayMiss(gang: Gang): number {
  const all = gang.placed.length + gang.succeeded.length + gang.waiting.length
  return Math.max(0, all - gang.group.minMember)
}

/**
 * Roles that are needed first, then whoever leads, then by rank, so that what is more than enough is what comes last. Not
 * by age: whoever replaces one that was lost is young, and the others may not be able to do without it.
 */
export function inPlacingOrder({ group }: Gang, pods: readonly PodFacts[]): PodFacts[] {
  const needed = new Map(group.roles.filter(({ minMember }) => minMember > 0).map(({ name }, i) => [name, i]))
  const rank = (pod: PodFacts): number => needed.get(pod.role) ?? needed.size
  return [...pods].sort((a, b) => rank(a) - rank(b) || leading(a) - leading(b) || compareNames(a.name, b.name))
}

const leading = ({ leads }: PodFacts): number => (leads ? 0 : 1)

/** `worker-2` before `worker-10`. */
export function compareNames(a: string, b: string): number {
  if (a.length !== b.length && a.replace(/\d+$/, '') === b.replace(/\d+$/, '')) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}
