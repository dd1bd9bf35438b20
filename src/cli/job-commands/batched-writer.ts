// Many short lines in few writes: a log may have a million of them.

const ENOUGH = 1 << 16

export class BatchedWriter {
  readonly #write: (bytes: Uint8Array) => Promise<void>
  #waiting: Uint8Array[] = []
  #size = 0
  #timer: NodeJS.Immediate | undefined

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write
  }

  /** Resolves when more may come; what was written appears as soon as nothing else is to be done. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(bytes)
    this.#size += bytes.length
    if (this.#size >= ENOUGH) await this.flush()
    else this.#timer ??= setImmediate(() => void this.flush())
  }

  async flush(): Promise<void> {
    clearImmediate(this.#timer)
    this.#timer = undefined
    if (this.#size === 0) return
    const all = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#size = 0
    await this.#write(all)
  }
}
