import type { Endpoint } from '../../parity/endpoint.ts'

/** The lives of one server, as its clients see them: always at most one, each with an address of its own. */
export class Lives {
  writing = true
  watching = true
  #current = Promise.withResolvers<Endpoint>()
  #endpoint: Endpoint | undefined
  #writes = 0
  #waiting: Array<{ from: number; resolve: () => void }> = []

  begin(endpoint: Endpoint): void {
    this.#endpoint = endpoint
    this.#current.resolve(endpoint)
    this.#current = Promise.withResolvers()
  }

  async current(): Promise<Endpoint> {
    return this.#endpoint ?? this.#current.promise
  }

  /** The life after this one; the same again when there is none left to come. */
  async after(endpoint: Endpoint): Promise<Endpoint> {
    if (this.#endpoint && this.#endpoint !== endpoint) return this.#endpoint
    return this.watching ? this.#current.promise : endpoint
  }

  wrote(): void {
    this.#writes++
    this.#release((from) => from <= this.#writes)
  }

  /** Settles when so many more writes were acknowledged, or none will be. */
  async moreWrites(count: number): Promise<void> {
    if (!this.writing) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ from: this.#writes + count, resolve })
    await promise
  }

  stopWriting(): void {
    this.writing = false
    this.#release(() => true)
  }

  stopWatching(): void {
    this.watching = false
    if (this.#endpoint) this.#current.resolve(this.#endpoint)
  }

  #release(isDue: (from: number) => boolean): void {
    const due = this.#waiting.filter(({ from }) => isDue(from))
    this.#waiting = this.#waiting.filter((one) => !due.includes(one))
    for (const { resolve } of due) resolve()
  }
}
