// Where pods go: a pure function from what is there to bindings and, for the others, what is missing.
import type { Node, Pod } from '../../gen/kubernetes-types.ts'
import { type Amounts, allocatableOf, describeAmount, ONE, requestsOf } from './requests.ts'

export interface Snapshot {
  nodes: readonly Node[]
  /** All pods of the cluster; those that have a node hold what they asked for until they end. */
  pods: readonly Pod[]
  /** Placements under way that `pods` does not show yet: uid → node. */
  assumed: ReadonlyMap<string, string>
  isOurs: (pod: Pod) => boolean
}

export interface Placement {
  bindings: Array<{ pod: Pod; node: string }>
  waiting: Array<{ pod: Pod; reason: string }>
}

interface Room {
  node: Node
  allocatable: Amounts
  free: Map<string, bigint>
}

export function placePods({ nodes, pods, assumed, isOurs }: Snapshot): Placement {
  const rooms = new Map(nodes.map((node) => [node.metadata?.name ?? '', roomOf(node)]))
  const holders = new Map<string, Map<string, bigint>>()
  const waiting: Pod[] = []
  for (const pod of pods) {
    if (hasEnded(pod)) continue
    const at = pod.spec?.nodeName ?? assumed.get(pod.metadata?.uid ?? '')
    if (at !== undefined) take(rooms.get(at), pod, holders)
    else if (isOurs(pod) && !pod.metadata?.deletionTimestamp && !pod.spec?.schedulingGates?.length) waiting.push(pod)
  }
  const placement: Placement = { bindings: [], waiting: [] }
  for (const pod of waiting.sort(byTurn)) {
    const wanted = requestsOf(pod)
    const room = [...rooms.values()].find((candidate) => accepts(candidate.node, pod) && fits(candidate, wanted))
    if (room) {
      take(room, pod, holders)
      placement.bindings.push({ pod, node: room.node.metadata?.name ?? '' })
    } else placement.waiting.push({ pod, reason: explain(pod, wanted, [...rooms.values()], holders) })
  }
  return placement
}

function roomOf(node: Node): Room {
  const allocatable = allocatableOf(node)
  return { node, allocatable, free: new Map(allocatable) }
}

function hasEnded(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
}

/** Higher priority first, then who has waited longer; names settle ties, so that the order never flickers. */
function byTurn(a: Pod, b: Pod): number {
  const created = (pod: Pod): string => pod.metadata?.creationTimestamp ?? ''
  return (
    (b.spec?.priority ?? 0) - (a.spec?.priority ?? 0) ||
    created(a).localeCompare(created(b)) ||
    (a.metadata?.name ?? '').localeCompare(b.metadata?.name ?? '')
  )
}

function take(room: Room | undefined, pod: Pod, holders: Map<string, Map<string, bigint>>): void {
  if (!room) return
  const job = pod.metadata?.ownerReferences?.find((owner) => owner.controller)?.name ?? pod.metadata?.name ?? ''
  const held = holders.get(job) ?? new Map<string, bigint>()
  holders.set(job, held)
  for (const [name, amount] of requestsOf(pod)) {
    room.free.set(name, (room.free.get(name) ?? 0n) - amount)
    held.set(name, (held.get(name) ?? 0n) + amount)
  }
}

function fits(room: Room, wanted: Amounts): boolean {
  return [...wanted].every(([name, amount]) => amount === 0n || amount <= (room.free.get(name) ?? 0n))
}

function accepts(node: Node, pod: Pod): boolean {
  if (node.spec?.unschedulable) return false
  if (!node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')) return false
  const labels = node.metadata?.labels ?? {}
  return Object.entries(pod.spec?.nodeSelector ?? {}).every(([name, value]) => labels[name] === value)
}

/** `needs 2 CPU, 1 of 8 free; sweep-3 holds 4, digits holds 3`. */
function explain(pod: Pod, wanted: Amounts, rooms: readonly Room[], holders: Map<string, Map<string, bigint>>): string {
  const candidates = rooms.filter((room) => accepts(room.node, pod))
  if (rooms.length === 0) return 'no node is there yet'
  if (candidates.length === 0) return `none of ${rooms.length} nodes matches its nodeSelector and is ready`
  const [room] = candidates as [Room]
  const short = [...wanted].find(([name, amount]) => amount > (room.free.get(name) ?? 0n))
  if (!short) return 'no node has room for it'
  const [name, amount] = short
  const all = room.allocatable.get(name) ?? 0n
  if (amount > all) return `needs ${describeAmount(name, amount)}, but the machine has ${count(name, all)} in all`
  const free = room.free.get(name) ?? 0n
  const held = [...holders]
    .map(([job, amounts]) => ({ job, amount: amounts.get(name) ?? 0n }))
    .filter((holder) => holder.amount > 0n)
    .sort((a, b) => Number(b.amount - a.amount))
    .slice(0, 2)
    .map(({ job, amount: taken }) => `${job} holds ${count(name, taken)}`)
  const who = held.length > 0 ? `; ${held.join(', ')}` : ''
  return `needs ${describeAmount(name, amount)}, ${count(name, free > 0n ? free : 0n)} of ${count(name, all)} free${who}`
}

function count(name: string, amount: bigint): string {
  return name === 'memory'
    ? describeAmount(name, amount).replace(' memory', '')
    : String(Number((amount * 100n) / ONE) / 100)
}
