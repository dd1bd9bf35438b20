// What undici tells of a request, as an answer. Its own way to one leads through a stream of Node's for each body, which
// for the short bodies of an API is most of what a request costs.
import type * as Undici from 'undici'
import type { PoolAnswer, PoolRequest } from './http-pool.ts'

type Controller = Undici.Dispatcher.DispatchController

/** So much may lie unread before the server is made to wait. */
const UNREAD = 1024 * 1024

/** Sends a request; what becomes of it before there is an answer fails the promise, what comes later its body. */
export function dispatch(dispatcher: Undici.Dispatcher, request: PoolRequest): Promise<PoolAnswer> {
  const { signal, ...options } = request
  return new Promise((resolve, reject) => {
    // A signal that has been given is not given again.
    signal?.throwIfAborted()
    const body = new Body(signal, reject)
    dispatcher.dispatch(options, {
      onRequestStart: (controller) => body.start(controller),
      onResponseStart: (_, statusCode, headers) => {
        if (statusCode >= 200) resolve({ statusCode, headers, body })
      },
      onResponseData: (_, chunk) => body.push(chunk),
      onResponseEnd: () => body.end(),
      onResponseError: (_, error) => body.end(error),
    })
  })
}

class Body implements AsyncIterable<Uint8Array> {
  readonly #signal: AbortSignal | null
  readonly #onError: (error: unknown) => void
  #controller: Controller | undefined
  #chunks: Buffer[] = []
  #unread = 0
  #ended = false
  #error: unknown
  #wake: (() => void) | undefined

  /** `onError` hears of errors too; before there is an answer nobody else does. */
  constructor(signal: AbortSignal | null, onError: (error: unknown) => void) {
    this.#signal = signal
    this.#onError = onError
    signal?.addEventListener('abort', this.#abort)
  }

  start(controller: Controller): void {
    if (this.#ended) controller.abort(this.#error as Error)
    else this.#controller = controller
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#unread += chunk.length
    if (this.#unread > UNREAD) this.#controller?.pause()
    this.#wake?.()
  }

  end(error?: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#error = error
    this.#signal?.removeEventListener('abort', this.#abort)
    if (error !== undefined) this.#onError(error)
    this.#wake?.()
  }

  async text(): Promise<string> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const chunks = this.#chunks
      this.#chunks = []
      this.#unread = 0
      if (this.#controller?.paused) this.#controller.resume()
      yield* chunks
      if (this.#chunks.length > 0) continue
      if (this.#error !== undefined) throw this.#error
      if (this.#ended) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Nobody wants the rest. */
  destroy(): void {
    if (!this.#ended) this.#controller?.abort(new Error('nobody reads it'))
  }

  readonly #abort = (): void => {
    const { reason } = this.#signal ?? {}
    this.end(reason)
    this.#controller?.abort(reason)
  }
}
