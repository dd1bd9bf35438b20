// Follows a job to its end: the job, its pods and what they write, into a view and onto a display.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { Informer, isNotFound, type KubeObject, PODS } from '../../kube/index.ts'
import { type AnyJob, resourceOf } from '../home/running-jobs.ts'
import { readAttempt } from './attempt-log.ts'
import type { Display } from './display.ts'
import type { Line } from './line.ts'
import type { JobView } from './view/job-view.ts'
import { attemptOf, trainingStatus } from './view/replica-view.ts'

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
const PROBE = 1_000
const GIVE_UP = 30_000
const BACKOFF = { first: 250, most: 2_000 }

/** Resolves when the job has ended or is gone, and everything about it has been told; or when it is left alone. */
export async function followJob(followed: Followed, signal: AbortSignal): Promise<'finished' | 'gone' | 'left'> {
  const { view } = followed
  const { client } = followed.line
  const { namespace, name, uid } = view.job.metadata
  const stop = new AbortController()
  const running = AbortSignal.any([signal, stop.signal])
  const news = new News(followed, running)
  const trouble = { since: undefined as number | undefined, told: false }
  const onError = () => {
    trouble.since ??= Date.now()
  }
  const jobs = new Informer<AnyJob>({
    client,
    resource: resourceOf(view.job),
    selection: { namespace, fieldSelector: `metadata.name=${name}` },
    onError,
    backoff: BACKOFF,
    onChange: ({ type, object }) => {
      if (object.metadata.uid !== uid) return
      if (type === 'removed') news.gone = true
      else news.job(object)
    },
  })
  const pods = new Informer<Pod & KubeObject>({
    client,
    resource: PODS,
    selection: { namespace, labelSelector: `trainyard.dev/job-uid=${uid}` },
    onError,
    backoff: BACKOFF,
    onChange: ({ type, object }) => (type === 'removed' ? news.podGone(object) : news.pod(object)),
  })
  const loops = [jobs.run(running), pods.run(running)]
  try {
    await Promise.race([jobs.synced, aborted(running)])
    // It may have gone before we came.
    if (!running.aborted && jobs.cache.size === 0) news.gone = true
    while (!view.finished && !news.gone && !running.aborted) {
      await sleep(PACE, undefined, { signal: running }).catch(() => {})
      news.tellWaits(Date.now())
      if (news.defect !== undefined) throw news.defect
      if (trouble.since !== undefined && !running.aborted) await ask(followed, trouble, running)
    }
    if (view.finished && !running.aborted) {
      await news.settle()
      news.tellAll()
    }
  } finally {
    stop.abort()
    await Promise.allSettled(loops)
  }
  if (view.finished) return 'finished'
  return news.gone ? 'gone' : 'left'
}

/** Takes in what is heard and starts reading what new attempts write. */
class News {
  gone = false
  /** Nothing that a server or a network can cause. */
  defect: unknown
  readonly #followed: Followed
  readonly #signal: AbortSignal
  #toldWaits = Date.now()
  /** Attempts being read, by their pods' uids, and when they last brought something. */
  readonly #reading = new Map<string, number>()
  /** The attempts of a replica are read one after the other. */
  readonly #lastOf = new Map<string, Promise<void>>()
  /** Pods of attempts that the job's record has not told of yet. */
  readonly #early: Pod[] = []

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
    this.#followed.view.notePodGone(pod, Date.now())
    this.#read(pod)
    this.#tell()
  }

  /** What ended programs wrote is read to its end, however much it is; those that still run are not waited for long. */
  async settle(): Promise<void> {
    const { view } = this.#followed
    const start = Date.now()
    while (!this.#signal.aborted) {
      const reading = [...this.#reading].filter(([uid]) => view.hasEnded(uid))
      const progress = Math.max(start, ...reading.map(([, at]) => at))
      const patience = reading.length > 0 || view.knowsOfUnheardEnds() ? SETTLE_ENDED : SETTLE
      if (Date.now() - progress > patience) return
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

  tellAll(): void {
    this.#followed.view.noteAllRead()
    this.#tell(true)
  }

  #read(pod: Pod): void {
    const { line, view, display, home, tailLines } = this.#followed
    const { name = '', uid = '' } = pod.metadata ?? {}
    const replica = view.replicas.find(({ place }) => place.podName === name)
    const state = replica && trainingStatus(pod, replica.place)?.state
    const container = replica?.place.role.template.spec?.containers[replica.place.role.trainingContainer]?.name
    if (
      !replica ||
      !container ||
      !(state?.running ?? state?.terminated) ||
      this.#reading.has(uid) ||
      view.isRead(uid)
    ) {
      return
    }
    if (!view.isRecorded(pod)) {
      this.#early.push(pod)
      return
    }
    const onLine = (text: string): void => {
      this.#reading.set(uid, Date.now())
      view.noteLine(name, uid, text)
      display.line(replica, text)
      display.changed()
    }
    this.#reading.set(uid, Date.now())
    const before = Promise.race([this.#lastOf.get(name), sleep(SETTLE, undefined, { ref: false })])
    const reading = before
      .then(() => readAttempt(line.client, { pod, container, tailLines }, home, onLine, this.#signal))
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

/** The API has not answered somebody: is it still there? Gives up with its error in the end. */
async function ask(
  { line, view, display }: Followed,
  trouble: { since: number | undefined; told: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '' } = view.job.metadata
  try {
    await line.client.get(resourceOf(view.job), { namespace, name }, signal)
    if (trouble.told) display.notice({ about: 'trouble', text: `${line.who} answers again` })
    trouble.since = undefined
    trouble.told = false
  } catch (error) {
    if (signal.aborted || isNotFound(error)) {
      trouble.since = undefined
      return
    }
    if (Date.now() - trouble.since! > GIVE_UP) throw error
    if (!trouble.told)
      display.notice({ about: 'trouble', text: `${line.who} does not answer; trying again`, detail: line.advice })
    trouble.told = true
    if (await line.reconnect()) return
    await sleep(PROBE, undefined, { signal }).catch(() => {})
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
