// Who has to leave for a gang of a queue of higher priority: the lowest priorities first, as few as possible, and of a
// gang either what it can do without or all of it.
import { groupBy } from '../../lib/group-by.ts'
import { fitGang, unseat } from './fit.ts'
import type { Ground, Seat } from './ground.ts'
import type { Gang } from './roll.ts'
import type { PodFacts, QueueFacts } from './snapshot.ts'

/** Pods that leave together. */
interface Unit {
  gang: Gang
  pods: readonly PodFacts[]
  /** Without these the gang cannot go on. */
  rest: boolean
}

interface Room {
  seats: Seat[]
  gone: Unit[]
}

/** So many are tried one by one before several leave at once. */
const TRIED_ALONE = 64

/** All that could ever be taken from somebody, the first to go first. */
export class Victims {
  readonly #ground: Ground
  #units: Unit[] | undefined

  constructor(ground: Ground) {
    this.#ground = ground
  }

  /** Makes room for the gang; undefined if even all who may be sent away do not suffice. */
  makeRoom(gang: Gang, queue: QueueFacts): { seats: Seat[]; victims: PodFacts[] } | undefined {
    const room = this.#findRoom(gang, queue)
    if (!room) return undefined
    for (const unit of room.gone) this.#units!.splice(this.#units!.indexOf(unit), 1)
    return { seats: room.seats, victims: room.gone.flatMap(({ pods }) => pods) }
  }

  /** Nobody of a higher priority leaves where those of a lower one suffice. */
  #findRoom(gang: Gang, queue: QueueFacts): Room | undefined {
    const classes = groupBy(this.#below(queue.priority), priorityOf)
    const gone: Unit[] = []
    for (const units of classes.values()) {
      const room = this.#oneAlone(gang, queue, units) ?? this.#several(gang, queue, units, gone)
      if (room) return room
    }
    for (const unit of gone) this.#move(unit, 'take')
    return undefined
  }

  /** The smallest that suffices by itself, by what it holds and not by how many it is: least work is interrupted then. */
  #oneAlone(gang: Gang, queue: QueueFacts, units: readonly Unit[]): Room | undefined {
    const bySize = units.filter((unit) => isWhole(unit)).sort((a, b) => sizeOf(a) - sizeOf(b))
    for (const unit of bySize.slice(0, TRIED_ALONE)) {
      this.#move(unit, 'give')
      const seats = fitGang(this.#ground, gang, queue, this.#ground.later)
      if (seats) return { seats, gone: [unit] }
      this.#move(unit, 'take')
    }
    return undefined
  }

  #several(gang: Gang, queue: QueueFacts, units: readonly Unit[], gone: Unit[]): Room | undefined {
    for (let next = 0, step = 1; next < units.length; next += step, step *= 2) {
      for (const unit of units.slice(next, next + step)) {
        this.#move(unit, 'give')
        gone.push(unit)
      }
      const seats = fitGang(this.#ground, gang, queue, this.#ground.later)
      if (seats) return this.#spare(gang, queue, gone, seats)
    }
    return undefined
  }

  /** The last to go stay if it works without their going. */
  #spare(gang: Gang, queue: QueueFacts, gone: readonly Unit[], first: Seat[]): Room {
    const ground = this.#ground
    const spared = new Set<Unit>()
    let seats = first
    for (const unit of [...gone].reverse()) {
      // Sparing what a gang can do without while all the rest of it goes would help nobody.
      if (!unit.rest && gone.some((other) => other.gang === unit.gang && other.rest && !spared.has(other))) continue
      unseat(ground, seats, queue, ground.later)
      this.#move(unit, 'take')
      const still = fitGang(ground, gang, queue, ground.later)
      if (still) spared.add(unit)
      else this.#move(unit, 'give')
      seats = still ?? fitGang(ground, gang, queue, ground.later) ?? seats
    }
    return { seats, gone: gone.filter((unit) => !spared.has(unit)) }
  }

  #move({ pods }: Unit, how: 'give' | 'take'): void {
    const { later } = this.#ground
    for (const pod of pods) {
      const node = later.indexOf(pod.node)
      if (node !== undefined) later[how](node, this.#ground.wantedBy(pod))
    }
  }

  #below(priority: number): Unit[] {
    this.#units ??= unitsOf(this.#ground)
    return this.#units.filter(({ gang }) => gang.queue!.priority < priority)
  }
}

const priorityOf = ({ gang }: Unit): string => `${gang.queue!.priority}/${gang.group.priority}`

/** It can leave without anybody else of its gang having to. */
function isWhole({ gang, pods, rest }: Unit): boolean {
  return !rest || pods.length === gang.placed.length
}

/** What it takes away from the nodes, roughly. */
function sizeOf({ pods }: Unit): number {
  return pods.reduce((sum, { requests }) => sum + (requests.get('cpu') ?? 0) / 1000 + specialOf(requests), 0)
}

function specialOf(requests: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const [name, amount] of requests)
    if (!['cpu', 'memory', 'pods'].includes(name) && !name.endsWith('storage')) sum += amount * 100
  return sum
}

function unitsOf(ground: Ground): Unit[] {
  const gangs = [...ground.gangs.values()].filter(({ queue, placed }) => queue?.preemptible && placed.length > 0)
  const shares = new Map(gangs.map((gang) => [gang, ground.book.dominantShare(gang.queue!)]))
  gangs.sort(
    (a, b) =>
      a.queue!.priority - b.queue!.priority ||
      a.group.priority - b.group.priority ||
      shares.get(b)! - shares.get(a)! ||
      b.group.createdAt - a.group.createdAt ||
      (a.group.key < b.group.key ? 1 : -1),
  )
  return gangs.flatMap(splitUp)
}

/** What is more than the gang needs goes one by one, the highest rank first; then all the rest. */
function splitUp(gang: Gang): Unit[] {
  const { group, placed, succeeded } = gang
  const spare = group.roles.length > 0 ? 0 : Math.max(0, placed.length + succeeded.length - group.minMember)
  const kept = placed.slice(0, placed.length - Math.min(spare, placed.length))
  const extras = placed.slice(kept.length).reverse()
  const units = extras.map((pod) => ({ gang, pods: [pod], rest: false }))
  return kept.length > 0 ? [...units, { gang, pods: kept, rest: true }] : units
}
