// No node has room, or not all of them together have enough.
import { describeAmount, describeNumber, sumOf } from '../facts/amounts.ts'
import { fitGang, unseat } from '../place/fit.ts'
import type { Ground } from '../place/ground.ts'
import { neededOf } from '../place/needs.ts'
import { NO_QUEUE } from '../place/queue-book.ts'
import type { Gang } from '../place/roll.ts'
import { Rooms } from '../place/rooms.ts'
import type { PodFacts, QueueFacts, Waiting } from '../place/snapshot.ts'
import { describeNeed } from './describe-need.ts'
import { explainNoNode } from './explain-no-node.ts'
import type { Explanation } from './explain-wait.ts'
import { describeHolders } from './holders.ts'

export function explainRoom(ground: Ground, { group, pods }: Waiting): Explanation {
  const gang = { ...(ground.gangs.get(group.key) as Gang), waiting: [...pods] }
  const queue = gang.queue ?? NO_QUEUE
  const needed = neededOf(gang)
  const [first] = needed as [PodFacts]
  const { now } = ground
  const accepts = ground.accepts(first, queue)
  const candidates = now.nodes.flatMap((node, i) => (accepts(node) ? [i] : []))
  if (candidates.length === 0) return explainNoNode(ground, first, queue)

  const keptFor = isKeptFromIt(ground, gang, queue)
  if (keptFor !== undefined)
    return { reason: 'RoomReserved', message: `what is free is kept for ${keptFor}, which has waited longer` }
  const needs = [...sumOf(needed.map(({ requests }) => requests))].filter(([, amount]) => amount > 0)
  const whole = candidates.length === 1 ? 'the machine' : 'the cluster'
  const sum = (of: (node: number) => number): number => candidates.reduce((total, i) => total + Math.max(0, of(i)), 0)
  const all = (resource: string): number => sum((i) => now.nodes[i]!.allocatable.get(resource) ?? 0)
  for (const [resource, amount] of needs) {
    if (amount <= all(resource)) continue
    const message = `${describeNeed(needed.length, resource, amount)}, but ${whole} has ${describeNumber(resource, all(resource))} in all`
    return { reason: 'ClusterTooSmall', message }
  }
  for (const [resource, amount] of needs) {
    const free = sum((i) => now.free(i, resource))
    if (amount <= free) continue
    return {
      reason: 'InsufficientResources',
      message: `${describeNeed(needed.length, resource, amount)}, ${describeFree(needed.length, resource, free, all(resource))}${describeHolders(ground, resource)}`,
    }
  }
  return explainPacking(ground, gang, needed, candidates)
}

/** There would be room, were it not kept for another group. */
function isKeptFromIt(ground: Ground, gang: Gang, queue: QueueFacts): string | undefined {
  const { reserved } = ground
  if (!reserved || reserved.group.key === gang.group.key) return undefined
  ground.keep(reserved.seats, 'give')
  const seats = fitGang(ground, gang, queue, ground.now)
  if (seats) unseat(ground, seats, queue, ground.now)
  ground.keep(reserved.seats, 'take')
  return seats && reserved.group.name
}

function describeFree(pods: number, resource: string, free: number, all: number): string {
  const left = describeNumber(resource, free)
  const verb = pods === 1 ? '' : left === '1' ? 'is ' : 'are '
  return `${left} of ${describeNumber(resource, all)} ${verb}free`
}

/** Enough is free in all, but not where it would be needed. */
function explainPacking(
  ground: Ground,
  gang: Gang,
  needed: readonly PodFacts[],
  candidates: readonly number[],
): Explanation {
  const { now } = ground
  const queue = gang.queue ?? NO_QUEUE
  const each = needed.length === 1 ? 'needs' : `each of ${needed.length} pods needs`
  const most = (of: (node: number) => number): number => Math.max(...candidates.map(of))
  for (const pod of needed) {
    for (const [resource, amount] of pod.requests) {
      const largest = most((i) => now.nodes[i]!.allocatable.get(resource) ?? 0)
      const message = `${each} ${describeAmount(resource, amount)} on one node`
      if (amount > largest)
        return {
          reason: 'ClusterTooSmall',
          message: `${message}, but the largest has ${describeNumber(resource, largest)}`,
        }
      const free = most((i) => now.free(i, resource))
      if (amount <= free) continue
      const words = `${message}, at most ${describeNumber(resource, Math.max(0, free))} of ${describeNumber(resource, largest)} free on any of ${candidates.length}`
      return { reason: 'InsufficientResources', message: `${words}${describeHolders(ground, resource)}` }
    }
  }
  const empty = new Rooms(now.nodes)
  const seats = fitGang(ground, { ...gang, placed: [] }, { ...queue, quota: new Map() }, empty)
  if (seats) unseat(ground, seats, { ...queue, quota: new Map() }, empty)
  const count = `${needed.length} ${needed.length === 1 ? 'pod' : 'pods'}`
  return seats
    ? { reason: 'InsufficientResources', message: `no nodes have room for its ${count} at once` }
    : {
        reason: 'ClusterTooSmall',
        message: `its ${count} would not fit on ${candidates.length} nodes even if these were empty`,
      }
}
