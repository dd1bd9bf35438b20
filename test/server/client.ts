import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/server.ts'

export interface Answer {
  code: number
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind
  body: any
}

export interface Sent {
  body?: unknown
  headers?: Record<string, string>
  token?: string | null
}

/** A server of its own in a new directory, gone with the test. */
export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'trainyard-server-'))
  const lines: string[] = []
  const server = await startServer({ dir, log: (line) => lines.push(line), ...options })
  onTestFinished(async () => {
    await server.stop()
    if (!options.dir) rmSync(dir, { recursive: true, force: true })
  })
  return new TestServer(server, dir, lines)
}

export class TestServer {
  readonly server: RunningServer
  readonly dir: string
  readonly lines: string[]

  constructor(server: RunningServer, dir: string, lines: string[]) {
    this.server = server
    this.dir = dir
    this.lines = lines
  }

  call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    return callServer(this.server, method, path, sent)
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.call('GET', path, headers ? { headers } : {})
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.call('POST', path, { body })
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.call('PUT', path, { body })
  }

  patch(path: string, type: 'json' | 'merge' | 'strategic-merge', body: unknown): Promise<Answer> {
    return this.call('PATCH', path, { body, headers: { 'content-type': `application/${type}-patch+json` } })
  }

  apply(path: string, manager: string, body: unknown, force = false): Promise<Answer> {
    const query = `?fieldManager=${manager}${force ? '&force=true' : ''}`
    return this.call('PATCH', path + query, { body, headers: { 'content-type': 'application/apply-patch+yaml' } })
  }

  delete(path: string, body?: unknown): Promise<Answer> {
    return this.call('DELETE', path, body === undefined ? {} : { body })
  }

  watch(path: string): Watch {
    const watch = new Watch(this.server, path)
    onTestFinished(() => watch.stop())
    return watch
  }
}

/** Not by URL: that would tidy up paths that are meant to be untidy. */
const addressOf = (server: RunningServer, path: string) => ({
  host: '127.0.0.1',
  port: new URL(server.url).port,
  servername: 'localhost',
  path,
  ca: server.ca,
  agent: false as const,
})

export function callServer(server: RunningServer, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const raw = sent.body === undefined || typeof sent.body === 'string' || Buffer.isBuffer(sent.body)
  const body = raw ? (sent.body as string | Buffer | undefined) : JSON.stringify(sent.body)
  const token = sent.token === undefined ? server.token : sent.token
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      // Node frames the body of a DELETE only when told its length.
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...sent.headers,
    }
    const req = request({ ...addressOf(server, path), method, headers }, async (res) => {
      const chunks: Buffer[] = []
      for await (const chunk of res) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString()
      const isJson =
        String(res.headers['content-type']).startsWith('application/json') &&
        res.headers['content-encoding'] === undefined
      resolve({ code: res.statusCode ?? 0, headers: res.headers, body: isJson ? JSON.parse(text) : text })
    })
    req.on('error', reject)
    req.end(body)
  })
}

export interface WatchEvent {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every kind
  object: any
}

/** The events of a watch, to be taken one by one. */
export class Watch {
  readonly #events: WatchEvent[] = []
  readonly #takers: Array<(event: WatchEvent | undefined) => void> = []
  readonly #req
  #ended = false
  #paused = false
  #res: IncomingMessage | undefined

  constructor(server: RunningServer, path: string) {
    const headers = { authorization: `Bearer ${server.token}` }
    this.#req = request({ ...addressOf(server, path), headers }, (res) => {
      let rest = ''
      res.setEncoding('utf8')
      res.on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) this.#give(JSON.parse(line) as WatchEvent)
      })
      res.on('close', () => this.#end())
      this.#res = res
      if (this.#paused) res.pause()
    })
    this.#req.on('error', () => this.#end())
    this.#req.end()
  }

  #give(event: WatchEvent): void {
    const taker = this.#takers.shift()
    if (taker) taker(event)
    else this.#events.push(event)
  }

  #end(): void {
    this.#ended = true
    for (const taker of this.#takers.splice(0)) taker(undefined)
  }

  /** The next event; undefined when the stream has ended. */
  next(): Promise<WatchEvent | undefined> {
    const event = this.#events.shift()
    if (event || this.#ended) return Promise.resolve(event)
    return new Promise((resolve) => this.#takers.push(resolve))
  }

  async take(count: number): Promise<WatchEvent[]> {
    const events: WatchEvent[] = []
    while (events.length < count) {
      const event = await this.next()
      if (!event) break
      events.push(event)
    }
    return events
  }

  /** Stops reading; the server's words pile up. */
  pause(): void {
    this.#paused = true
    this.#res?.pause()
  }

  stop(): void {
    this.#req.destroy()
  }
}
