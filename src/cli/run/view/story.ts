// What happens to a job's replicas, told in the order in which it happened. The job's record and its pods are heard
// through watches of their own, and either may be ahead of the other: what is told waits for what came before it.
import type { JobPhase, ReplicaStatus } from '../../../api/types.ts'
import type { Instant } from '../../../lib/time.ts'
import type { Grant, Notice } from './notices.ts'

/** A replica's life in steps: attempt 1 is granted, ends, attempt 2 is granted, ends … */
type Step = number
const granted = (attempt: number): Step => 2 * attempt
const ended = (attempt: number): Step => 2 * attempt + 1

interface Fact {
  step: Step
  /** Ends wait until everything the attempt wrote has been read. */
  uid?: string
  /** What led to it: the replica's last end, or the restarts of others that take it along. */
  causes?: Array<[key: string, step: Step]>
  words: () => Notice[]
  heard: Instant
}

interface Chapter {
  /** Heard and not told, in order. */
  facts: Fact[]
  /** The last step that was told, or was over before we came. */
  told: Step
  /** How far the job's record has come, and had come when we came. */
  recorded: Step
  base: Step
  /** Of this attempt, and of those before it, pods will tell nothing more. */
  passed: number
}

interface JobFact {
  notice: Notice
  /** How far each replica had come when the record said so. */
  after: Map<string, Step>
  heard: Instant
}

/** What should come before may have been missed for ever, in a watch that was broken off. */
const PATIENCE = 10_000

export class Story {
  readonly #chapters = new Map<string, Chapter>()
  readonly #job: JobFact[] = []
  readonly #read = new Set<string>()
  #phase: JobPhase = 'Pending'
  #recorded = false

  /** The job's record, before the notices that follow from it. */
  record(phase: JobPhase, entries: Iterable<[string, ReplicaStatus | undefined]>): void {
    this.#phase = phase
    for (const [key, entry] of entries) {
      const chapter = this.#chapter(key)
      chapter.recorded = stepOf(entry)
      if (this.#recorded) continue
      chapter.base = chapter.recorded
      // An end that stands is still worth telling.
      chapter.told = granted(entry?.attempt ?? 1)
    }
    this.#recorded = true
  }

  /** All that one look at the record has shown. */
  grant(grants: readonly Grant[], now: Instant): void {
    const restarts = grants
      .filter(({ restart }) => restart)
      .map(({ key, attempt }): [string, Step] => [key, granted(attempt)])
    for (const { key, attempt, restart, notice, failure } of grants) {
      const chapter = this.#chapter(key)
      const before = ended(attempt - 1)
      const causes = restart ? [[key, before] satisfies [string, Step]] : restarts
      const words = () => [...(failure && chapter.told < before ? [failure] : []), notice]
      add(chapter, { step: granted(attempt), causes, words, heard: now })
    }
  }

  /** Something about the job as a whole, which is so since the replicas have come this far. */
  job(notice: Notice, now: Instant): void {
    const after = new Map([...this.#chapters].map(([key, { recorded }]) => [key, recorded]))
    this.#job.push({ notice, after, heard: now })
  }

  /** A pod of this attempt is there: its predecessors are not. */
  shows(key: string, attempt: number): void {
    const chapter = this.#chapter(key)
    chapter.passed = Math.max(chapter.passed, attempt - 1)
  }

  gone(key: string, attempt: number): void {
    const chapter = this.#chapter(key)
    chapter.passed = Math.max(chapter.passed, attempt)
  }

  end(key: string, { uid, attempt }: { uid: string; attempt: number }, words: () => Notice[], now: Instant): void {
    const chapter = this.#chapter(key)
    if (ended(attempt) > chapter.told) add(chapter, { step: ended(attempt), uid, words, heard: now })
  }

  read(uid: string): void {
    this.#read.add(uid)
  }

  isRead(uid: string): boolean {
    return this.#read.has(uid)
  }

  /** Nothing more will be heard. */
  readAll(): void {
    for (const { facts } of this.#chapters.values()) for (const { uid } of facts) if (uid) this.#read.add(uid)
  }

  /** What can be told by now. `all`: whatever it would have to wait for. */
  take(now: Instant, all = false): Notice[] {
    const notices: Notice[] = []
    for (let before = -1; before < notices.length; ) {
      before = notices.length
      for (const [key, chapter] of this.#chapters) this.#takeFrom(key, chapter, now, all, notices)
      const [next] = this.#job
      if (next && (this.#isDue(next) || isLate(next, now, all))) {
        this.#job.shift()
        notices.push(next.notice)
      }
    }
    return notices
  }

  #takeFrom(key: string, chapter: Chapter, now: Instant, all: boolean, notices: Notice[]): void {
    for (let fact = chapter.facts[0]; fact; fact = chapter.facts[0]) {
      const barrier = this.#job[0]?.after.get(key) ?? Number.POSITIVE_INFINITY
      if (fact.step > barrier || !(this.#mayTell(fact, chapter) || isLate(fact, now, all))) return
      notices.push(...fact.words())
      chapter.facts.shift()
      chapter.told = Math.max(chapter.told, fact.step)
    }
  }

  #mayTell({ step, uid, causes }: Fact, { recorded }: Chapter): boolean {
    if (causes) return causes.every(([key, cause]) => this.#isOver(key, cause))
    if (uid === undefined || !this.#read.has(uid)) return false
    // Whether the job was Running before this end or after it, only its record can tell.
    const unsure = this.#phase === 'Pending' || this.#phase === 'Resuming'
    return recorded >= (unsure ? step : step - 1)
  }

  #isDue({ after }: JobFact): boolean {
    return [...after].every(([key, step]) => {
      const { facts, base } = this.#chapter(key)
      if (facts[0] && facts[0].step <= step) return false
      return step % 2 === 0 || step <= base || this.#isOver(key, step)
    })
  }

  /** It has been told, or is an end that will never be heard of. */
  #isOver(key: string, step: Step): boolean {
    const { told, passed, facts } = this.#chapter(key)
    return told >= step || (step % 2 === 1 && passed >= (step - 1) / 2 && !facts.some((fact) => fact.step === step))
  }

  #chapter(key: string): Chapter {
    const known = this.#chapters.get(key)
    if (known) return known
    const chapter: Chapter = { facts: [], told: granted(1), recorded: granted(1), base: 0, passed: 0 }
    this.#chapters.set(key, chapter)
    return chapter
  }
}

/** A final outcome is the end of its attempt; an attempt that is owed has been granted, and the one before it is over. */
function stepOf(entry: ReplicaStatus | undefined): Step {
  const attempt = entry?.attempt ?? 1
  const owed = entry?.uid !== undefined && entry.uid === entry.replaces
  const final = !owed && (entry?.phase === 'Failed' || entry?.phase === 'Succeeded')
  return final ? ended(attempt) : granted(attempt)
}

function add(chapter: Chapter, fact: Fact): void {
  const at = chapter.facts.findIndex(({ step }) => step > fact.step)
  chapter.facts.splice(at < 0 ? chapter.facts.length : at, 0, fact)
}

function isLate({ heard }: { heard: Instant }, now: Instant, all: boolean): boolean {
  return all || now - heard > PATIENCE
}
