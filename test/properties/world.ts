// A job in an unkind world: news come late, twice or not at all, the controller dies at any write, pods fail, vanish and
// are evicted. What really happened is written down apart, to be held against what the job's record says.
import type { Pod, Service } from '../../gen/kubernetes-types.ts'
import type { JobStatus, KubeObject, TFJobStatus, TrainingJob } from '../../src/api/types.ts'
import { decide } from '../../src/core/decide.ts'
import type { Decision, Observed } from '../../src/core/decision.ts'
import type { JobModel } from '../../src/core/job-model.ts'
import { FULL_CLUSTER } from '../../src/core/plan.ts'
import { read } from '../../src/core/read.ts'
import { countReplicas } from '../../src/core/slots.ts'
import { type Batch, carryOut, JobCache, JobMemory, type Request } from '../../src/operator/execute.ts'
import { evicted, exited, hasEnded, running, scheduled } from '../../src/rehearse/pod-status.ts'
import { type Change, KINDS, SimulatedApi, type SimulatedPod } from '../../src/rehearse/simulated-api.ts'

export interface Seen {
  restarts: number
  refusals: number
  pauses: number
  crashes: number
  losses: number
  vanishedAfterEnd: number
}

export class World {
  readonly api = new SimulatedApi(Date.UTC(2026, 0, 1))
  readonly seen: Seen = { restarts: 0, refusals: 0, pauses: 0, crashes: 0, losses: 0, vanishedAfterEnd: 0 }
  /** Exit codes of pods that ended by themselves, by uid. */
  readonly ends = new Map<string, { name: string; exitCode: number }>()
  readonly violations: string[] = []
  /** Replicas whose success has once been stored. */
  readonly #succeeded = new Set<string>()
  #memory = new JobMemory(new JobCache())
  /** What watches alone have told, without the answers to the controller's own writes. */
  #told = new JobCache()
  #news: Change[] = []
  #late = new Map<string, Change>()
  #wakeAt: number | undefined

  constructor(job: TrainingJob) {
    this.api.onChange((change) => {
      this.#news.push(change)
      this.#watch(change)
    })
    this.api.putJob(job)
    this.deliver(1)
  }

  get job(): TrainingJob {
    return this.api.job!
  }

  get record(): JobStatus {
    const status = this.job.status ?? {}
    return this.job.kind === 'TFJob' ? ((status as TFJobStatus).trainyard ?? {}) : (status as JobStatus)
  }

  get finished(): boolean {
    return this.record.phase === 'Succeeded' || this.record.phase === 'Failed'
  }

  get wakeAt(): number | undefined {
    return this.#wakeAt
  }

  pods(): SimulatedPod[] {
    return this.api.list('Pod') as SimulatedPod[]
  }

  /** The next news reach the controller; those of other kinds may overtake. */
  deliver(count: number, onlyPods = false): void {
    for (let i = 0; i < count; i++) {
      const at = this.#news.findIndex(({ kind }) => (kind === 'Pod') === onlyPods || !onlyPods)
      const [change] = at < 0 ? [] : this.#news.splice(at, 1)
      if (change) this.#hear(change)
    }
  }

  deliverAll(): void {
    this.deliver(this.#news.length)
  }

  /** Something heard before is heard once more. */
  repeat(choice: number): void {
    const all = [...this.#late.values()]
    const change = all[choice % Math.max(1, all.length)]
    if (change) this.#hear(change)
  }

  #hear(change: Change): void {
    const { kind, before, after } = change
    this.#late.set(`${kind}/${(after ?? before)?.metadata.name}/${this.#late.size % 7}`, change)
    for (const cache of [this.#memory.cache, this.#told]) {
      if (kind === 'Job') after && cache.putJob(after)
      else if (after) cache.put(kind, after)
      else cache.remove(kind, before!.metadata.name!, before!.metadata.uid!)
    }
  }

  /** One look and its deeds; dies at the given write, done or lost. */
  pass(crashAt = Number.POSITIVE_INFINITY, inFlightIsDone = true): Decision | undefined {
    const job = this.#memory.cache.job as TrainingJob | undefined
    if (!job || !this.api.job) return undefined
    const model = read(job)
    const decision = decide(model, this.#observe(job), this.api.now)
    const atHand = {
      uid: job.metadata.uid!,
      resourceVersion: job.metadata.resourceVersion!,
      replicas: countReplicas(model),
    }
    const steps = carryOut(atHand, decision, this.#memory, this.api.now)
    let writes = 0
    let step = steps.next()
    while (!step.done) {
      const answers = this.#send(step.value, () => writes++ === crashAt, inFlightIsDone)
      if (!answers) return decision
      step = steps.next(answers)
    }
    this.#wakeAt = step.value.again ? this.api.now : step.value.wakeAt
    return decision
  }

  #send({ requests }: Batch, dies: () => boolean, inFlightIsDone: boolean) {
    const answers = []
    for (const request of requests) {
      const isWrite = request.verb !== 'get' && request.verb !== 'recordEvent'
      if (isWrite && dies()) {
        if (inFlightIsDone) this.#carry(request)
        this.#startAgain()
        return undefined
      }
      answers.push(this.#carry(request))
    }
    return answers
  }

  #carry(request: Request) {
    if (request.verb === 'create' && request.kind === 'Pod') this.#checkCreation(request.object)
    if (request.verb === 'delete' && request.kind === 'Pod') this.#checkDeletion(request.name, request.uid)
    return this.api.send(request)
  }

  /** A new controller reads the job as it is; its view of the pods may be as old as its predecessor's. */
  #startAgain(): void {
    this.seen.crashes++
    this.#late.clear()
    this.#memory = new JobMemory(new JobCache())
    this.#memory.cache.putJob(this.job)
    for (const kind of KINDS) for (const object of this.#told.list(kind)) this.#memory.cache.put(kind, object)
    this.#wakeAt = this.api.now
  }

  #observe(job: TrainingJob): Observed {
    const { cache, refused } = this.#memory
    return {
      status: job.status,
      pods: cache.list('Pod') as Pod[],
      services: cache.list('Service') as Service[],
      podGroup: cache.list('PodGroup')[0],
      tensorboard: cache.list('TensorBoard')[0],
      nodes: this.api.nodes,
      cluster: FULL_CLUSTER,
      troubles: refused.troubles,
    }
  }

  model(): JobModel {
    return read(this.job)
  }

  schedule(pod: SimulatedPod): void {
    if (pod.spec?.nodeName) return
    const nodeName = `node-of-${pod.metadata.name}`
    this.api.nodes.set(nodeName, { ready: true, outOfService: false })
    this.#update(pod, { spec: { ...pod.spec, nodeName }, status: scheduled(pod, this.api.now) })
  }

  start(pod: SimulatedPod): void {
    if (pod.spec?.nodeName && pod.status?.phase === 'Pending') this.#update(pod, { status: running(pod, this.api.now) })
  }

  exit(pod: SimulatedPod, exitCode: number): void {
    if (pod.status?.phase !== 'Running' || pod.metadata.deletionTimestamp) return
    this.ends.set(pod.metadata.uid!, { name: pod.metadata.name!, exitCode })
    this.#update(pod, { status: exited(pod, pod.spec!.containers[0]!.name, exitCode, this.api.now) })
  }

  evict(pod: SimulatedPod): void {
    if (hasEnded(pod)) return
    this.seen.losses++
    this.#update(pod, { status: evicted(pod, this.api.now) })
  }

  loseNode(pod: SimulatedPod): void {
    if (!pod.spec?.nodeName || hasEnded(pod)) return
    this.seen.losses++
    this.api.nodes.delete(pod.spec.nodeName)
    this.api.deletePod(pod.metadata.name!)
  }

  remove(pod: SimulatedPod): void {
    if (hasEnded(pod) && this.finished) this.seen.vanishedAfterEnd++
    else if (!hasEnded(pod)) this.seen.losses++
    this.api.remove('Pod', pod.metadata.name!)
  }

  setPaused(paused: boolean): void {
    const { job } = this
    if (paused) this.seen.pauses++
    const spec =
      job.kind === 'TFJob'
        ? { runPolicy: { ...(job.spec as { runPolicy?: object }).runPolicy, suspend: paused } }
        : { runMode: { pause: { enable: paused } } }
    this.api.putJob({ ...job, spec: { ...job.spec, ...spec } } as TrainingJob)
  }

  #update(pod: SimulatedPod, change: object): void {
    this.api.update('Pod', pod.metadata.name!, (old) => ({ ...old, ...change }))
  }

  #checkCreation({ metadata }: KubeObject): void {
    if (this.finished)
      this.violations.push(`pod ${metadata.name} created after the job was recorded as ${this.record.phase}`)
    if (this.#succeeded.has(metadata.name!))
      this.violations.push(`pod ${metadata.name} created although its success was recorded`)
  }

  /** The status is the journal: a pod that ended is not removed before its end is stored. */
  #checkDeletion(name: string, uid: string): void {
    const pod = this.api.pod(name)
    if (pod?.metadata.uid !== uid || !this.ends.has(uid) || this.finished) return
    const entry = this.#entryOf(name)
    const attempt = Number(pod.metadata.annotations?.['trainyard.dev/attempt'] ?? 1)
    const isOutcome = entry?.uid === uid && (entry.phase === 'Succeeded' || entry.phase === 'Failed')
    if (!isOutcome && (entry?.attempt ?? 1) <= attempt)
      this.violations.push(`pod ${name} deleted before its end was recorded`)
  }

  #entryOf(name: string) {
    return this.record.tasks?.flatMap((task) => task.replicaStatus).find((entry) => entry.name === name)
  }

  /** Every status that is stored is held against the one before it and against what really happened. */
  #watch({ kind, before, after }: Change): void {
    if (kind !== 'Job' || !before || !after) return
    const was = recordOf(before as TrainingJob)
    const is = recordOf(after as TrainingJob)
    const restarts = (is.backoffCount ?? 0) - (was.backoffCount ?? 0)
    if (restarts > 0) this.seen.restarts++
    if ((was.phase === 'Succeeded' || was.phase === 'Failed') && was.phase !== is.phase) {
      this.violations.push(`${was.phase} became ${is.phase}`)
    }
    const model = read(after as TrainingJob)
    if (model.backoffLimit !== undefined && (is.backoffCount ?? 0) > model.backoffLimit) {
      this.violations.push(`${is.backoffCount} restarts, ${model.backoffLimit} allowed`)
    }
    const counted = is.backoffCount ?? 0
    if (counted > this.ends.size) this.violations.push(`${counted} restarts for ${this.ends.size} pods that ended`)
    if (is.phase === 'Succeeded' && was.phase !== 'Succeeded') this.#checkSuccess(model)
    if (is.tasks?.some((task) => task.replicaStatus.some((e) => e.phase === 'Failed' && e.uid !== e.replaces)))
      this.seen.refusals++
    for (const { name, uid, replaces, phase } of is.tasks?.flatMap((task) => task.replicaStatus) ?? []) {
      if (phase === 'Succeeded' && uid !== undefined && uid !== replaces) this.#succeeded.add(name)
    }
    this.#checkCounts(is, model)
  }

  #checkSuccess(model: JobModel): void {
    const succeeded = new Set([...this.ends.values()].filter(({ exitCode }) => exitCode === 0).map(({ name }) => name))
    const holds = model.success.some((rule) =>
      rule.slots.every(({ type, index }) => [...succeeded].some((name) => name.endsWith(`-${type}-${index}`))),
    )
    if (!holds) this.violations.push('succeeded although no success rule was met')
  }

  #checkCounts(record: JobStatus, model: JobModel): void {
    const { aggregate } = record
    const total = Object.values(aggregate ?? {}).reduce((sum, n) => sum + n, 0)
    if (aggregate && total !== countReplicas(model))
      this.violations.push(`aggregate counts ${total} of ${countReplicas(model)}`)
    for (const { replicaStatus } of record.tasks ?? []) {
      for (const { name, restartCount = 0 } of replicaStatus) {
        const ended = [...this.ends.values()].filter((end) => end.name === name).length
        if (restartCount > ended) this.violations.push(`${name}: ${restartCount} restarts for ${ended} ends`)
        const limit = model.roles.find(({ type }) => name.replace(/-\d+$/, '').endsWith(`-${type}`))?.limitPerReplica
        if (limit !== undefined && restartCount > limit)
          this.violations.push(`${name}: ${restartCount} restarts, limit ${limit}`)
      }
    }
  }
}

function recordOf(job: TrainingJob): JobStatus {
  const status = job.status ?? {}
  return job.kind === 'TFJob' ? ((status as TFJobStatus).trainyard ?? {}) : (status as JobStatus)
}
