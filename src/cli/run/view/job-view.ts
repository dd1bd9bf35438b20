// What is known of the job that `run` follows, brought up to date by whatever is heard of it. No I/O and no clock: the
// time comes along with each piece of news.
import type { Pod } from '../../../../gen/kubernetes-types.ts'
import type { JobPhase, JobStatus, ReplicaStatus } from '../../../api/types.ts'
import type { JobModel } from '../../../core/job-model.ts'
import { read } from '../../../core/read.ts'
import { type Place, placesOf } from '../../../core/slots.ts'
import { fromTimestamp, type Instant } from '../../../lib/time.ts'
import { type AnyJob, isFinished, recordOf } from '../../home/running-jobs.ts'
import { entriesOf, grantsOf, type Notice, noticesOfJob, wordsForFailure } from './notices.ts'
import { refusalOf } from './refusal.ts'
import {
  attemptOf,
  type End,
  endOf,
  hindrance,
  type Replica,
  type ReplicaState,
  runningSince,
  stateOf,
  waitsFor,
} from './replica-view.ts'
import { saidIn } from './said-in.ts'
import { Story } from './story.ts'

const isAwaited = (state: ReplicaState): boolean => ['Starting', 'Pending', 'Restarting'].includes(state)

/** Enough for the summary of a failed run. */
const LINES_KEPT = 20

export class JobView {
  readonly begun: Instant
  #job: AnyJob
  #model: JobModel
  readonly #replicas = new Map<string, Replica>()
  readonly #byPod = new Map<string, Replica>()
  #inOrder: Replica[] = []
  #entries = new Map<string, ReplicaStatus>()
  readonly #waiting: Notice[] = []
  readonly #story = new Story()
  readonly #ended = new Set<string>()
  #waits = ''

  /** `begun`: when the job's clock began to run, as far as we saw it. */
  constructor(job: AnyJob, begun: Instant) {
    this.begun = begun
    this.#job = job
    this.#model = read(job)
    this.#place(begun)
    this.#record()
  }

  get job(): AnyJob {
    return this.#job
  }

  get model(): JobModel {
    return this.#model
  }

  get record(): JobStatus {
    return recordOf(this.#job)
  }

  get phase(): JobPhase {
    return this.record.phase ?? 'Pending'
  }

  get finished(): boolean {
    return isFinished(this.#job)
  }

  /** In order of rank. */
  get replicas(): readonly Replica[] {
    return this.#inOrder
  }

  entryOf(place: Place): ReplicaStatus | undefined {
    return this.#entries.get(place.podName)
  }

  elapsed(now: Instant): number {
    const { startTime, completionTime } = this.record
    const [start, end] = [fromTimestamp(startTime), fromTimestamp(completionTime)]
    if (start !== undefined && end !== undefined) return Math.max(0, end - start)
    return Math.max(0, now - this.begun)
  }

  noteJob(job: AnyJob, now: Instant): void {
    const before = this.record
    const beforeModel = this.#model
    this.#job = job
    this.#model = read(job)
    this.#place(now)
    this.#settle(now)
    this.#record()
    this.#story.grant(grantsOf(before, this.record, this.#model, this.replicas, now), now)
    for (const notice of noticesOfJob(before, this.record, beforeModel, this.#model, this.replicas)) {
      this.#story.job(notice, now)
    }
  }

  notePod(pod: Pod, now: Instant): void {
    const replica = this.#byPod.get(pod.metadata?.name ?? '')
    if (!replica || (replica.pod && attemptOf(replica.pod) > attemptOf(pod))) return
    replica.pod = pod
    this.#story.shows(replica.place.key, attemptOf(pod))
    this.#noteEnd(replica, pod, now)
    this.#settle(now, [replica])
  }

  notePodGone(pod: Pod, now: Instant): void {
    const replica = this.#byPod.get(pod.metadata?.name ?? '')
    if (!replica || replica.pod?.metadata?.uid !== pod.metadata?.uid) return
    this.#noteEnd(replica, pod, now)
    this.#story.gone(replica.place.key, attemptOf(pod))
    // A finished job's pods are cleaned away; how they ended stays.
    if (!this.finished || endOf(pod, replica.place) === undefined) replica.pod = undefined
    this.#settle(now, [replica])
  }

  noteLine(podName: string, uid: string, line: string): void {
    const replica = this.#byPod.get(podName)
    if (!replica) return
    if (replica.linesOf !== uid) replica.lines = []
    replica.linesOf = uid
    replica.lines.push(line)
    if (replica.lines.length > LINES_KEPT) replica.lines.shift()
  }

  /** Everything this attempt wrote has been read: now its end can be told. */
  noteRead(uid: string): void {
    this.#story.read(uid)
  }

  noteAllRead(): void {
    this.#story.readAll()
  }

  /** The record knows of this attempt: what it writes comes after what is told of its predecessor. */
  isRecorded(pod: Pod): boolean {
    const replica = this.#byPod.get(pod.metadata?.name ?? '')
    return replica !== undefined && attemptOf(pod) <= (this.entryOf(replica.place)?.attempt ?? 1)
  }

  /** This attempt is over, as far as has been heard. */
  hasEnded(uid: string): boolean {
    return this.#ended.has(uid)
  }

  /** The record tells of ends of which the pods we know have not told yet. */
  awaitsEnds(): boolean {
    return this.replicas.some(({ place, pod, end }) => {
      const entry = this.entryOf(place)
      const final = entry?.uid !== entry?.replaces && (entry?.phase === 'Failed' || entry?.phase === 'Succeeded')
      return final && pod !== undefined && pod.metadata?.uid === entry?.uid && end?.uid !== entry?.uid
    })
  }

  isRead(uid: string): boolean {
    return this.#story.isRead(uid)
  }

  /** What is to be told since the last time. `all`: nothing more is waited for. */
  takeNotices(now: Instant, all = false): Notice[] {
    return [...this.#story.take(now, all), ...this.#waiting.splice(0)]
  }

  #record(): void {
    this.#story.record(
      this.phase,
      this.replicas.map(({ place }) => [place.key, this.entryOf(place)]),
    )
  }

  #noteEnd(replica: Replica, pod: Pod, now: Instant): void {
    const end = endOf(pod, replica.place)
    if (!end || this.#ended.has(end.uid)) return
    this.#ended.add(end.uid)
    replica.end = end
    this.#story.end(replica.place.key, end, () => (end.exitCode === 0 ? [] : [this.#failure(replica, end)]), now)
  }

  #failure({ place, linesOf }: Replica, end: End): Notice {
    return wordsForFailure(place, end, linesOf === end.uid, saidIn(this.#job, this.#model, place))
  }

  #place(now: Instant): void {
    this.#entries = entriesOf(this.record)
    this.#inOrder = placesOf(this.#model).map((place) => {
      const known = this.#replicas.get(place.key)
      const replica: Replica = known ?? { place, state: 'Starting', since: now, lines: [] }
      replica.place = place
      this.#replicas.set(place.key, replica)
      this.#byPod.set(place.podName, replica)
      return replica
    })
  }

  #settle(now: Instant, replicas: readonly Replica[] = this.replicas): void {
    const refused = refusalOf(this.#job)
    for (const replica of replicas) {
      const state = stateOf(replica, this.entryOf(replica.place), this.phase)
      if (state !== replica.state) {
        replica.state = state
        replica.since = (state === 'Running' ? runningSince(replica.pod, replica.place) : undefined) ?? now
      }
      replica.waitsFor = waitsFor(replica.pod) ?? hindrance(replica.pod) ?? (replica.pod ? undefined : refused)
    }
  }

  /** Called now and then rather than for each pod, so that those who wait alike are told together. */
  tellWaits(): void {
    const waiting = this.replicas.filter(({ state, waitsFor: reason }) => reason !== undefined && isAwaited(state))
    const text = waiting.map(({ place, waitsFor: reason }) => `${place.key} ${reason}`).join('\n')
    if (text === this.#waits) return
    this.#waits = text
    const reasons = Map.groupBy(waiting, (replica) => replica.waitsFor!)
    for (const [reason, replicas] of reasons) {
      const names = replicas.slice(0, 3).map(({ place }) => place.key)
      const more = replicas.length > 3 ? ` and ${replicas.length - 3} more` : ''
      const verb = replicas.length > 1 ? 'wait' : 'waits'
      this.#waiting.push({ about: 'progress', text: `${names.join(', ')}${more} ${verb}: ${reason}` })
    }
  }
}
