// The operator's door: informers feed a queue of jobs; each job in turn is read, decided and seen to.
import { phaseOfJob } from '../api/job-phase.ts'
import type { JobPhase, TrainingJob } from '../api/types.ts'
import { decide } from '../core/decide.ts'
import type { Decision, Observed } from '../core/decision.ts'
import type { JobModel } from '../core/job-model.ts'
import { journalOf } from '../core/journal.ts'
import { read } from '../core/read.ts'
import { abortOf, delayOf, EventRecorder, pause, WorkQueue } from '../kube/index.ts'
import { sameJson } from '../lib/json.ts'
import { AwaitedEnd } from './awaited-end.ts'
import { BusyPatience } from './busy-patience.ts'
import { execute, JobMemory } from './execute.ts'
import { Gathered } from './gathered.ts'
import { JobCluster, type JobClusterOptions, ownWritesInto } from './job-cluster.ts'
import type { OperatorMetrics } from './metrics.ts'
import { Newborns } from './newborns.ts'
import { type OperatorOptions, type Term, worldFor } from './options.ts'
import { noteProgress } from './progress.ts'
import { type JobName, parseJobKey } from './resources.ts'
import { startBoards } from './tensorboard/boards.ts'
import type { World } from './world.ts'

export interface Operator {
  /** Resolves when the operator knows the cluster and has begun to work. */
  ready: Promise<void>
  /** Ends everything in good order; resolves when nothing is left running. */
  stop(): Promise<void>
}

interface Known {
  uid: string
  memory: JobMemory
  end: AwaitedEnd
  /** Something has been tried for it. */
  seen: boolean
  /** A status that is yet to be stored, and the stored one it follows. */
  ahead?: { of: unknown; status: object }
  /** Passes in a row that asked to be repeated. */
  repeats: number
  /** Events its memory had dropped when last looked at. */
  dropped: number
}

const OVER: ReadonlySet<JobPhase> = new Set(['Succeeded', 'Failed'])
const REPEAT = { first: 20, most: 5_000 }
const REPEATS_AT_ONCE = 5
/** How long a new job's first look may wait for the API to say whether there is a gang scheduler. */
const LOOK_FOR_SCHEDULER = 2_000

export function startOperator(options: OperatorOptions): Operator {
  const { client, namespace, instance, onError = () => {} } = options
  const operator = new RunningOperator(options)
  const boards = startBoards({ client, namespace, instance, onError })
  return {
    ready: operator.start(),
    stop: async () => void (await Promise.all([operator.stop(), boards.stop()])),
  }
}

/** At once, since the cache has been brought up to date: somebody who keeps touching a job must not hold it up. */
function repeatDelay(repeats: number): number {
  return repeats <= REPEATS_AT_ONCE ? 0 : delayOf(REPEAT, repeats - REPEATS_AT_ONCE)
}

class RunningOperator {
  readonly #metrics: OperatorMetrics | undefined
  readonly #world: World
  readonly #term: Term | undefined
  readonly #queue: WorkQueue
  readonly #cluster: JobClusterOptions
  readonly #known = new Map<string, Known>()
  readonly #parts: Gathered
  readonly #newborns: Newborns
  /** What was read of a job holds as long as it is the same object: its pods change more often. */
  readonly #models = new WeakMap<TrainingJob, JobModel>()
  readonly #patience: BusyPatience
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined

  constructor(options: OperatorOptions) {
    const { client, onError = () => {} } = options
    this.#metrics = options.metrics
    this.#term = options.term
    this.#world = options.term?.world ?? worldFor(options)
    this.#patience = new BusyPatience(options.patience)
    this.#newborns = new Newborns(options.term?.holds ?? (() => true), options.clocksApart)
    this.#queue = new WorkQueue({
      handle: (key, signal) => this.#lookAfter(key, signal),
      workers: options.workers ?? 16,
      onError: (key, error) => {
        this.#metrics?.failed(parseJobKey(key).kind)
        onError(key, error)
      },
      metrics: {
        depth: (waiting) => this.#metrics?.depth(waiting),
        done: (waited, took) => this.#metrics?.worked(waited, took),
      },
    })
    this.#parts = new Gathered(
      () => this.#patience.now.parts,
      (key) => this.#queue.add(key),
    )
    const events = new EventRecorder({
      client,
      component: options.component ?? 'trainyard',
      instance: options.instance,
      // The executor has a bucket for each job already; this one only guards against its mistakes.
      burst: 100,
      perMinute: 60,
      isBusy: () => this.#isBusy,
      rest: options.eventsRest,
      onDropped: () => this.#metrics?.eventDropped(),
      onError: (error) => onError('recording an event', error),
    })
    this.#cluster = {
      client,
      world: this.#world,
      events,
      onAnswer: (request, answer) => this.#metrics?.answered(request, answer),
    }
    this.#metrics?.countJobsOf(this.#world, () => ({ statuses: this.#patience.waiting, events: events.waiting }))
  }

  /** There is more to do than can be done at once. */
  get #isBusy(): boolean {
    return this.#queue.depth > 0 || this.#patience.isStrained
  }

  async start(): Promise<void> {
    const { signal } = this.#stopping
    if (!this.#term) this.#running = this.#world.run(signal)
    await Promise.race([this.#world.ready(), abortOf(signal)])
    if (signal.aborted) return
    this.#newborns.beginTerm(this.#term ? this.#term.began : this.#cluster.client.serverTime)
    // Before the first look everything is news; it is gone through once the whole picture is there.
    this.#world.listener = { onJob: (key) => this.#queue.add(key), onPart: (key) => this.#parts.add(key) }
    // Of many jobs most are over; those that are not must not wait for them, each time a new leader begins.
    for (const over of [false, true]) for (const key of this.#jobsThatAre(over)) this.#queue.add(key, 'resync')
  }

  #jobsThatAre(over: boolean): string[] {
    return Object.entries(this.#world.jobs).flatMap(([kind, { cache }]) =>
      cache
        .list()
        .filter((job) => OVER.has(phaseOfJob(job)) === over)
        .map(({ metadata }) => `${kind}/${metadata.namespace}/${metadata.name}`),
    )
  }

  async stop(): Promise<void> {
    this.#world.listener = undefined
    this.#metrics?.countNoJobs()
    this.#stopping.abort()
    this.#parts.stop()
    await this.#queue.stop()
    await Promise.all([this.#running, this.#cluster.events.stop()])
  }

  async #lookAfter(key: string, signal: AbortSignal): Promise<void> {
    const name = parseJobKey(key)
    const job = this.#world.job(name)
    if (job === undefined) {
      this.#forget(key)
      this.#queue.forget(key)
      return
    }
    const model = this.#models.get(job) ?? read(job)
    this.#models.set(job, model)
    await this.#findScheduler(model, job.status === undefined, signal)
    const known = this.#recall(key, name, model.uid)
    const observed = this.#recallStatus(known, await this.#world.observe(job, signal))
    const now = Date.now()
    const decided = { decision: decide(model, observed, now), resourceVersion: job.metadata.resourceVersion ?? '' }
    this.#metrics?.decided(name.kind)
    const due = known.end.consider(decided, now)
    if (typeof due === 'number') return this.#queue.schedule(key, due)
    const { decision, resourceVersion } = due
    const cluster = new JobCluster(this.#cluster, name, job, signal)
    const replicas = model.roles.reduce((sum, role) => sum + role.replicas, 0)
    const isNewborn = !known.seen && this.#newborns.has(job, observed)
    known.seen = true
    const statusMayWait = this.#isBusy
    const lacksStatus = observed.stored === undefined
    const atHand = { uid: model.uid, resourceVersion, replicas, isNewborn, statusMayWait, lacksStatus }
    const outcome = await execute(cluster, atHand, decision, known.memory, now)
    if (outcome.status !== 'refused') {
      this.#keepAhead(
        known,
        outcome.status === 'deferred' ? { of: observed.stored, status: decision.status } : undefined,
      )
      if (this.#metrics) this.#noteProgress(this.#metrics, model, observed.status, decision)
    }
    const { dropped } = known.memory.said
    this.#metrics?.eventDropped(dropped - known.dropped)
    known.dropped = dropped
    known.repeats = outcome.again ? known.repeats + 1 : 0
    const repeatAt = outcome.again ? [Date.now() + repeatDelay(known.repeats)] : []
    const moments = [...repeatAt, ...(outcome.wakeAt === undefined ? [] : [outcome.wakeAt])]
    this.#queue.schedule(key, moments.length > 0 ? Math.min(...moments) : undefined)
  }

  /** A gang scheduler or TensorBoards may have been installed since: looked up again for every new job that wants one. */
  async #findScheduler(model: JobModel, isNew: boolean, signal: AbortSignal): Promise<void> {
    const { created, gangs } = this.#world
    const { PodGroup, TensorBoard } = created
    const missing = [
      ...(isNew && model.gang && !gangs.found ? [PodGroup] : []),
      ...(isNew && model.tensorboard && !TensorBoard.installed ? [TensorBoard] : []),
    ]
    if (missing.length === 0) return
    gangs.lookAgain()
    const patience = new AbortController()
    const enough = AbortSignal.any([signal, patience.signal])
    await Promise.race([Promise.all(missing.map((informer) => informer.recheck())), pause(LOOK_FOR_SCHEDULER, enough)])
    patience.abort()
  }

  #noteProgress(metrics: OperatorMetrics, model: JobModel, before: unknown, { status, reasons }: Decision): void {
    const step = { before: journalOf(model, before), after: journalOf(model, status), now: Date.now() }
    noteProgress(metrics, { model, reasons, ...step })
  }

  #keepAhead(known: Known, ahead: Known['ahead']): void {
    this.#patience.count(Number(ahead !== undefined) - Number(known.ahead !== undefined))
    known.ahead = ahead
  }

  /** What is yet to be stored is known all the same, as long as nobody else has stored something. */
  #recallStatus({ memory, ahead }: Known, observed: Observed): Observed {
    const stored = observed.status
    const status = ahead && sameJson(ahead.of, stored) ? ahead.status : stored
    return { ...observed, status, stored, troubles: memory.refused.troubles }
  }

  #forget(key: string): void {
    const known = this.#known.get(key)
    if (known) this.#keepAhead(known, undefined)
    this.#known.delete(key)
  }

  #recall(key: string, name: JobName, uid: string): Known {
    const known = this.#known.get(key)
    if (known?.uid === uid) return known
    this.#forget(key)
    const memory = new JobMemory(ownWritesInto(this.#world, name), this.#patience.now)
    const fresh = {
      uid,
      memory,
      end: new AwaitedEnd(() => this.#patience.now.end),
      repeats: 0,
      dropped: 0,
      seen: false,
    }
    this.#known.set(key, fresh)
    return fresh
  }
}
