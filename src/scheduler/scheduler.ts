// The scheduler's door: looks whenever something changes, carries out what a look decides, and says of the rest what it
// waits for.
import { EventRecorder, isConflict, isNotFound, type KubeClient, pause } from '../kube/index.ts'
import type { Instant } from '../lib/time.ts'
import { findOverdue } from './max-duration.ts'
import { decidePlacement, type Placement } from './place/decide-placement.ts'
import type { Binding, Eviction, PodFacts } from './place/snapshot.ts'
import { View } from './view.ts'
import { bindPod, describeEviction, evictPod } from './write/bind-and-evict.ts'
import { DurationKeeper } from './write/duration-keeper.ts'
import { tellOfGoneQueue } from './write/gone-queue.ts'
import { StatusKeeper } from './write/status-keeper.ts'
import { Teller } from './write/teller.ts'

export interface SchedulerOptions {
  client: KubeClient
  /** Whether a queue without namespaceSelector is open to all namespaces; yes unless said otherwise. */
  openWithoutSelector?: boolean
  /** After how many milliseconds a group that found no room has some kept for it. */
  patience?: number
  onError?: (where: string, error: unknown) => void
}

export interface Scheduler {
  ready: Promise<void>
  stop(): Promise<void>
}

const RETRY = 1_000
const PATIENCE = 2 * 60 * 60_000
const SIDE_BY_SIDE = 64
/** Looks take no more than a quarter of the time, however many changes come in. */
const REST = 3
const LONGEST_REST = 500

export function startScheduler(options: SchedulerOptions): Scheduler {
  const scheduler = new RunningScheduler(options)
  return { ready: scheduler.ready, stop: () => scheduler.stop() }
}

class RunningScheduler {
  readonly ready: Promise<void>
  readonly #client: KubeClient
  readonly #onError: (where: string, error: unknown) => void
  readonly #stopping = new AbortController()
  readonly #view: View
  readonly #events: EventRecorder
  readonly #statuses: StatusKeeper
  readonly #teller: Teller
  readonly #durations: DurationKeeper
  readonly #runs: Promise<unknown>
  #untold: Placement | undefined
  #telling: Promise<void> | undefined
  #looking: Promise<void> | undefined
  #again = false
  #timer: NodeJS.Timeout | undefined
  #wakeAt: Instant | undefined
  #synced = false

  constructor({ client, openWithoutSelector = true, patience = PATIENCE, onError = () => {} }: SchedulerOptions) {
    this.#client = client
    this.#onError = onError
    const onChange = (about: { groups?: readonly string[]; queues?: readonly string[] }): void => {
      for (const key of about.groups ?? []) this.#statuses.group(key)
      for (const name of about.queues ?? []) this.#statuses.queue(name)
      if (this.#synced) this.#look()
    }
    const onQueueGone = (name: string): void => tellOfGoneQueue(view, this.#events, name)
    const view = new View({ client, openWithoutSelector, patience, onChange, onQueueGone, onError })
    this.#view = view
    const component = 't9k-scheduler'
    this.#events = new EventRecorder({ client, component, onError: (error) => onError('recording an event', error) })
    this.#statuses = new StatusKeeper({
      client,
      view,
      events: this.#events,
      waits: (group) => this.#teller.of(group),
      onError,
    })
    const onGroup = (key: string): void => this.#statuses.group(key)
    this.#teller = new Teller({ client, view, events: this.#events, onGroup, onError })
    this.#durations = new DurationKeeper({ client, view, events: this.#events })
    this.#runs = view.run(this.#stopping.signal)
    this.ready = view.synced.then(() => {
      this.#synced = true
      this.#look()
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await Promise.all([this.#runs, this.#looking, this.#telling, this.#statuses.stop(), this.#events.stop()])
  }

  /** One look at a time; what changes meanwhile is looked at afterwards. */
  #look(): void {
    this.#again = true
    if (this.#stopping.signal.aborted) return
    this.#looking ??= this.#lookUntilQuiet()
      .catch((error) => {
        this.#onError('placing pods', error)
        this.#lookAt(Date.now() + RETRY)
      })
      .finally(() => {
        this.#looking = undefined
        if (this.#again) this.#look()
      })
  }

  async #lookUntilQuiet(): Promise<void> {
    // Changes come in bursts: a job's pods are one look, not a look each.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#again && !this.#stopping.signal.aborted) {
      this.#again = false
      const took = await this.#lookOnce()
      if (took > 2) await pause(Math.min(REST * took, LONGEST_REST), this.#stopping.signal)
    }
  }

  /** Returns how long the deciding took. */
  async #lookOnce(): Promise<number> {
    const { signal } = this.#stopping
    const now = Date.now()
    const start = performance.now()
    const snapshot = this.#view.snapshot(now)
    const placement = decidePlacement(snapshot)
    const overdue = findOverdue(snapshot)
    const took = performance.now() - start
    if (overdue.next !== undefined) this.#lookAt(overdue.next)
    await inTurns(placement.bindings, (binding) => this.#bind(binding))
    await inTurns(placement.evictions, (eviction) => this.#evict(eviction))
    if (overdue.pods.length > 0) await this.#durations.end(overdue.pods, signal)
    if (placement.wakeAt !== undefined) this.#lookAt(placement.wakeAt)
    this.#untold = placement
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = undefined
    })
    return took
  }

  /** Beside the looks: those who wait need not hold up those who come after them. Only the latest word counts. */
  async #tell(): Promise<void> {
    for (let placement = this.#untold; placement; placement = this.#untold) {
      this.#untold = undefined
      const later = await this.#teller.tell(placement, Date.now(), this.#stopping.signal)
      if (later !== undefined) this.#lookAt(later)
    }
  }

  async #bind(binding: Binding): Promise<void> {
    const { pod, node } = binding
    this.#view.assume(pod, node)
    await this.#carryOut('binding', pod, bindPod(this.#client, binding, this.#stopping.signal))
  }

  async #evict(eviction: Eviction): Promise<void> {
    const { pod } = eviction
    this.#view.expectToLeave(pod)
    const about = this.#view.podOf(pod)
    if (about)
      this.#events.record(about, { type: 'Warning', reason: eviction.reason, message: describeEviction(eviction) })
    await this.#carryOut('removing', pod, evictPod(this.#client, eviction, this.#stopping.signal))
  }

  async #carryOut(what: string, pod: PodFacts, deed: Promise<void>): Promise<void> {
    try {
      await deed
    } catch (error) {
      this.#view.takeBack(pod)
      if (isNotFound(error) || isConflict(error) || this.#stopping.signal.aborted) return
      this.#onError(`${what} pod ${pod.name}`, error)
      this.#lookAt(Date.now() + RETRY)
    }
  }

  #lookAt(instant: Instant): void {
    if (this.#stopping.signal.aborted || (this.#wakeAt !== undefined && this.#wakeAt <= instant)) return
    clearTimeout(this.#timer)
    this.#wakeAt = instant
    // Timers know 24 days; whoever waits for longer is looked at in between.
    this.#timer = setTimeout(() => this.#wake(), Math.min(Math.max(0, instant - Date.now()), 2 ** 31 - 1))
  }

  #wake(): void {
    this.#wakeAt = undefined
    this.#look()
  }
}

async function inTurns<T>(items: readonly T[], handle: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) await handle(items[next++]!)
  }
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, items.length) }, worker))
}
