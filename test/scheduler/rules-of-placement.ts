// What must be true of a placement, found out without the placement's own means.
import { expect } from 'vitest'
import { decidePlacement, type Placement } from '../../src/scheduler/place/decide-placement.ts'
import type { NodeFacts, PodFacts, QueueFacts, Snapshot } from '../../src/scheduler/place/snapshot.ts'
import { explainWait } from '../../src/scheduler/words/explain-wait.ts'

export function isTheSameAgain(before: Snapshot, placement: Placement): void {
  const reversed = {
    ...before,
    pods: [...before.pods].reverse(),
    groups: [...before.groups].reverse(),
    nodes: [...before.nodes].reverse(),
  }
  const { ground: _, ...again } = decidePlacement(reversed)
  const { ground: __, ...first } = placement
  expect(again).toEqual(first)
}

const holds = ({ state }: PodFacts): boolean => state === 'placed' || state === 'leaving'
const sum = (pods: readonly PodFacts[], resource: string): number =>
  pods.reduce((total, pod) => total + (pod.requests.get(resource) ?? 0), 0)

export function keepsQuotas({ queues, pods }: Snapshot, { bindings }: Placement): void {
  for (const { name, quota } of queues) {
    for (const [resource, most] of quota) {
      const added = sum(
        bindings.filter(({ pod }) => pod.queue === name).map(({ pod }) => pod),
        resource,
      )
      const used = sum(
        pods.filter((pod) => pod.queue === name && holds(pod)),
        resource,
      )
      if (added > 0) expect(used + added).toBeLessThanOrEqual(most)
    }
  }
}

export function keepsNodes({ nodes, pods }: Snapshot, { bindings }: Placement): void {
  for (const { name, allocatable } of nodes) {
    const all = [
      ...pods.filter((pod) => pod.node === name && holds(pod)),
      ...bindings.filter((b) => b.node === name).map(({ pod }) => pod),
    ]
    for (const [resource, amount] of allocatable) expect(sum(all, resource)).toBeLessThanOrEqual(amount)
  }
}

export function leavesNoPieces({ groups, pods }: Snapshot, { bindings, evictions }: Placement): void {
  for (const { key, minMember, whole } of groups) {
    const own = pods.filter((pod) => pod.group === key)
    const placed = own.filter(({ state }) => state === 'placed')
    const bound = bindings.filter(({ pod }) => pod.group === key).length
    if (bound > 0 && placed.length + bound < minMember) {
      // Only of one that ran before and lost members that nobody has made anew.
      expect(whole && placed.length > 0 && bound === own.filter(({ state }) => state === 'waiting').length).toBe(true)
    }
    const gone = evictions.filter(({ pod }) => pod.group === key).length
    const left = placed.length - gone
    if (gone > 0 && placed.length >= minMember) expect(left === 0 || left >= minMember).toBe(true)
  }
}

export function preemptsDownwards({ queues, groups, pods }: Snapshot, { evictions }: Placement): void {
  const queueOf = (name: string | undefined): QueueFacts => queues.find((queue) => queue.name === name)!
  for (const { pod, reason, by } of evictions) {
    expect(pod.state).toBe('placed')
    const victim = queueOf(pod.queue)
    if (reason === 'Preempted') {
      expect(victim.preemptible).toBe(true)
      expect(victim.priority).toBeLessThan(queueOf(by.queue).priority)
    } else {
      const group = groups.find(({ key }) => key === pod.group)!
      const placed = pods.filter((each) => each.group === pod.group && each.state === 'placed').length
      expect(placed).toBeLessThan(group.minMember)
    }
  }
}

/** The first in the line is placed if there is room for it; nobody with room left for it waits for want of room. */
export function servesWhoeverFits(before: Snapshot, { bindings, waiting, evictions }: Placement): void {
  const after = before.pods.map((pod): PodFacts => {
    const node = bindings.find((binding) => binding.pod === pod)?.node
    return node === undefined ? pod : { ...pod, node, state: 'placed' }
  })
  // Room that is held for those for whom others leave is not to be had.
  const held = evictions.length > 0 || waiting.some(({ hold }) => hold.reason === 'WaitingForRoom')
  for (const { group, pods, hold } of waiting) {
    if (held || hold.reason !== 'InsufficientResources') continue
    const own = after.filter((pod) => pod.group === group.key && pod.state === 'placed').length
    const needed = Math.max(1, Math.min(pods.length, group.minMember - own))
    expect(seatsFor(pods[0]!, before.nodes, after)).toBeLessThan(needed)
  }
  const [first] = [...before.groups]
    .filter((group) => isAdmitted(before, group.key))
    .sort((a, b) => compareTurns(before, a.key, b.key))
  const own = before.pods.filter((pod) => pod.group === first?.key)
  const waits = own.filter(({ state }) => state === 'waiting')
  if (!first || own.length !== waits.length || waits.length < first.minMember) return
  const queue = before.queues.find(({ name }) => name === first.queue)!
  const inQuota = [...queue.quota].every(([resource, most]) => {
    const used = sum(
      before.pods.filter((pod) => pod.queue === first.queue && holds(pod)),
      resource,
    )
    return used + sum(waits.slice(0, first.minMember), resource) <= most
  })
  const seats = seatsFor(waits[0]!, before.nodes, before.pods)
  if (inQuota && seats >= first.minMember) expect(bindings.some(({ pod }) => pod.group === first.key)).toBe(true)
}

/** How many pods like this one would find room. */
function seatsFor(pod: PodFacts, nodes: readonly NodeFacts[], pods: readonly PodFacts[]): number {
  return nodes.reduce((total, { name, allocatable, usable }) => {
    if (!usable) return total
    const here = pods.filter((each) => each.node === name && holds(each))
    const seats = [...pod.requests].map(([resource, amount]) => {
      const free = (allocatable.get(resource) ?? 0) - sum(here, resource)
      return amount === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(free / amount))
    })
    return total + Math.min(...seats)
  }, 0)
}

function isAdmitted({ groups, queues, pods }: Snapshot, key: string): boolean {
  const group = groups.find((each) => each.key === key)!
  const waits = pods.some((pod) => pod.group === key && pod.state === 'waiting')
  return waits && !queues.find(({ name }) => name === group.queue)!.closed
}

function compareTurns({ groups, queues, pods, nodes }: Snapshot, one: string, other: string): number {
  const of = (key: string) => {
    const group = groups.find((each) => each.key === key)!
    const queue = queues.find(({ name }) => name === group.queue)!
    const own = pods.filter((pod) => pod.group === key && pod.state === 'placed').length
    const used = pods.filter((pod) => pod.queue === queue.name && holds(pod))
    const measure =
      queue.quota.size > 0
        ? [...queue.quota]
        : ['pods', 'cpu', 'gpu'].map((r): [string, number] => [
            r,
            nodes.reduce((t, n) => t + (n.usable ? n.allocatable.get(r)! : 0), 0),
          ])
    const share = Math.max(0, ...measure.filter(([r]) => sum(used, r) > 0).map(([r, all]) => sum(used, r) / all))
    return { group, queue, share, half: Number(own > 0 && own < group.minMember) }
  }
  const [a, b] = [of(one), of(other)]
  return (
    b.queue.priority - a.queue.priority ||
    a.share - b.share ||
    a.queue.name.localeCompare(b.queue.name) ||
    b.half - a.half ||
    b.group.priority - a.group.priority ||
    a.group.createdAt - b.group.createdAt
  )
}

export function saysWhy({ waiting, ground }: Placement): void {
  for (const each of waiting) expect(explainWait(ground, each).message).toMatch(/^\S.*\S$/)
}
