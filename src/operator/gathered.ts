/** Keys that come in within moments of each other, handed on together and each once: the pods of a job change in shoals. */
export class Gathered {
  readonly #moment: () => number
  readonly #handOn: (key: string) => void
  readonly #keys = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  /** Without a moment to wait everything is handed on at once. */
  constructor(moment: () => number, handOn: (key: string) => void) {
    this.#moment = moment
    this.#handOn = handOn
  }

  add(key: string): void {
    this.#keys.add(key)
    // Counted from the first one, so that a key that never rests is handed on all the same.
    const moment = this.#moment()
    if (moment > 0) this.#timer ??= setTimeout(() => this.#flush(), moment)
    else this.#flush()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#keys.clear()
  }

  #flush(): void {
    this.#timer = undefined
    const keys = [...this.#keys]
    this.#keys.clear()
    for (const key of keys) this.#handOn(key)
  }
}
