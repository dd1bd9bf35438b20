import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cacheDir } from '../../../scripts/real/places.ts'
import type { Endpoint } from '../../parity/endpoint.ts'
import type { Mistake, Orders } from './serve.ts'

interface Words {
  loaded?: true
  url?: string
  token?: string
  ca?: string
  diesAt?: string
}

/** One life of the server. */
export class MortalServer {
  readonly process: ChildProcess
  /** Settles with the named moment it died at, undefined if it was killed from outside. */
  readonly died: Promise<string | undefined>
  readonly #words: AsyncIterator<string>
  #diesAt: string | undefined

  constructor(mistakes: readonly Mistake[]) {
    this.process = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts'), JSON.stringify(mistakes)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      // Most of a start is reading our sources, and there are hundreds of starts.
      env: { ...process.env, NODE_COMPILE_CACHE: join(cacheDir(), 'compiled') },
    })
    const lines = createInterface({ input: this.process.stdout as NodeJS.ReadableStream })
    this.#words = lines[Symbol.asyncIterator]()
    lines.on('line', (line) => {
      this.#diesAt = (JSON.parse(line) as Words).diesAt
    })
    this.died = once(this.process, 'close').then(([code, signal]) => {
      if (signal !== 'SIGKILL') throw new Error(`the server ended by itself (exit code ${code}, signal ${signal})`)
      return this.#diesAt
    })
    this.died.catch(() => {})
  }

  async serve(orders: Orders): Promise<Endpoint> {
    await this.#word()
    this.process.stdin?.write(`${JSON.stringify(orders)}\n`)
    const { url = '', token = '', ca = '' } = await this.#word()
    return { url, token, ca, agent: new Agent({ keepAlive: true }) }
  }

  async #word(): Promise<Words> {
    const { value, done } = await this.#words.next()
    if (done) await this.died.then(() => Promise.reject(new Error('the server was killed before it served')))
    return JSON.parse(value) as Words
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL')
    await this.died
  }
}
