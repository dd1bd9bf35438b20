// One look at the cluster: which pods go where, who has to leave, and why the others wait. Pure: the same snapshot gives
// the same placement.
import { groupBy } from '../../lib/group-by.ts'
import type { Instant } from '../../lib/time.ts'
import { admissionHold } from './admission.ts'
import { fitGang, quotaHold } from './fit.ts'
import { Ground, type Seat } from './ground.ts'
import { byTurnInQueue, Line } from './line.ts'
import { Victims } from './preempt.ts'
import { decideReleases } from './release.ts'
import { reserveSeats, reservesAt } from './reserve.ts'
import { type Gang, isHalfPlaced } from './roll.ts'
import type { Binding, Eviction, Hold, PodFacts, QueueFacts, Snapshot, Waiting } from './snapshot.ts'
import { yieldToLeader } from './yield-to-leader.ts'

export interface Placement {
  bindings: Binding[]
  evictions: Eviction[]
  /** In the order of the line; those who may not stand in it come last. */
  waiting: Waiting[]
  /** When the next group has waited so long that room is kept for it. */
  wakeAt?: Instant
  /** What is left after all this: for whoever wants to know why somebody waits. */
  ground: Ground
}

export function decidePlacement(snapshot: Snapshot): Placement {
  const ground = new Ground(snapshot)
  return new Placing(ground).decide()
}

const NO_ROOM: Hold = { reason: 'InsufficientResources' }

interface Held {
  gang: Gang
  pods: readonly PodFacts[]
  hold: Hold
}

class Placing {
  readonly #ground: Ground
  readonly #victims: Victims
  readonly #bindings: Binding[] = []
  readonly #evictions: Eviction[] = []
  readonly #held: Held[] = []
  readonly #stuck: Gang[] = []
  #wakeAt: Instant | undefined

  constructor(ground: Ground) {
    this.#ground = ground
    this.#victims = new Victims(ground)
  }

  decide(): Placement {
    const { book, gangs } = this.#ground
    const refused: Held[] = []
    const admitted: Gang[] = []
    for (const gang of gangs.values()) {
      if (gang.waiting.length === 0) continue
      const hold = admissionHold(this.#ground.snapshot, gang)
      if (hold) refused.push({ gang, pods: gang.waiting, hold })
      else admitted.push(gang)
    }
    const lanes = groupBy(admitted.sort(byTurnInQueue), (gang) => gang.queue!)
    const line = new Line(lanes, book)
    for (let gang = line.next(); gang; gang = line.next()) this.#serve(gang, gang.queue!)
    this.#evictions.push(...decideReleases(this.#ground, this.#stuck))
    this.#held.push(...refused.sort((a, b) => byTurnInQueue(a.gang, b.gang)), ...this.#withoutGroup())
    const deeds = { bindings: this.#bindings, evictions: this.#evictions }
    return { ...deeds, waiting: this.#number(), wakeAt: this.#wakeAt, ground: this.#ground }
  }

  #serve(gang: Gang, queue: QueueFacts): void {
    const reason = this.#seat(gang, queue)
    if (reason) {
      this.#held.push({ gang, pods: gang.waiting, hold: reason })
      return
    }
    const bound = new Set(this.#bindings.slice(-gang.waiting.length).map(({ pod }) => pod))
    const left = gang.waiting.filter((pod) => !bound.has(pod))
    if (left.length === 0) return
    // From here on it is a gang that runs and would like to have more.
    const rest = { ...gang, waiting: left, placed: [...gang.placed, ...bound] }
    this.#ground.gangs.set(gang.group.key, rest)
    const hold = quotaHold(this.#ground, rest, queue) ?? NO_ROOM
    this.#held.push({ gang: rest, pods: left, hold })
  }

  #seat(gang: Gang, queue: QueueFacts): Hold | undefined {
    const ground = this.#ground
    const make = makeOf(gang, queue)
    const quota = quotaHold(ground, gang, queue)
    if (quota) return this.#yield(gang, queue) ?? quota
    if (make !== undefined && ground.hopeless.has(make)) return NO_ROOM
    const found = fitGang(ground, gang, queue, ground.now)
    if (found) {
      ground.mirror(found, ground.now)
      this.#bindings.push(...found.map(({ pod, node }) => ({ pod, node: ground.now.nodes[node]!.name })))
      return undefined
    }
    const soon = ground.leaving > 0 ? fitGang(ground, gang, queue, ground.later) : undefined
    if (soon) return this.#wait(soon)
    const made = this.#victims.makeRoom(gang, queue)
    if (made) {
      this.#evictions.push(...made.victims.map((pod) => ({ pod, reason: 'Preempted' as const, by: gang.group })))
      ground.leaving += made.victims.length
      return this.#wait(made.seats)
    }
    const yielded = this.#yield(gang, queue)
    if (yielded) return yielded
    if (isHalfPlaced(gang)) this.#stuck.push(gang)
    if (make !== undefined) ground.hopeless.add(make)
    this.#keepRoom(gang, queue)
    return NO_ROOM
  }

  #keepRoom(gang: Gang, queue: QueueFacts): void {
    const ground = this.#ground
    if (ground.reserved) return
    const at = reservesAt(ground, gang)
    if (at > ground.snapshot.now) {
      this.#wakeAt = Math.min(this.#wakeAt ?? at, at)
      return
    }
    const seats = reserveSeats(ground, gang, queue)
    if (!seats) return
    ground.keep(seats, 'take')
    ground.reserved = { group: gang.group, seats }
  }

  #yield(gang: Gang, queue: QueueFacts): Hold | undefined {
    const made = yieldToLeader(this.#ground, gang, queue)
    if (!made) return undefined
    this.#evictions.push(...made.victims.map((pod) => ({ pod, reason: 'Released' as const, by: gang.group })))
    this.#ground.leaving += made.victims.length
    return this.#wait(made.seats)
  }

  /** Its seats are held for it until those who are leaving have left. */
  #wait(seats: readonly Seat[]): Hold {
    this.#ground.mirror(seats, this.#ground.later)
    return { reason: 'WaitingForRoom', leaving: this.#ground.leaving }
  }

  /** Pods whose group nobody has made. */
  #withoutGroup(): Held[] {
    const { snapshot, gangs } = this.#ground
    const orphans = snapshot.pods.filter((pod) => pod.state === 'waiting' && !gangs.has(pod.group))
    return [...groupBy(orphans, ({ group }) => group)].map(([key, pods]) => {
      const [{ namespace, queue, createdAt }] = pods as [PodFacts]
      const name = key.slice(key.indexOf('/') + 1)
      const group = { key, name, namespace, queue, priority: 0, minMember: 1, roles: [], createdAt, whole: false }
      const gang = { group, queue: undefined, waiting: pods, placed: [], leaving: [], succeeded: [] }
      return { gang, pods, hold: { reason: 'GroupNotFound' as const } }
    })
  }

  #number(): Waiting[] {
    const byQueue = groupBy(this.#held, ({ gang }) => gang.group.queue)
    const places = new Map<Gang, Omit<Waiting, 'group' | 'pods' | 'hold'>>()
    const waitsForRoom = ({ hold }: Held): boolean => hold === NO_ROOM || hold.reason === 'WaitingForRoom'
    const inClasses = [...groupBy(this.#held.filter(waitsForRoom), ({ gang }) => gang.queue?.priority ?? 0)]
    const above = (queue: QueueFacts | undefined): number =>
      inClasses.reduce((sum, [priority, held]) => sum + (priority > (queue?.priority ?? 0) ? held.length : 0), 0)
    for (const held of byQueue.values()) {
      const inTurn = [...held].sort((a, b) => byTurnInQueue(a.gang, b.gang))
      const names = inTurn.map(({ gang }) => gang.group.name)
      for (const [i, { gang }] of inTurn.entries()) {
        const ahead = names.slice(Math.max(0, i - 3), i)
        places.set(gang, { position: i + 1, of: inTurn.length, ahead, above: above(gang.queue) })
      }
    }
    return this.#held.map(({ gang, pods, hold }) => ({ group: gang.group, pods, hold, ...places.get(gang)! }))
  }
}

/** The same for gangs of which the second cannot fit if the first did not. */
function makeOf({ group, waiting, placed, succeeded }: Gang, queue: QueueFacts): string | undefined {
  const shape = waiting[0]?.shape
  if (placed.length > 0 || succeeded.length > 0 || group.roles.length > 0) return undefined
  if (waiting.some((pod) => pod.shape !== shape)) return undefined
  return `${queue.name}/${group.minMember}/${waiting.length}/${shape}`
}
