// What is heard of a followed job, into its view; and what its attempts write, as soon as they are heard of.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { AnyJob } from '../home/running-jobs.ts'
import { keptLogs, type Reader, readAttempt, readKept } from './attempt-log.ts'
import type { Display } from './display.ts'
import type { Line } from './line.ts'
import type { JobView } from './view/job-view.ts'
import { attemptOf, type Replica, trainingStatus } from './view/replica-view.ts'

export interface Followed {
  line: Line
  view: JobView
  display: Display
  /** The directory of the home, where the job runs on this machine. */
  home?: string
  /** Of what was written before we came, only these many lines of each replica. */
  tailLines?: number
}

/** How long more is waited for of a finished job's pods that still run. */
const SETTLE = 2_000
/** … and of those that have ended: all they wrote is there, and so is how they ended. */
const SETTLE_ENDED = 30_000
/** A failure is told with the last line, but not later than this. */
const LAST_WORDS = 1_000
const PACE = 20
const WAITS = 1_000

/** Takes in what is heard and starts reading what new attempts write. */
export class News {
  gone = false
  /** Nothing that a server or a network can cause. */
  defect: unknown
  readonly #followed: Followed
  readonly #signal: AbortSignal
  #toldWaits = Date.now()
  /** Attempts being read, by their pods' uids, and when they last brought something. */
  readonly #reading = new Map<string, number>()
  /** Those of them that were over before anything was heard of them. */
  readonly #missed = new Set<string>()
  /** The attempts of a replica are read one after the other. */
  readonly #lastOf = new Map<string, Promise<void>>()
  /** When a replica last brought something, whichever of its attempts. */
  readonly #heard = new Map<string, number>()
  /** Uids of pods that are gone. */
  readonly #gone = new Set<string>()
  /** Pods of attempts that the job's record has not told of yet. */
  readonly #early: Pod[] = []
  /** How many wait for whoever reads what we write; that is not silence. */
  #heldUp = 0

  constructor(followed: Followed, signal: AbortSignal) {
    this.#followed = followed
    this.#signal = signal
  }

  job(job: AnyJob): void {
    this.#followed.view.noteJob(job, Date.now())
    for (const pod of this.#early.splice(0)) this.#read(pod)
    this.#tell()
  }

  pod(pod: Pod): void {
    const { view } = this.#followed
    view.notePod(pod, Date.now())
    this.#read(pod)
    this.#tell()
  }

  podGone(pod: Pod): void {
    this.#gone.add(pod.metadata?.uid ?? '')
    this.#followed.view.notePodGone(pod, Date.now())
    this.#read(pod)
    this.#tell()
  }

  /** What ended programs wrote is read to its end, however much it is; those that still run are not waited for long. */
  async settle(): Promise<void> {
    const { view } = this.#followed
    const start = Date.now()
    while (!this.#signal.aborted) {
      const reading = [...this.#reading].filter(([uid]) => this.#missed.has(uid) || view.hasEnded(uid))
      const progress = Math.max(start, ...reading.map(([, at]) => at))
      const patience = reading.length > 0 || view.awaitsEnds() ? SETTLE_ENDED : SETTLE
      if (Date.now() - progress > patience && this.#heldUp === 0) return
      if (this.#reading.size === 0 && this.#areEndsKnown()) return
      await sleep(PACE)
    }
  }

  #areEndsKnown(): boolean {
    const { view } = this.#followed
    return view.replicas.every(({ place, pod, end }) => {
      if (!view.entryOf(place)?.uid) return true
      return end !== undefined && (pod === undefined || end.attempt >= attemptOf(pod))
    })
  }

  /** At most once a second. */
  tellWaits(now: number): void {
    if (now - this.#toldWaits < WAITS) return
    this.#toldWaits = now
    this.#followed.view.tellWaits()
    this.#tell()
  }

  async tellAll(): Promise<void> {
    for (const replica of this.#followed.view.replicas) await this.#readMissed(replica)
    this.#followed.view.noteAllRead()
    this.#tell(true)
  }

  #read(pod: Pod): void {
    const { line, view, home, tailLines } = this.#followed
    const { name = '', uid = '' } = pod.metadata ?? {}
    const replica = view.replicas.find(({ place }) => place.podName === name)
    const state = replica && trainingStatus(pod, replica.place)?.state
    const container = replica?.place.role.template.spec?.containers[replica.place.role.trainingContainer]?.name
    if (!replica || !container || this.#reading.has(uid) || view.isRead(uid)) return
    if (!(state?.running ?? state?.terminated)) {
      // What kept it from running is told without waiting for words of its own.
      if (view.hasEnded(uid)) view.noteRead(uid)
      return
    }
    if (!view.isRecorded(pod)) {
      this.#early.push(pod)
      return
    }
    const former = this.#lastOf.get(name)
    this.#reading.set(uid, Date.now())
    const before = former ? this.#untilRead(name, former) : this.#readMissed(replica, uid)
    const reading = before
      .then(() =>
        readAttempt(
          line.client,
          { pod, container, tailLines, isOver: () => this.#gone.has(uid) || view.hasEnded(uid) },
          home,
          this.#readerOf(replica, uid),
          this.#signal,
        ),
      )
      .finally(() => {
        this.#reading.delete(uid)
        view.noteRead(uid)
        this.#tell()
      })
    const done = reading.catch((error: unknown) => {
      this.defect ??= error
    })
    this.#lastOf.set(name, done)
    if (state?.terminated) this.#tellInTime(uid)
  }

  #readerOf(replica: Replica, uid: string): Reader {
    const progress = (): void => {
      this.#reading.set(uid, Date.now())
      this.#heard.set(replica.place.podName, Date.now())
    }
    return {
      onLine: (text) => {
        progress()
        this.#line(replica, uid, text)
      },
      ready: () => this.#untilReady().then(progress),
    }
  }

  /** What came before is read to its end, unless nothing more comes of it: something may keep a log open. */
  async #untilRead(podName: string, former: Promise<void>): Promise<void> {
    let done = false
    const end = former.finally(() => {
      done = true
    })
    const start = Date.now()
    const isSilent = () => Date.now() - Math.max(start, this.#heard.get(podName) ?? 0) >= SETTLE && this.#heldUp === 0
    while (!done && !isSilent()) await Promise.race([end, sleep(SETTLE, undefined, { ref: false })])
  }

  async #untilReady(): Promise<void> {
    this.#heldUp++
    await this.#followed.display.ready()
    this.#heldUp--
  }

  #line(replica: Replica, uid: string, text: string): void {
    const { view, display } = this.#followed
    view.noteLine(replica.place.podName, uid, text)
    display.line(replica, text)
    display.changed()
  }

  /** Attempts that were over before anything was heard of them; where logs are kept they can still be read. */
  async #readMissed(replica: Replica, until?: string): Promise<void> {
    const { view, home, tailLines } = this.#followed
    const { place } = replica
    const container = place.role.template.spec?.containers[place.role.trainingContainer]?.name
    if (home === undefined || tailLines !== undefined || !container) return
    for (const log of keptLogs(home, view.job.metadata.uid ?? '', place.podName, container)) {
      if (log.uid === until || this.#signal.aborted) return
      if (this.#reading.has(log.uid) || view.isRead(log.uid)) continue
      this.#missed.add(log.uid)
      this.#reading.set(log.uid, Date.now())
      try {
        await readKept(log, this.#readerOf(replica, log.uid), this.#signal)
      } finally {
        this.#reading.delete(log.uid)
      }
      view.noteRead(log.uid)
    }
  }

  /** Something may keep an ended program's log open. */
  #tellInTime(uid: string): void {
    setTimeout(() => {
      this.#followed.view.noteRead(uid)
      this.#tell()
    }, LAST_WORDS).unref()
  }

  #tell(all = false): void {
    const { view, display } = this.#followed
    if (this.#signal.aborted) return
    for (const notice of view.takeNotices(Date.now(), all)) display.notice(notice)
    display.changed()
  }
}
