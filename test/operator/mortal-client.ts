import { type Connection, KubeClient, type Request } from '../../src/kube/index.ts'

export interface Death {
  /** At which write, counted from 1. */
  at: number
  /** Whether the API had carried it out. */
  when: 'before' | 'after'
}

/** A client whose process dies at a given write: that one gets no answer, and nothing is sent any more. */
export class MortalClient extends KubeClient {
  readonly #death: Death
  #writes = 0
  readonly died: Promise<void>
  #die!: () => void
  #dead = false

  constructor(connection: Connection, death: Death) {
    super(connection)
    this.#death = death
    this.died = new Promise((resolve) => {
      this.#die = resolve
    })
  }

  /** Writes sent so far. */
  get writes(): number {
    return this.#writes
  }

  override async raw(request: Request): Promise<unknown> {
    if (this.#dead) return unanswered(request)
    // Events are written in the background: losing one changes nothing.
    if (request.method === 'GET' || request.path.includes('/events')) return super.raw(request)
    const fatal = ++this.#writes === this.#death.at
    if (fatal && this.#death.when === 'before') return this.#perish(request)
    // Others may be on the way at the same time; they arrive, as they would.
    if (!fatal) return super.raw(request)
    await super.raw({ ...request, signal: undefined }).catch(() => {})
    return this.#perish(request)
  }

  #perish(request: Request): Promise<never> {
    this.#dead = true
    this.#die()
    return unanswered(request)
  }
}

/** Only for the sake of the living, who wait for it when they clear up. */
function unanswered({ signal }: Request): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
