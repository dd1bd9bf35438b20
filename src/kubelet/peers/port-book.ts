// Which loopback port stands for which peer's port of which job; kept in files, so that it outlives restarts.
import { randomInt } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../write-atomically.ts'
import type { PeerPort } from './marks.ts'
import { choosableRange, PortHolder, portsInUse } from './port-hold.ts'

type Page = Record<string, number>

export class PortBook {
  readonly #directory: string
  readonly #holder = new PortHolder()
  readonly #pages = new Map<string, Page>()
  readonly #given = new Set<number>()
  readonly #range = choosableRange()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(directory: string) {
    this.#directory = directory
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(directory)) {
      const job = /^(.*)\.json$/.exec(name)?.[1]
      if (job === undefined) continue
      const page = readPage(join(directory, name))
      this.#pages.set(job, page)
      for (const port of Object.values(page)) this.#given.add(port)
    }
  }

  /** Sees to it that all of these have a port, and holds the new ones until they are released. */
  allot(job: string, wanted: PeerPort[]): Promise<void> {
    const allotted = this.#turn.then(async () => {
      const page = { ...this.#pages.get(job) }
      const missing = wanted.map(keyOf).filter((key) => page[key] === undefined)
      if (missing.length === 0) return
      const ports = await this.#takeMany(missing.length)
      for (const [i, key] of missing.entries()) page[key] = ports[i]!
      writeAtomically(join(this.#directory, `${job}.json`), JSON.stringify(page))
      this.#pages.set(job, page)
    })
    this.#turn = allotted.catch(() => {})
    return allotted
  }

  portOf(job: string, peer: string, port: number): number | undefined {
    return this.#pages.get(job)?.[keyOf({ peer, port })]
  }

  /** The program that listens there is about to start. */
  async release(job: string, peer: string): Promise<void> {
    const page = this.#pages.get(job) ?? {}
    const own = Object.keys(page).filter((key) => key.startsWith(`${peer}:`))
    await Promise.all(own.map((key) => this.#holder.release(page[key]!)))
  }

  /** The job is gone, and nobody will ask for its ports again. */
  async forget(job: string): Promise<void> {
    const page = this.#pages.get(job) ?? {}
    this.#pages.delete(job)
    rmSync(join(this.#directory, `${job}.json`), { force: true })
    for (const port of Object.values(page)) {
      await this.#holder.release(port)
      this.#given.delete(port)
    }
  }

  jobs(): string[] {
    return [...this.#pages.keys()]
  }

  async close(): Promise<void> {
    await this.#turn
    await this.#holder.close()
  }

  /** Held ports that nobody else has. The system is asked once for all of them: that takes it milliseconds. */
  async #takeMany(count: number): Promise<number[]> {
    const taken: number[] = []
    while (taken.length < count) {
      const held: number[] = []
      while (taken.length + held.length < count) held.push(await this.#take())
      // Another home may have chosen one at the same moment: the system lets both have it, as ends of connections.
      const used = portsInUse()
      for (const port of held) {
        if ((used.get(port) ?? 1) === 1) taken.push(port)
        else await this.#holder.release(port)
      }
    }
    return taken
  }

  async #take(): Promise<number> {
    const { from, to } = this.#range
    const count = to - from + 1
    const start = randomInt(count)
    for (let i = 0; i < count; i++) {
      const port = from + ((start + i) % count)
      if (this.#given.has(port)) continue
      // Marked as given before the wait, and for good: a port that could not be held is not worth a second try.
      this.#given.add(port)
      if (await this.#holder.hold(port)) return port
    }
    throw new Error('no free port is left on this machine')
  }
}

function keyOf({ peer, port }: PeerPort): string {
  return `${peer}:${port}`
}

function readPage(path: string): Page {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // Written by rename, so this is no file of ours.
    return {}
  }
}
