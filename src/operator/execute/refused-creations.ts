// Objects the cluster would not let us create. They are tried again, later and later, and never given up.
import type { CreatedKind, Reason, Trouble } from '../../core/decision.ts'
import type { Instant } from '../../lib/time.ts'

const FIRST_DELAY = 1_000
/** Whoever frees a quota or grants a right does not want to wait long for it to be noticed. */
const LONGEST_DELAY = 60_000

interface Refused {
  trouble: Trouble
  attempts: number
  retryAt: Instant
}

export class RefusedCreations {
  readonly #refused = new Map<string, Refused>()

  get troubles(): Trouble[] {
    return [...this.#refused.values()].map((refused) => refused.trouble)
  }

  /** The next moment at which one may be tried again. */
  get nextRetry(): Instant | undefined {
    let next: Instant | undefined
    for (const { retryAt } of this.#refused.values()) next = next === undefined ? retryAt : Math.min(next, retryAt)
    return next
  }

  mustWait(kind: CreatedKind, name: string, now: Instant): boolean {
    const refused = this.#refused.get(`${kind}/${name}`)
    return refused !== undefined && refused.retryAt > now
  }

  /** The reason to tell, the first time and whenever the answer is another. */
  add(trouble: Trouble, now: Instant): Reason | undefined {
    const key = `${trouble.kind}/${trouble.name}`
    const before = this.#refused.get(key)
    const attempts = (before?.attempts ?? 0) + 1
    const delay = Math.min(FIRST_DELAY * 2 ** (attempts - 1), LONGEST_DELAY)
    this.#refused.set(key, { trouble, attempts, retryAt: now + delay })
    if (before?.trouble.message === trouble.message) return undefined
    const event = trouble.reason === 'NameTaken' ? 'NameTaken' : `FailedCreate${trouble.kind}`
    return { object: 'job', type: 'Warning', event, message: trouble.message }
  }

  settle(kind: CreatedKind, name: string): void {
    this.#refused.delete(`${kind}/${name}`)
  }

  /** What is no longer wanted is no trouble any more. */
  keepOnly(wanted: ReadonlySet<string>): void {
    for (const key of this.#refused.keys()) if (!wanted.has(key)) this.#refused.delete(key)
  }
}
