import { type Answer, type Endpoint, send } from '../../parity/endpoint.ts'
import type { Deed, EventType } from './history.ts'
import type { Lives } from './lives.ts'

export const MAPS = '/api/v1/namespaces/default/configmaps'
const NAMES = 5

interface Known {
  value: number
  revision: string
}

let lastValue = 0

/** Writes to its own objects, one write after the other, over all lives of the server. */
export class Writer {
  readonly deeds: Deed[] = []
  /** What the server did that no life of it may do. */
  readonly wrong: string[] = []
  readonly #id: number
  /** Undefined: not there. Not in the map: the server died during a write, who knows. */
  readonly #known = new Map<string, Known | undefined>()
  #turn = 0

  constructor(id: number) {
    this.#id = id
    for (let n = 0; n < NAMES; n++) this.#known.set(`w${id}-${n}`, undefined)
  }

  async run(lives: Lives): Promise<void> {
    for (let server = await lives.current(); ; server = await lives.after(server)) {
      try {
        while (lives.writing) {
          await this.#act(server)
          lives.wrote()
        }
        return
      } catch (error) {
        if (!(error as NodeJS.ErrnoException).code) throw error
      }
    }
  }

  async #act(server: Endpoint): Promise<void> {
    const turn = this.#turn++
    const name = `w${this.#id}-${turn % NAMES}`
    if (!this.#known.has(name)) await this.#ask(server, name)
    const before = this.#known.get(name)
    if (before && turn % 7 === 3) await this.#remove(server, name, before)
    else await this.#put(server, name, before, turn)
  }

  /** Once the server is back, what became of the write is for it to say. */
  async #ask(server: Endpoint, name: string): Promise<void> {
    const answer = await send(server, { method: 'GET', path: `${MAPS}/${name}`, headers: {} })
    if (answer.code === 404) this.#known.set(name, undefined)
    else this.#known.set(name, this.#read(answer, `read ${name}`))
  }

  async #put(server: Endpoint, name: string, before: Known | undefined, turn: number): Promise<void> {
    const value = ++lastValue
    const labels = { parity: name.endsWith('0') || name.endsWith('2') ? 'even' : 'odd' }
    const metadata = { name, labels, ...(before ? { resourceVersion: before.revision } : {}) }
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value: String(value) } }
    const path = `${MAPS}/${name}`
    const ways = [
      before
        ? { method: 'PUT', path, type: 'application/json' }
        : { method: 'POST', path: MAPS, type: 'application/json' },
      before
        ? { method: 'PATCH', path, type: 'application/merge-patch+json' }
        : { method: 'POST', path: MAPS, type: 'application/json' },
      { method: 'PATCH', path: `${path}?fieldManager=w${this.#id}&force=true`, type: 'application/apply-patch+yaml' },
    ]
    const way = ways[turn % ways.length] as (typeof ways)[number]
    await this.#do({ type: before ? 'MODIFIED' : 'ADDED', name, value }, async (deed) => {
      const answer = await send(server, {
        method: way.method,
        path: way.path,
        body,
        headers: { 'content-type': way.type },
      })
      const made = this.#read(answer, `${way.method} ${name}=${value}`)
      if (!made) return
      deed.revision = Number(made.revision)
      this.#known.set(name, made)
    })
  }

  async #remove(server: Endpoint, name: string, before: Known): Promise<void> {
    await this.#do({ type: 'DELETED', name, value: before.value }, async () => {
      const answer = await send(server, { method: 'DELETE', path: `${MAPS}/${name}`, headers: {} })
      if (answer.code !== 200) this.wrong.push(`refused: DELETE ${name}: ${answer.code}`)
      this.#known.set(name, undefined)
    })
  }

  async #do(what: { type: EventType; name: string; value: number }, act: (deed: Deed) => Promise<void>): Promise<void> {
    const deed: Deed = { ...what, acknowledged: false }
    this.deeds.push(deed)
    this.#known.delete(what.name)
    await act(deed)
    deed.acknowledged = true
  }

  /** Nobody else writes to these objects: whoever is refused has lost something that was acknowledged. */
  #read({ code, body }: Answer, what: string): Known | undefined {
    const object = body as { metadata?: { resourceVersion?: string }; data?: { value?: string }; message?: string }
    if (code < 300) return { value: Number(object.data?.value), revision: object.metadata?.resourceVersion ?? '' }
    this.wrong.push(`refused: ${what}: ${code} ${object.message}`)
    return undefined
  }
}
