import type { Instant } from '../lib/time.ts'
import { delayOf, pause } from './backoff.ts'
import type { Connection } from './connection.ts'
import { connectionErrorOf } from './connection-problem.ts'
import { type ApiError, ConnectionError, errorOf } from './errors.ts'
import { openPools, type PoolAnswer, type Pools } from './http-pool.ts'

export interface TransportOptions {
  userAgent?: string
  /** Milliseconds without any answer before a request is given up. */
  timeout?: number
  /** Requests on the way at one time; more wait their turn. Streams are not counted. */
  concurrency?: number
  /** The API's `Warning` headers, unescaped. */
  onWarning?: (text: string) => void
  /** Every answer, for metrics; code 0: none came. */
  onAnswer?: (method: string, path: string, code: number, milliseconds: number, watch: boolean) => void
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  contentType?: string
  accept?: string
  signal?: AbortSignal
}

// Beyond this many "come back later" the caller's own backoff decides.
const MOST_RETRIES = 6
const PATIENCE = { first: 200, most: 5_000 }

/** HTTPS with kept connections, credentials, patience with a busy server, and answers as values or typed errors. */
export class Transport {
  readonly #connection: Connection
  readonly #options: TransportOptions
  readonly #timeout: number
  #pools: Promise<Pools> | undefined
  #closed = false
  #date: string | undefined

  constructor(connection: Connection, options: TransportOptions = {}) {
    this.#connection = connection
    this.#options = options
    this.#timeout = options.timeout ?? 30_000
  }

  /** The body of a good answer, parsed. */
  async request(request: Request): Promise<unknown> {
    const answer = await this.#send('requests', request, this.#timeout)
    const text = await this.#read(answer, request.signal)
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw new ConnectionError('garbled', `${this.#connection.server} answered with something that is no JSON`, {
        cause,
      })
    }
  }

  /** The text of a good answer: version pages, metrics, logs. */
  async text(request: Request): Promise<string> {
    return this.#read(await this.#send('requests', request, this.#timeout), request.signal)
  }

  /** The body as it comes; silence in it is no error here. Ends when the signal aborts or the caller stops reading. */
  async stream(request: Request): Promise<AsyncIterable<Uint8Array>> {
    const answer = await this.#send('streams', request, 0)
    return this.#chunks(answer, request.signal)
  }

  /** What the server's clock said in its last answer. */
  get serverTime(): Instant | undefined {
    const time = Date.parse(this.#date ?? '')
    return Number.isNaN(time) ? undefined : time
  }

  async close(): Promise<void> {
    this.#closed = true
    const pools = await this.#pools?.catch(() => undefined)
    await Promise.all([pools?.requests.destroy(), pools?.streams.destroy()])
  }

  async #send(pool: keyof Pools, request: Request, bodyTimeout: number): Promise<PoolAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#sendOnce(pool, request, bodyTimeout)
      if (answer.statusCode < 300) return answer
      const error = await this.#errorOf(answer, request.signal)
      if (error.code === 401 && attempt === 1 && this.#connection.token !== undefined) {
        this.#connection.token.forget()
        continue
      }
      // 429 and a 5xx with Retry-After were turned away before anything was done, so any request may be sent again.
      const turnedAway = error.code === 429 || (error.code >= 500 && error.retryAfter !== undefined)
      if (!turnedAway || attempt > MOST_RETRIES) throw error
      await pause(Math.max(error.retryAfter ?? 0, delayOf(PATIENCE, attempt)), request.signal)
      request.signal?.throwIfAborted()
    }
  }

  async #sendOnce(pool: keyof Pools, request: Request, bodyTimeout: number): Promise<PoolAnswer> {
    request.signal?.throwIfAborted()
    const started = performance.now()
    const told = (code: number) =>
      this.#options.onAnswer?.(
        request.method,
        request.path,
        code,
        performance.now() - started,
        request.query?.watch === true,
      )
    const token = await this.#connection.token?.get()
    const server = new URL(this.#connection.server)
    try {
      this.#pools ??= openPools(this.#connection, this.#options.concurrency ?? 32)
      const pools = await this.#pools
      if (this.#closed) throw new ConnectionError('cut', `${this.#connection.server}: the connection was closed by us`)
      const answer = await pools[pool].send({
        origin: server.origin,
        path: server.pathname.replace(/\/$/, '') + request.path + queryText(request.query),
        method: request.method,
        headers: {
          accept: request.accept ?? 'application/json',
          'user-agent': this.#options.userAgent ?? 'trainyard',
          ...(request.body !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...this.#connection.headers,
        },
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal: request.signal ?? null,
        headersTimeout: this.#timeout,
        bodyTimeout,
      })
      told(answer.statusCode)
      this.#date = String(answer.headers.date ?? '')
      this.#passOnWarnings(answer.headers.warning)
      return answer
    } catch (error) {
      told(0)
      throw connectionErrorOf(error, this.#connection.server, request.signal)
    }
  }

  async #errorOf(answer: PoolAnswer, signal?: AbortSignal): Promise<ApiError> {
    const text = await this.#read(answer, signal)
    const retryAfter = Number(answer.headers['retry-after'])
    const wait = Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter * 1000 : undefined
    let body: unknown = text
    try {
      body = JSON.parse(text)
    } catch {
      // A proxy's page, or nothing: errorOf sums it up.
    }
    return errorOf(answer.statusCode, body, answer.headers['retry-after'] === undefined ? undefined : wait)
  }

  async #read(answer: PoolAnswer, signal?: AbortSignal): Promise<string> {
    try {
      return await answer.body.text()
    } catch (error) {
      throw connectionErrorOf(error, this.#connection.server, signal)
    }
  }

  async *#chunks(answer: PoolAnswer, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of answer.body) yield chunk
    } catch (error) {
      throw connectionErrorOf(error, this.#connection.server, signal)
    } finally {
      answer.body.destroy()
    }
  }

  #passOnWarnings(header: string | string[] | undefined): void {
    if (header === undefined || this.#options.onWarning === undefined) return
    const all = Array.isArray(header) ? header.join(', ') : header
    for (const match of all.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) {
      this.#options.onWarning(match[1]!.replace(/\\(.)/g, '$1'))
    }
  }
}

function queryText(query: Request['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}
