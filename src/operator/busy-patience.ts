import type { Patience } from './execute.ts'

export interface OperatorPatience extends Patience {
  /** What has succeeded, for the other replicas to end, in milliseconds. */
  end: number
  /** News of pods and Services, for more of it. */
  parts: number
}

/** So many jobs with something to store double the patience, up to so many times. */
const WAITING_FOR_TWICE = 25
const MOST = { news: 20, details: 4, end: 8, parts: 8 }

/** The more jobs wait to be stored the longer each may: when much happens at once, less of it is worth a write. */
export class BusyPatience {
  /** As it is now; whoever holds it sees it change. */
  readonly now: OperatorPatience
  readonly #atRest: OperatorPatience
  #waiting = 0

  /** Without any, nothing ever waits. */
  constructor(atRest: OperatorPatience = { news: 0, details: 0, end: 0, parts: 0 }) {
    this.#atRest = atRest
    this.now = { ...atRest }
  }

  /** Jobs with something to store. */
  get waiting(): number {
    return this.#waiting
  }

  get isStrained(): boolean {
    return this.#waiting >= WAITING_FOR_TWICE
  }

  /** So many more jobs have something to store, or fewer. */
  count(more: number): void {
    this.#waiting += more
    const busy = 1 + this.#waiting / WAITING_FOR_TWICE
    for (const what of ['news', 'details', 'end', 'parts'] as const)
      this.now[what] = this.#atRest[what] * Math.min(MOST[what], busy)
  }
}
