import type { Agent } from 'node:https'
import { get } from 'node:https'

const EVERY_MS = 250

/** Which revision the apiserver was at when. */
export class RevisionHistory {
  readonly #known: { at: number; revision: string }[] = []
  readonly #timer: NodeJS.Timeout

  constructor(server: URL, agent: Agent) {
    const url = new URL('/api/v1/namespaces?limit=1', server)
    this.#timer = setInterval(() => {
      const at = performance.now()
      get(url, { agent }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => this.#known.push({ at, revision: JSON.parse(text).metadata.resourceVersion }))
      }).on('error', () => {})
    }, EVERY_MS)
  }

  /** A revision that was the newest at least this long ago. */
  before(milliseconds: number): string | undefined {
    const latest = performance.now() - milliseconds
    return this.#known.findLast(({ at }) => at <= latest)?.revision
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
