import { setTimeout as delay } from 'node:timers/promises'
import type { StorePoint } from '../../../src/server/store/store.ts'
import { type Endpoint, send } from '../../parity/endpoint.ts'
import { judgeHistory } from './history.ts'
import { Lives } from './lives.ts'
import { MortalServer } from './mortal-server.ts'
import type { Mistake } from './serve.ts'
import { type Habits, listMaps, Watcher } from './watcher.ts'
import { MAPS, Writer } from './writer.ts'

const WRITERS = 4
const WATCHERS: Habits[] = [
  { path: MAPS, wants: () => true },
  { path: '/api/v1/configmaps', wants: () => true },
  { path: MAPS, selector: 'parity=even', wants: (name) => /[02]$|end$/.test(name) },
  { path: MAPS, wants: () => true, attention: 30 },
]
/** Long enough for any machine; what has not happened by then never will. */
const PATIENCE = 120_000
/** Lives that shall end while history is forgotten forget it soon; the others leave it alone, so that watches can resume. */
const keepOf = (death: Death | undefined): number => (death?.point.endsWith('compact') ? 200 : 3_600_000)

export interface Death {
  point: StorePoint
  /** The how manieth time the server comes by there. */
  passing: number
}

export interface Plan {
  dir: string
  /** One life each; without a moment of its own it is killed from outside after a few writes. */
  deaths: ReadonlyArray<Death | undefined>
  mistakes?: readonly Mistake[]
  say?: (line: string) => void
}

export interface Outcome {
  wrong: string[]
  /** By the moment they were at. */
  kills: Map<string, number>
  acknowledged: number
  uncertain: number
  events: number
  resumes: number
  relists: number
}

/** Lets a server live and die under four writers and four watchers, and judges all they were told. */
export async function liveAndDie({ dir, deaths, mistakes = [], say = () => {} }: Plan): Promise<Outcome> {
  const lives = new Lives()
  const watchers = WATCHERS.map((habits) => new Watcher(habits))
  const writers = Array.from({ length: WRITERS }, (_, id) => new Writer(id))
  const watching = watchers.map((watcher) => watcher.run(lives))
  const listed = Promise.all(watchers.map((watcher) => watcher.listed))
  const writing = listed.then(() => Promise.all(writers.map((writer) => writer.run(lives))))
  const kills = new Map<string, number>()
  let next = new MortalServer(mistakes)
  try {
    for (const [i, death] of deaths.entries()) {
      const server = next
      lives.begin(await server.serve({ dir, death, keep: keepOf(death) }))
      // The next one reads our sources while this one still serves.
      next = new MortalServer(mistakes)
      if (!death) {
        await within(Promise.race([lives.moreWrites(5 + i), writing]), 'a few writes')
        await server.kill()
      }
      const moment =
        (await within(Promise.race([server.died, writing.then(never)]), String(death?.point))) ?? 'any moment'
      if (death && moment !== death.point) throw new Error(`it died ${moment} instead of ${death.point}`)
      kills.set(moment, (kills.get(moment) ?? 0) + 1)
      if ((i + 1) % 10 === 0) say(`${i + 1} of ${deaths.length} kills`)
    }
    const endpoint = await next.serve({ dir, keep: keepOf(undefined) })
    lives.begin(endpoint)
    lives.stopWriting()
    await within(writing, 'the end of writing')
    await writeTheEnd(endpoint)
    // Who is never told is found out by the judge.
    await Promise.race([
      Promise.all(watchers.map((watcher) => watcher.ended)),
      delay(mistakes.length > 0 ? 5_000 : PATIENCE),
    ])
    const { items: final } = await listMaps(endpoint)
    const deeds = writers.flatMap((writer) => writer.deeds)
    const wrong = [...writers.flatMap((writer) => writer.wrong), ...judgeHistory({ deeds, watchers, final })]
    const sum = (count: (watcher: Watcher) => number): number => watchers.reduce((n, one) => n + count(one), 0)
    return {
      wrong,
      kills,
      acknowledged: deeds.filter((deed) => deed.acknowledged).length,
      uncertain: deeds.filter((deed) => !deed.acknowledged).length,
      events: sum(({ stretches }) => stretches.reduce((n, { events }) => n + events.length, 0)),
      resumes: sum(({ resumes }) => resumes),
      relists: sum(({ relists }) => relists),
    }
  } finally {
    lives.stopWriting()
    lives.stopWatching()
    await next.kill()
    await Promise.allSettled([writing, ...watching])
  }
}

async function writeTheEnd(server: Endpoint): Promise<void> {
  const metadata = { name: 'the-end', labels: { parity: 'even' } }
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value: '0' } }
  const headers = { 'content-type': 'application/json' }
  const { code } = await send(server, { method: 'POST', path: MAPS, body, headers })
  if (code !== 201) throw new Error(`the last write was answered with ${code}`)
}

const never = (): Promise<never> => new Promise(() => {})

async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  const late = new AbortController()
  const limit = delay(PATIENCE, undefined, { signal: late.signal }).then(() => {
    throw new Error(`${what}: not within ${PATIENCE / 1000} s`)
  })
  limit.catch(() => {})
  try {
    return await Promise.race([promise, limit])
  } finally {
    late.abort()
  }
}
