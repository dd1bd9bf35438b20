// Which request meets which fault, so that each fault has its share.

/** Those that only few requests can meet come first. */
export const FAULTS = ['cut watch', 'stale read', 'latency', 'reset', '429', '500', '503'] as const
export type Fault = (typeof FAULTS)[number]
export type RequestKind = 'watch' | 'list' | 'other'

const AIM = 0.08

export function kindOf(method: string, url: URL): RequestKind {
  if (method !== 'GET') return 'other'
  if (url.searchParams.get('watch') === 'true') return 'watch'
  // Nobody asks for a later page of a list at another revision.
  return url.searchParams.has('limit') && !url.searchParams.has('continue') ? 'list' : 'other'
}

function canMeet(fault: Fault, kind: RequestKind, hasHistory: boolean): boolean {
  if (fault === 'cut watch') return kind === 'watch'
  if (fault === 'stale read') return kind !== 'other' && hasHistory
  // What is left of the watches is needed for the faults that only they can meet.
  return kind !== 'watch'
}

export class FaultPlan {
  /** Requests in bad times. */
  requests = 0
  readonly #counts = new Map<Fault, number>(FAULTS.map((fault) => [fault, 0]))
  #bad = false
  #turnedAt = performance.now()
  #lasted = { bad: 0, good: 0 }

  turn(bad: boolean): void {
    const now = performance.now()
    this.#lasted[this.#bad ? 'bad' : 'good'] += now - this.#turnedAt
    this.#turnedAt = now
    this.#bad = bad
  }

  next(kind: RequestKind, hasHistory: boolean): Fault | undefined {
    if (!this.#bad) return undefined
    this.requests++
    const behind = FAULTS.filter((fault) => canMeet(fault, kind, hasHistory))
      .map((fault) => ({ fault, share: this.share(fault) }))
      .filter(({ share }) => share < AIM)
      .sort((a, b) => a.share - b.share)
    const fault = behind[0]?.fault
    if (fault) this.#counts.set(fault, this.countOf(fault) + 1)
    return fault
  }

  countOf(fault: Fault): number {
    return this.#counts.get(fault) ?? 0
  }

  share(fault: Fault): number {
    return this.requests === 0 ? 0 : this.countOf(fault) / this.requests
  }

  /** The part of the time that was bad. */
  get badPart(): number {
    const { bad, good } = this.#lasted
    return bad / (bad + good)
  }
}
