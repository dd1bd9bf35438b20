// Brings one pod from being bound to being gone: looks at what is, decides, acts, and tells the API.
import { rmSync } from 'node:fs'
import type { Pod, PodStatus } from '../../../gen/kubernetes-types.ts'
import { sameJson } from '../../lib/json.ts'
import { fromTimestamp, type Instant } from '../../lib/time.ts'
import type { KubeletContext } from '../context.ts'
import { bootOf, type PodRecord } from '../home-directory.ts'
import type { PodEvent } from '../interfaces.ts'
import { keepTimes } from '../logs/kept-times.ts'
import { killTree } from '../process/tree.ts'
import { hasMounts, rootOf } from '../volumes/namespace.ts'
import { removeMemoryVolumes } from '../volumes/provide.ts'
import { spareRoot } from '../volumes/spare-roots.ts'
import { buildPodStatus } from './build-status.ts'
import { leastGrace } from './container-stop.ts'
import { decidePod, nextToStop, type PodDecision } from './decide-pod.ts'
import { PodContainer } from './pod-container.ts'
import { reportOf } from './report-container.ts'
import { StorageWatch } from './storage-watch.ts'

const startingLook = 5
const longestTimer = 3_600_000
const longestRetry = 5000

export class PodWorker {
  readonly uid: string
  readonly directory: string
  readonly #logDirectory: string
  readonly containers: PodContainer[]
  readonly #context: KubeletContext
  readonly #record: PodRecord
  readonly #finished: () => void
  readonly #storage: StorageWatch
  #pod: Pod
  #written: PodStatus | undefined
  #gone = false
  #closed = false
  #busy = false
  #dirty = false
  #failures = 0
  #stopBy: Instant | undefined
  #timer: NodeJS.Timeout | undefined
  #wakeAt: Instant | undefined

  /** `note` says things once per job; `finished` hears when nothing of the pod is left. */
  constructor(
    context: KubeletContext,
    record: PodRecord,
    directory: string,
    logDirectory: string,
    note: (event: PodEvent) => void,
    finished: () => void,
  ) {
    this.uid = record.pod.metadata?.uid ?? ''
    this.directory = directory
    this.#logDirectory = logDirectory
    this.#context = context
    this.#record = record
    this.#pod = record.pod
    this.#finished = finished
    const around = {
      context,
      directory,
      logDirectory,
      pod: () => this.#pod,
      wake: () => this.wake(),
      event: (event: PodEvent) => this.#context.sink.recordEvent(this.#pod, event),
      note,
    }
    this.#storage = new StorageWatch(record.pod, directory, logDirectory, (message) => {
      around.event({ type: 'Warning', reason: 'Evicted', message })
      this.wake()
    })
    // The spec as it was taken on: containers cannot change while they run.
    const { initContainers = [], containers = [] } = record.pod.spec ?? {}
    this.containers = [
      ...initContainers.map(
        (spec) => new PodContainer(spec, spec.restartPolicy === 'Always' ? 'sidecar' : 'init', around),
      ),
      ...containers.map((spec) => new PodContainer(spec, 'main', around)),
    ]
  }

  get pod(): Pod {
    return this.#pod
  }

  get isClosed(): boolean {
    return this.#closed
  }

  update(pod: Pod): void {
    this.#pod = pod
    this.wake()
  }

  /** The API no longer has it: whatever runs is ended at once. */
  forget(): void {
    this.#gone = true
    this.wake()
  }

  wake(): void {
    this.#dirty = true
    if (this.#busy || this.#closed) return
    this.#busy = true
    void this.#work()
  }

  /** This home leaves; the processes stay. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#storage.rest()
    for (const container of this.containers) container.close()
  }

  async #work(): Promise<void> {
    while (this.#dirty && !this.#closed) {
      this.#dirty = false
      clearTimeout(this.#timer)
      this.#wakeAt = undefined
      try {
        await this.#sync()
        this.#failures = 0
      } catch (error) {
        // The API or the disk did not answer; what is to be done is worked out anew.
        this.#context.onError(`looking after pod ${this.#pod.metadata?.name}`, error)
        this.#wakeIn(Math.min(100 * 2 ** this.#failures++, longestRetry))
      }
    }
    this.#busy = false
  }

  async #sync(): Promise<void> {
    const now = Date.now()
    const views = this.containers.map((container) => container.look())
    for (const container of this.containers) await container.sweep()
    const active = views.filter(({ current }) => current === 'running' || current === 'starting')
    if (active.some(({ current }) => current === 'starting')) this.#wakeIn(startingLook)
    const decision = decidePod(this.#pod.spec?.restartPolicy, views, now, this.#context.restartDelay)

    if (this.#gone || this.#pod.metadata?.deletionTimestamp) {
      if (this.#gone) for (const container of this.containers) container.stop(now)
      else this.#stop(nextToStop(views), this.#stopDeadline(now), now)
      if (active.length === 0) await this.#leave(decision, now)
      else if (!this.#gone) await this.#report({ ...decision, start: [], outcome: undefined }, now)
      return
    }
    if (this.#storage.evicted !== undefined) {
      // Without grace, as Kubernetes does it: with grace it could go on filling the disk.
      for (const container of this.containers) container.stop(now)
      if (active.length === 0) await this.#report({ ...decision, start: [], outcome: 'Failed' }, now)
      return
    }
    if (active.length > 0) this.#storage.watch()
    else this.#storage.rest()
    if (decision.wakeAt !== undefined) this.#wakeIn(decision.wakeAt - now)
    this.#watchDeadline(now)
    const overdue = this.#isOverdue(now) && !decision.outcome
    if (overdue) {
      this.#stop(nextToStop(views), now + this.#grace() * 1000, now)
      if (active.length > 0) return this.#report(decision, now)
    }
    this.#stop(decision.stop, now + this.#grace() * 1000, now)
    if (!overdue) await this.#start(decision.start, now)
    // A program runs milliseconds after it was started: that it is starting is not worth a write.
    const soon = this.#dirty || views.some(({ current }) => current === 'starting')
    if (soon && !this.containers.some(({ waiting }) => waiting)) return
    await this.#report(overdue ? { ...decision, outcome: 'Failed' } : decision, now)
  }

  async #start(names: string[], now: Instant): Promise<void> {
    for (const name of names) {
      const container = this.#container(name)
      if (container.retryAt !== undefined && container.retryAt > now) {
        this.#wakeIn(container.retryAt - now)
        continue
      }
      await container.start()
      this.#dirty = true
    }
  }

  /** A sidecar whose turn comes when no time is left gets a moment nevertheless. */
  #stop(names: string[], deadline: Instant, now: Instant): void {
    for (const container of names.map((name) => this.#container(name)))
      container.stop(container.role === 'sidecar' ? Math.max(deadline, now + leastGrace) : deadline)
  }

  /** The end of the pod: its last status, its removal from the API, and once it is gone there, from the disk. */
  async #leave(decision: PodDecision, now: Instant): Promise<void> {
    const left = await killTree({ podUid: this.uid, supervisors: [] })
    if (left.length > 0) throw new Error('processes are left')
    keepTimes(this.#logDirectory, this.containers)
    if (!this.#gone) {
      await this.#report(decision, now)
      await this.#context.sink.removePod(this.#pod)
      return
    }
    this.close()
    this.#context.cgroups?.remove(this.uid)
    removeMemoryVolumes(this.uid)
    if (hasMounts(this.directory)) throw new Error('something is mounted in it')
    for (const container of this.containers) spareRoot(rootOf(container.directory), this.#context.home.roots)
    rmSync(this.directory, { recursive: true, force: true })
    this.#finished()
  }

  async #report(decision: PodDecision, now: Instant): Promise<void> {
    const { acceptedAt, boot } = this.#record
    const disruption =
      boot !== undefined && boot !== bootOf() && this.#hasLostRun() ? 'the machine was restarted' : undefined
    const containers = this.containers.map((container) => reportOf(container))
    const pod = {
      ...this.#pod,
      status: { ...this.#pod.status, conditions: this.#written?.conditions ?? this.#pod.status?.conditions },
    }
    const status = buildPodStatus({ pod, acceptedAt, containers, decision, disruption }, now)
    if (this.#isOverdue(now) && decision.outcome === 'Failed') {
      Object.assign(status, {
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
      })
    }
    const { evicted } = this.#storage
    if (evicted !== undefined && decision.outcome === 'Failed')
      Object.assign(status, { reason: 'Evicted', message: evicted })
    if (sameJson(status, this.#written ?? this.#pod.status)) return
    await this.#context.sink.writeStatus(this.#pod, status)
    this.#written = status
  }

  #hasLostRun(): boolean {
    return this.containers.some(({ view }) => view?.kind === 'ended' && view.end.reason === 'ContainerStatusUnknown')
  }

  /** From the first look on, but never later than the API says: a home that comes back does not begin anew. */
  #stopDeadline(now: Instant): Instant {
    const { deletionTimestamp, deletionGracePeriodSeconds } = this.#pod.metadata ?? {}
    const grace = (deletionGracePeriodSeconds ?? this.#grace()) * 1000
    const promised = (fromTimestamp(deletionTimestamp) ?? now) + 1000
    this.#stopBy = Math.min(this.#stopBy ?? Number.POSITIVE_INFINITY, now + grace, Math.max(promised, now))
    return this.#stopBy
  }

  #grace(): number {
    return this.#pod.spec?.terminationGracePeriodSeconds ?? 30
  }

  #deadline(): Instant | undefined {
    const seconds = this.#pod.spec?.activeDeadlineSeconds
    return seconds === undefined ? undefined : this.#record.acceptedAt + seconds * 1000
  }

  #isOverdue(now: Instant): boolean {
    const deadline = this.#deadline()
    return deadline !== undefined && deadline <= now
  }

  #watchDeadline(now: Instant): void {
    const deadline = this.#deadline()
    if (deadline !== undefined && deadline > now) this.#wakeIn(deadline - now)
  }

  #container(name: string): PodContainer {
    return this.containers.find(({ spec }) => spec.name === name)!
  }

  #wakeIn(ms: number): void {
    const at = Date.now() + Math.min(Math.max(ms, 1), longestTimer)
    if (this.#wakeAt !== undefined && at >= this.#wakeAt) return
    clearTimeout(this.#timer)
    this.#wakeAt = at
    this.#timer = setTimeout(() => this.wake(), at - Date.now())
  }
}
