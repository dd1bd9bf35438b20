// The controller in the simulated cluster: the same engine and the same executor as in the operator, seeing nothing but
// objects. It can die around a write, and then knows only what the API holds.
import type { Pod, Service } from '../../gen/kubernetes-types.ts'
import type { TrainingJob } from '../api/types.ts'
import { decide } from '../core/decide.ts'
import type { Observed, Reason } from '../core/decision.ts'
import type { JobModel } from '../core/job-model.ts'
import { FULL_CLUSTER } from '../core/plan.ts'
import { read } from '../core/read.ts'
import { countReplicas } from '../core/slots.ts'
import type { Instant } from '../lib/time.ts'
import { type Answers, type Batch, carryOut, JobCache, JobMemory, type Request } from '../operator/execute.ts'
import { type Change, KINDS, type SimulatedApi } from './simulated-api.ts'

const MOST_PASSES = 1_000

/** What becomes of the write that is under way when the controller dies. */
export type InFlight = 'done' | 'lost'

class Crash extends Error {}

export class SimulatedController {
  wakeAt: Instant | undefined
  readonly #api: SimulatedApi
  readonly #tell: (reason: Reason) => void
  readonly #inFlight: InFlight
  #memory = new JobMemory(new JobCache())
  #news: Change[] = []
  #willCrash = false
  /** It has seen everything since the job's creation. */
  #knowsAll = true
  #model: { of: TrainingJob; model: JobModel } | undefined

  constructor(api: SimulatedApi, inFlight: InFlight, tell: (reason: Reason) => void) {
    this.#api = api
    this.#inFlight = inFlight
    this.#tell = tell
    api.onChange((change) => this.#news.push(change))
  }

  /** Dies around its next write. */
  crashSoon(): void {
    this.#willCrash = true
  }

  get isToCrash(): boolean {
    return this.#willCrash
  }

  /** Looks and acts until there is nothing left to do at this instant. */
  settle(): void {
    const { now } = this.#api
    for (let passes = 0; passes < MOST_PASSES; passes++) {
      const due = this.wakeAt !== undefined && this.wakeAt <= now
      if (this.#news.length === 0 && !due) return
      this.#catchUp()
      if (!this.#memory.cache.job) return
      try {
        this.#pass(now)
      } catch (error) {
        if (!(error instanceof Crash)) throw error
        this.#startAgain(error.message)
      }
    }
    throw new Error('the controller does not come to rest')
  }

  #pass(now: Instant): void {
    const job = this.#memory.cache.job as TrainingJob
    const model = this.#read(job)
    const decision = decide(model, this.#observe(job), now)
    const { uid, resourceVersion } = job.metadata
    const replicas = countReplicas(model)
    const atHand = { uid: uid!, resourceVersion: resourceVersion!, replicas, isNewborn: this.#knowsAll && !job.status }
    const steps = carryOut(atHand, decision, this.#memory, now)
    let step = steps.next()
    try {
      while (!step.done) step = steps.next(this.#sendAll(step.value))
    } catch (error) {
      // Events are lost with the controller that would have recorded them, but the audience is to know what is stored.
      if (decision.urgent && this.#api.job?.status === decision.status) decision.reasons.forEach(this.#tell)
      throw error
    }
    this.wakeAt = step.value.again ? now : step.value.wakeAt
    step.value.told.forEach(this.#tell)
  }

  #sendAll({ requests, stopsCreating }: Batch): Answers {
    let stopped = false
    return requests.map((request) => {
      if (stopped && request.verb === 'create') return undefined
      const isWrite = request.verb !== 'get' && request.verb !== 'recordEvent'
      if (this.#willCrash && isWrite) {
        this.#willCrash = false
        if (this.#inFlight === 'done') this.#api.send(request)
        throw new Crash(nameOf(request))
      }
      const answer = this.#api.send(request)
      if (stopsCreating?.(request, answer)) stopped = true
      return answer
    })
  }

  #startAgain(write: string): void {
    const message = `the controller died while it was to ${write}, and started again`
    this.#tell({ object: 'job', type: 'Warning', event: 'ControllerCrashed', word: 'Crashed', message })
    this.#memory = new JobMemory(new JobCache())
    this.#model = undefined
    this.#knowsAll = false
    this.wakeAt = this.#api.now
    this.#news = []
    if (this.#api.job) this.#memory.cache.putJob(this.#api.job)
    for (const kind of KINDS) for (const object of this.#api.list(kind)) this.#memory.cache.put(kind, object)
  }

  #catchUp(): void {
    const { cache } = this.#memory
    for (const { kind, before, after } of this.#news) {
      if (kind === 'Job') {
        if (after) cache.putJob(after)
        else cache.removeJob(before!.metadata.uid!)
      } else if (after) cache.put(kind, after)
      else cache.remove(kind, before!.metadata.name!, before!.metadata.uid!)
    }
    this.#news = []
  }

  #read(job: TrainingJob): JobModel {
    const known = this.#model
    const before = known?.of
    // Status writes leave the rest of the object as it is, so identity tells.
    if (before?.spec === job.spec && before?.metadata.annotations === job.metadata.annotations) return known!.model
    const model = read(job)
    this.#model = { of: job, model }
    return model
  }

  #observe(job: TrainingJob): Observed {
    const { cache, refused } = this.#memory
    return {
      status: job.status,
      pods: cache.list('Pod') as Pod[],
      services: cache.list('Service') as Service[],
      podGroup: cache.list('PodGroup')[0],
      tensorboard: cache.list('TensorBoard')[0],
      nodes: this.#api.nodes,
      cluster: FULL_CLUSTER,
      troubles: refused.troubles,
    }
  }
}

function nameOf(request: Request): string {
  if (request.verb === 'updateStatus') return 'write the status'
  if (request.verb === 'deleteJob') return 'delete the job'
  if (request.verb === 'create') return `create ${request.kind} ${request.object.metadata.name}`
  return 'kind' in request ? `${request.verb} ${request.kind} ${request.name}` : request.verb
}
