// What is known of the job that `run` follows, brought up to date by whatever is heard of it. No I/O and no clock: the
// time comes along with each piece of news.
import type { Pod } from '../../../../gen/kubernetes-types.ts'
import type { JobPhase, JobStatus, ReplicaStatus } from '../../../api/types.ts'
import type { JobModel } from '../../../core/job-model.ts'
import { read } from '../../../core/read.ts'
import { type Place, placesOf } from '../../../core/slots.ts'
import { fromTimestamp, type Instant } from '../../../lib/time.ts'
import { type AnyJob, isFinished, recordOf } from '../../home/running-jobs.ts'
import { fieldOf } from './field-of.ts'
import { entriesOf, type Notice, noticesOfJob, wordsForFailure } from './notices.ts'
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
  readonly #notices: Notice[] = []
  /** Ends that are to be told once the attempt's last lines are there. */
  readonly #untold = new Map<string, { replica: Replica; end: End }>()
  readonly #read = new Set<string>()
  readonly #known = new Set<string>()
  #held: Array<Notice & { replica: string }> = []
  #waits = ''

  /** `begun`: when the job's clock began to run, as far as we saw it. */
  constructor(job: AnyJob, begun: Instant) {
    this.begun = begun
    this.#job = job
    this.#model = read(job)
    this.#place(begun)
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
    for (const notice of noticesOfJob(before, this.record, beforeModel, this.#model, this.replicas)) this.#tell(notice)
  }

  notePod(pod: Pod, now: Instant): void {
    const replica = this.#byPod.get(pod.metadata?.name ?? '')
    if (!replica || (replica.pod && attemptOf(replica.pod) > attemptOf(pod))) return
    replica.pod = pod
    this.#noteEnd(replica, pod)
    this.#settle(now, [replica])
  }

  notePodGone(pod: Pod, now: Instant): void {
    const replica = this.#byPod.get(pod.metadata?.name ?? '')
    if (!replica || replica.pod?.metadata?.uid !== pod.metadata?.uid) return
    this.#noteEnd(replica, pod)
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
    this.#read.add(uid)
    const found = this.#untold.get(uid)
    if (!found) return
    this.#untold.delete(uid)
    const { replica, end } = found
    if (end.exitCode !== 0) this.#notices.push(this.#failure(replica, end))
    const due = this.#held.filter(({ replica: key }) => key === replica.place.key)
    this.#held = this.#held.filter(({ replica: key }) => key !== replica.place.key)
    this.#notices.push(...due)
  }

  noteAllRead(): void {
    for (const uid of [...this.#untold.keys()]) this.noteRead(uid)
  }

  /** This attempt is over, as far as has been heard. */
  hasEnded(uid: string): boolean {
    return this.#known.has(uid)
  }

  isRead(uid: string): boolean {
    return this.#read.has(uid)
  }

  /** What is to be told since the last time. */
  takeNotices(): Notice[] {
    return this.#notices.splice(0)
  }

  #noteEnd(replica: Replica, pod: Pod): void {
    const end = endOf(pod, replica.place)
    if (!end || this.#known.has(end.uid)) return
    this.#known.add(end.uid)
    replica.end = end
    this.#untold.set(end.uid, { replica, end })
    if (this.#read.has(end.uid)) this.noteRead(end.uid)
  }

  #failure({ place, linesOf }: Replica, end: End): Notice {
    return wordsForFailure(place, end, linesOf === end.uid, fieldOf(this.#job, this.#model, place))
  }

  /** "Is started again" comes after "failed", whichever was heard first. */
  #tell(notice: Notice): void {
    const { replica } = notice
    const waits = replica !== undefined && [...this.#untold.values()].some((each) => each.replica.place.key === replica)
    if (waits) this.#held.push({ ...notice, replica })
    else this.#notices.push(notice)
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
    const refused = this.record.conditions?.find((c) => c.type === 'CreationRefused' && c.status === 'True')?.message
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
      this.#notices.push({ about: 'progress', text: `${names.join(', ')}${more} ${verb}: ${reason}` })
    }
  }
}
