// The real server as a process that dies at a named moment. Started ahead of time: it has loaded everything when it is told
// by a line of JSON what to serve. Says where it serves, and just before it dies at which moment.
import { writeSync } from 'node:fs'
import { flushCompileCache, registerHooks } from 'node:module'
import { createInterface } from 'node:readline'
import type { StorePoint } from '../../../src/server/store/store.ts'

export interface Orders {
  dir: string
  /** Left out: it is killed from outside. */
  death?: { point: StorePoint; passing: number } | undefined
  /** Milliseconds a watcher may be away. */
  keep: number
}

/** A mistake in the server's own source: the text in the file (a part of its path), and what stands there instead. */
export interface Mistake {
  file: string
  text: string
  instead: string
}

const say = (words: object): void => void writeSync(1, `${JSON.stringify(words)}\n`)

const mistakes = JSON.parse(process.argv[2] ?? '[]') as Mistake[]
const made = new Set<Mistake>()
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const here = mistakes.filter(({ file }) => url.endsWith(file))
    if (here.length === 0) return loaded
    let source = String(loaded.source)
    for (const mistake of here) {
      if (source.split(mistake.text).length !== 2)
        throw new Error(`${mistake.file} has not exactly one ${mistake.text}`)
      source = source.replace(mistake.text, mistake.instead)
      made.add(mistake)
    }
    return { ...loaded, source }
  },
})
const { startServer } = await import('../../../src/server/server.ts')
if (made.size !== mistakes.length) throw new Error('a mistake was to be made in a file that is not loaded')
say({ loaded: true })

for await (const line of createInterface({ input: process.stdin })) {
  const { dir, death, keep } = JSON.parse(line) as Orders
  let passed = 0
  let serving = false
  const server = await startServer({
    dir,
    history: { keep, step: keep / 4 },
    onStorePoint: (point) => {
      if (!serving || point !== death?.point || ++passed < death.passing) return
      say({ diesAt: point })
      process.kill(process.pid, 'SIGKILL')
    },
  })
  serving = true
  say({ url: server.url, token: server.token, ca: server.ca })
  // Whoever is killed writes no cache when it ends.
  flushCompileCache()
}
