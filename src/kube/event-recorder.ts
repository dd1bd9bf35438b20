import type { Event } from '../../gen/kubernetes-types.ts'
import { toTimestamp } from '../lib/time.ts'
import type { KubeClient } from './client.ts'
import { isNotFound } from './errors.ts'
import { EVENTS, type KubeObject } from './resource.ts'

export interface EventNote {
  type: 'Normal' | 'Warning'
  reason: string
  message: string
}

export interface EventRecorderOptions {
  client: Pick<KubeClient, 'create' | 'patch'>
  /** Who says it: `trainyard`. */
  component: string
  instance?: string
  /** Events an object may have in a burst, and how many it earns back a minute. */
  burst?: number
  perMinute?: number
  now?: () => number
  /** How many milliseconds each event waits, so that what it tells of goes first. */
  rest?: number
  /** True while the API is better left to more important work: what there is to say waits, for a minute at most. Warnings,
   * and what was said of the same object before them, do not. */
  isBusy?: () => boolean
  onDropped?: (note: EventNote) => void
  onError?: (error: unknown) => void
}

interface Talk {
  tokens: number
  at: number
  /** Events said before, by what they say: to be counted instead of said again. */
  said: Map<string, { name: string; count: number }>
  /** How many of its events that wait are warnings. */
  warnings: number
}

// What was said longer ago is said anew; the API forgets its events after an hour too.
const MEMORY = 10 * 60_000
const MOST_WAITING = 5_000
// Few, because jobs' own writes matter more.
const SIDE_BY_SIDE = 4
const MOST_HELD_BACK = MOST_WAITING / 2
const LONGEST_HELD_BACK = 60_000
const LOOK_AGAIN = 250
const MOST_OBJECTS = 4_096

interface Entry {
  talk: Talk
  about: KubeObject
  note: EventNote
  /** When it was said. */
  at: number
}

/**
 * Writes events about objects, in the background, each object's in order. The same words again only raise a count; an object
 * that says too much is cut short; nothing here can make its caller fail.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions
  readonly #talks = new Map<string, Talk>()
  #waiting: Entry[] = []
  /** Objects whose events are being written: what they say stays in order. */
  readonly #busy = new Set<Talk>()
  readonly #stopping = new AbortController()
  #flushed: Array<() => void> = []
  #lookAgain: NodeJS.Timeout | undefined

  constructor(options: EventRecorderOptions) {
    this.#options = options
  }

  record(about: KubeObject, note: EventNote): void {
    const talk = this.#talkOf(about.metadata.uid ?? '')
    const withinReason = this.#spend(talk) && this.#waiting.length < MOST_WAITING && !this.#stopping.signal.aborted
    if (!withinReason) {
      this.#options.onDropped?.(note)
      return
    }
    if (note.type === 'Warning') talk.warnings++
    this.#waiting.push({ talk, about, note, at: this.#now() })
    this.#dispatch()
  }

  /** Events that are not written yet. */
  get waiting(): number {
    return this.#waiting.length + this.#busy.size
  }

  /** Resolves when everything recorded so far is written. */
  async flush(): Promise<void> {
    if (this.#busy.size === 0 && this.#waiting.length === 0) return
    await new Promise<void>((resolve) => {
      this.#flushed.push(resolve)
      this.#dispatch()
    })
  }

  /** Gives what is waiting a moment to be written, then ends. */
  async stop(patience = 2_000): Promise<void> {
    const timer = setTimeout(() => this.#stopping.abort(), patience)
    await this.flush()
    clearTimeout(timer)
    clearTimeout(this.#lookAgain)
    this.#stopping.abort()
  }

  #dispatch(): void {
    if (this.#stopping.signal.aborted) this.#waiting = []
    while (this.#busy.size < SIDE_BY_SIDE && this.#waiting.length > 0) {
      const mayGo = this.#judge()
      const next = this.#waiting.findIndex((entry) => !this.#busy.has(entry.talk) && mayGo(entry))
      if (next < 0) {
        this.#lookLater()
        break
      }
      const [entry] = this.#waiting.splice(next, 1)
      void this.#carryOut(entry!)
    }
    const isDone = this.#busy.size === 0 && this.#waiting.length === 0
    if (isDone) for (const done of this.#flushed.splice(0)) done()
  }

  /** Which of those that wait may go now. */
  #judge(): (entry: Entry) => boolean {
    if (this.#flushed.length > 0 || this.#waiting.length > MOST_HELD_BACK) return () => true
    const { rest = 0, isBusy } = this.#options
    const now = this.#now()
    const longest = isBusy?.() === true ? LONGEST_HELD_BACK : rest
    return ({ at, talk }) => now - at >= (talk.warnings > 0 ? rest : longest)
  }

  #lookLater(): void {
    this.#lookAgain ??= setTimeout(() => {
      this.#lookAgain = undefined
      this.#dispatch()
    }, LOOK_AGAIN)
  }

  async #carryOut(entry: Entry): Promise<void> {
    const { talk, note } = entry
    if (note.type === 'Warning') talk.warnings--
    this.#busy.add(talk)
    try {
      await this.#write(entry)
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#options.onError?.(error)
    }
    this.#busy.delete(talk)
    this.#dispatch()
  }

  async #write({ about, note, talk, at }: Entry): Promise<void> {
    const { client } = this.#options
    const namespace = about.metadata.namespace ?? 'default'
    const signal = this.#stopping.signal
    const words = `${note.type}\n${note.reason}\n${note.message}`
    const earlier = talk.said.get(words)
    if (earlier !== undefined) {
      const count = earlier.count + 1
      const body = { count, lastTimestamp: toTimestamp(at) }
      try {
        await client.patch(EVENTS, { namespace, name: earlier.name }, { type: 'merge', body }, { signal })
        talk.said.set(words, { name: earlier.name, count })
        return
      } catch (error) {
        // The API has forgotten it meanwhile: say it anew.
        if (!isNotFound(error)) throw error
      }
    }
    const event = this.#build(about, namespace, note, at)
    await client.create(EVENTS, event, { signal })
    talk.said.set(words, { name: event.metadata.name!, count: 1 })
  }

  #build(about: KubeObject, namespace: string, note: EventNote, at: number): Event & KubeObject {
    const { component, instance } = this.#options
    const { name = '', uid, resourceVersion } = about.metadata
    const time = toTimestamp(Math.floor(at / 1000) * 1000)
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace, name: `${name}.${randomHex()}${randomHex()}` },
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        namespace: about.metadata.namespace,
        name,
        uid,
        resourceVersion,
      },
      type: note.type,
      reason: note.reason,
      // The API refuses longer ones.
      message: note.message.length > 1024 ? `${note.message.slice(0, 1023)}…` : note.message,
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
      source: { component },
      reportingComponent: component,
      reportingInstance: instance ?? component,
    }
  }

  #talkOf(uid: string): Talk {
    const now = this.#now()
    const burst = this.#options.burst ?? 25
    let talk = this.#talks.get(uid)
    if (talk === undefined || now - talk.at > MEMORY) talk = { tokens: burst, at: now, said: new Map(), warnings: 0 }
    talk.tokens = Math.min(burst, talk.tokens + ((now - talk.at) / 60_000) * (this.#options.perMinute ?? 2))
    talk.at = now
    // Kept in order of last use, so that the oldest can go.
    this.#talks.delete(uid)
    this.#talks.set(uid, talk)
    if (this.#talks.size > MOST_OBJECTS) this.#talks.delete(this.#talks.keys().next().value!)
    return talk
  }

  #spend(talk: Talk): boolean {
    if (talk.tokens < 1) return false
    talk.tokens -= 1
    return true
  }

  #now(): number {
    return (this.#options.now ?? Date.now)()
  }
}

/** No secret: that no two events have one name is enough. Every command would wait for node:crypto to load. */
function randomHex(): string {
  return Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
}
