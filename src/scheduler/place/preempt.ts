// Who has to leave for a gang of a queue of higher priority: as few as possible, the lowest priorities first, and of a
// gang either what it can do without or all of it.
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

/** All that could ever be taken from somebody, the first to go first. */
export class Victims {
  readonly #ground: Ground
  #units: Unit[] | undefined

  constructor(ground: Ground) {
    this.#ground = ground
  }

  /** Makes room for the gang; undefined if even all who may be sent away do not suffice. */
  makeRoom(gang: Gang, queue: QueueFacts): { seats: Seat[]; victims: PodFacts[] } | undefined {
    const candidates = this.#below(queue.priority)
    const gone: Unit[] = []
    let seats: Seat[] | undefined
    for (let next = 0, step = 1; next < candidates.length && !seats; step *= 2) {
      for (const unit of candidates.slice(next, next + step)) {
        this.#move(unit, 'give')
        gone.push(unit)
      }
      next += step
      seats = fitGang(this.#ground, gang, queue, this.#ground.later)
    }
    if (seats === undefined) {
      for (const unit of gone) this.#move(unit, 'take')
      return undefined
    }
    const { spared, seats: final } = this.#spare(gang, queue, gone, seats)
    const leaving = gone.filter((unit) => !spared.has(unit))
    for (const unit of leaving) this.#units!.splice(this.#units!.indexOf(unit), 1)
    return { seats: final, victims: leaving.flatMap(({ pods }) => pods) }
  }

  /** The last to go stay if it works without their going. */
  #spare(gang: Gang, queue: QueueFacts, gone: readonly Unit[], first: Seat[]): { spared: Set<Unit>; seats: Seat[] } {
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
    return { spared, seats }
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

function unitsOf(ground: Ground): Unit[] {
  const gangs = [...ground.gangs.values()].filter(({ queue, placed }) => queue?.preemptible && placed.length > 0)
  const share = (gang: Gang): number => ground.book.dominantShare(gang.queue!)
  const shares = new Map(gangs.map((gang) => [gang, share(gang)]))
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
