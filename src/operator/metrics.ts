import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { JobKind, JobStatus, TFJobStatus } from '../api/types.ts'
import { describeCall } from '../kube/index.ts'
import type { Answer, Request } from './execute.ts'
import type { World } from './world.ts'

/** Jobs whose status is not stored yet, and events that are not written yet. */
export interface HeldBack {
  statuses: number
  events: number
}

/** What the operator counts, in Prometheus' form. */
export class OperatorMetrics {
  readonly registry = new Registry()
  readonly #decisions = this.#counter('decisions_total', 'Looks taken at a job', ['kind'])
  readonly #errors = this.#counter('errors_total', 'Looks at a job that failed and were taken again', ['kind'])
  readonly #requests = this.#counter('requests_total', 'Writes for jobs, by what became of them', [
    'verb',
    'object',
    'answer',
  ])
  readonly #dropped = this.#counter('events_dropped_total', 'Events not recorded because a job had too many', [])
  readonly #watchErrors = this.#counter('watch_errors_total', 'Lists and watches that broke off', ['resource'])
  readonly #calls = this.#counter('api_requests_total', 'Requests to the API, by what was asked and answered', [
    'verb',
    'resource',
    'code',
  ])
  readonly #callTook = this.#histogram('api_request_seconds', 'How long the API took to answer, watches left out')
  readonly #leader = new Gauge({
    name: 'trainyard_leader',
    help: '1 while this operator is the one at work',
    registers: [this.registry],
  })
  readonly #depth = new Gauge({
    name: 'trainyard_queue_depth',
    help: 'Jobs that wait to be looked at',
    registers: [this.registry],
  })
  readonly #reached = {
    first_pod: this.#span('job_first_pod_seconds', 'From a job’s creation to the creation of its first pods', ['kind']),
    running: this.#span('job_running_seconds', 'From a job’s creation until all its replicas ran', ['kind']),
  }
  readonly #finished = this.#span('job_finish_seconds', 'From a job’s creation to its end', ['kind', 'phase'])
  readonly #gangWait = this.#span('gang_wait_seconds', 'How long a gang waited for its first placement', ['kind'])
  readonly #restarts = this.#counter('restarts_total', 'Restarts of replicas that were granted', ['kind'])
  readonly #lost = this.#counter('replicas_lost_total', 'Replicas replaced because their pod or node was lost', [
    'kind',
  ])
  readonly #waited = this.#histogram('queue_wait_seconds', 'How long a job waited to be looked at')
  readonly #took = this.#histogram('decision_seconds', 'How long a look took, its writes included')

  decided(kind: JobKind): void {
    this.#decisions.inc({ kind })
  }

  failed(kind: JobKind): void {
    this.#errors.inc({ kind })
  }

  answered(request: Request, answer: Answer): void {
    if (request.verb === 'recordEvent') return
    const object = 'kind' in request ? request.kind : 'Job'
    this.#requests.inc({ verb: request.verb, object, answer: answer.done ? 'done' : answer.refusal })
  }

  /** Every request, whoever sent it; code 0: no answer came. */
  called(method: string, path: string, code: number, milliseconds: number, watch: boolean): void {
    const { verb, resource } = describeCall(method, path, watch)
    this.#calls.inc({ verb, resource, code: code === 0 ? 'none' : String(code) })
    if (!watch) this.#callTook.observe(milliseconds / 1000)
  }

  leads(leading: boolean): void {
    this.#leader.set(leading ? 1 : 0)
  }

  reached(what: 'first_pod' | 'running', kind: JobKind, milliseconds: number): void {
    this.#reached[what].observe({ kind }, seconds(milliseconds))
  }

  finished(kind: JobKind, phase: string, milliseconds: number): void {
    this.#finished.observe({ kind, phase }, seconds(milliseconds))
  }

  gangPlaced(kind: JobKind, milliseconds: number): void {
    this.#gangWait.observe({ kind }, seconds(milliseconds))
  }

  restarted(kind: JobKind, count: number): void {
    this.#restarts.inc({ kind }, count)
  }

  lost(kind: JobKind, count: number): void {
    this.#lost.inc({ kind }, count)
  }

  eventDropped(count = 1): void {
    if (count > 0) this.#dropped.inc(count)
  }

  watchBroke(resource: string): void {
    this.#watchErrors.inc({ resource })
  }

  depth(waiting: number): void {
    this.#depth.set(waiting)
  }

  worked(waited: number, took: number): void {
    this.#waited.observe(waited / 1000)
    this.#took.observe(took / 1000)
  }

  /** Counts the jobs of each phase, and what is yet to be written of them, when somebody asks, not all the time. */
  countJobsOf(world: Pick<World, 'jobs'>, heldBack: () => HeldBack): void {
    const registers = [this.registry]
    this.countNoJobs()
    new Gauge({
      name: 'trainyard_held_back',
      help: 'Writes that wait, for what comes next or for more important ones',
      labelNames: ['what'],
      registers,
      collect() {
        for (const [what, count] of Object.entries(heldBack())) this.set({ what }, count)
      },
    })
    new Gauge({
      name: 'trainyard_jobs',
      help: 'Jobs by kind and phase',
      labelNames: ['kind', 'phase'],
      registers,
      collect() {
        this.reset()
        for (const [kind, { cache }] of Object.entries(world.jobs)) {
          for (const job of cache.list()) this.inc({ kind, phase: phaseOf(job.status) })
        }
      },
    })
  }

  /** Whoever stands by leaves it to the one at work: jobs are counted once. */
  countNoJobs(): void {
    for (const name of ['trainyard_jobs', 'trainyard_held_back']) this.registry.removeSingleMetric(name)
  }

  #counter<T extends string>(name: string, help: string, labelNames: readonly T[]): Counter<T> {
    return new Counter({ name: `trainyard_${name}`, help, labelNames, registers: [this.registry] })
  }

  /** From moments to days. */
  #span<T extends string>(name: string, help: string, labelNames: readonly T[]): Histogram<T> {
    const buckets = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_600, 10_000, 36_000, 100_000, 360_000]
    return new Histogram({ name: `trainyard_${name}`, help, labelNames, buckets, registers: [this.registry] })
  }

  #histogram(name: string, help: string): Histogram {
    const buckets = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]
    return new Histogram({ name: `trainyard_${name}`, help, buckets, registers: [this.registry] })
  }
}

/** Clocks of two machines differ. */
function seconds(milliseconds: number): number {
  return Math.max(0, milliseconds) / 1000
}

function phaseOf(status: JobStatus | TFJobStatus | undefined): string {
  if (status === undefined) return 'New'
  const journal = 'trainyard' in status ? status.trainyard : (status as JobStatus)
  return journal?.phase ?? 'New'
}
