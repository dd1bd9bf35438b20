import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { createInterface } from 'node:readline'
import { type Endpoint, send } from '../../parity/endpoint.ts'
import type { EventType, Seen, Stretch, Watched } from './history.ts'
import type { Lives } from './lives.ts'
import { MAPS } from './writer.ts'

interface Listed {
  metadata: { name: string; resourceVersion: string }
  data?: { value: string }
}

interface Line {
  type: EventType | 'BOOKMARK' | 'ERROR'
  object: Listed & { code?: number; message?: string }
}

export interface Habits {
  /** Where it looks: one namespace or all. */
  path: string
  selector?: string
  wants: (name: string) => boolean
  /** Hangs up after so many events, and comes back when others have been told as many. */
  attention?: number
}

export const toSeen = (type: EventType, object: Listed): Seen => ({
  type,
  name: object.metadata.name,
  value: Number(object.data?.value),
  revision: Number(object.metadata.resourceVersion),
})

/** Other suites' and the cluster's own objects are none of a watcher's business. */
export const isOurs = (name: string): boolean => /^w\d-\d$|^the-end$/.test(name)

export async function listMaps(
  server: Endpoint,
  path = MAPS,
  query = '',
): Promise<{ revision: number; items: Seen[] }> {
  const { code, body } = await send(server, { method: 'GET', path: path + query, headers: {} })
  if (code !== 200) throw new Error(`list: ${code} ${JSON.stringify(body)}`)
  const { items, metadata } = body as { items: Listed[]; metadata: { resourceVersion: string } }
  const seen = items.map((item) => toSeen('ADDED', item)).filter(({ name }) => isOurs(name))
  return { revision: Number(metadata.resourceVersion), items: seen }
}

/** Lists, watches, and after every death of the server goes on from the last revision it saw. */
export class Watcher implements Watched {
  readonly stretches: Stretch[] = []
  readonly wants: (name: string) => boolean
  resumes = 0
  relists = 0
  readonly #habits: Habits
  readonly #hasEnded = Promise.withResolvers<void>()
  readonly #listed = Promise.withResolvers<void>()
  #revision: number | undefined

  constructor(habits: Habits) {
    this.#habits = habits
    this.wants = habits.wants
  }

  /** Has its first list. */
  get listed(): Promise<void> {
    return this.#listed.promise
  }

  /** Has been told of the last write there is. */
  get ended(): Promise<void> {
    return this.#hasEnded.promise
  }

  async run(lives: Lives): Promise<void> {
    for (let server = await lives.current(); lives.watching; server = await lives.after(server)) {
      try {
        while (lives.watching) await this.#follow(server, lives)
      } catch (error) {
        if (!(error as NodeJS.ErrnoException).code) throw error
      }
    }
  }

  async #follow(server: Endpoint, lives: Lives): Promise<void> {
    const { path, selector } = this.#habits
    const query = selector ? `labelSelector=${selector}&` : ''
    if (this.#revision === undefined) {
      const { revision, items } = await listMaps(server, path, `?${query}`)
      this.stretches.push({ revision, items, events: [] })
      this.#revision = revision
      this.#listed.resolve()
      if (items.some(({ name }) => name === 'the-end')) this.#hasEnded.resolve()
    } else this.resumes++
    const from = `${path}?${query}watch=true&allowWatchBookmarks=true&resourceVersion=${this.#revision}`
    const response = await open(server, from)
    let left = this.#habits.attention ?? Number.POSITIVE_INFINITY
    for await (const text of createInterface({ input: response })) {
      if (!lives.watching) return
      if (!this.#take(JSON.parse(text) as Line)) return
      if (--left > 0) continue
      response.destroy()
      await lives.moreWrites(this.#habits.attention ?? 0)
      return
    }
    // The server never ends a watch here; it is gone.
    throw Object.assign(new Error('the watch broke off'), { code: 'ECONNRESET' })
  }

  /** False when history was forgotten and a new list is due. */
  #take({ type, object }: Line): boolean {
    if (type === 'ERROR') {
      if (object.code !== 410) throw new Error(`the watch failed: ${object.message}`)
      this.#revision = undefined
      this.relists++
      return false
    }
    this.#revision = Number(object.metadata.resourceVersion)
    if (type === 'BOOKMARK' || !isOurs(object.metadata.name)) return true
    this.stretches.at(-1)?.events.push(toSeen(type, object))
    if (object.metadata.name === 'the-end') this.#hasEnded.resolve()
    return true
  }
}

function open(server: Endpoint, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}` }
    const req = request(server.url + path, { ca: server.ca, headers, agent: false }, (response) => {
      // Its reader sees the end; the reason is always the same.
      response.on('error', () => {})
      if (response.statusCode === 200) resolve(response)
      else reject(new Error(`watch ${path}: ${response.statusCode}`))
    })
    req.on('error', reject)
    req.end()
  })
}
