import type { TrainingJob } from '../api/types.ts'
import {
  ApiError,
  type EventRecorder,
  isAlreadyExists,
  isConflict,
  type KubeClient,
  type KubeObject,
} from '../kube/index.ts'
import { sameJson } from '../lib/json.ts'
import type { Answer, Cluster, OwnWrites, Refusal, Request } from './execute.ts'
import { CREATED, JOBS, type JobName } from './resources.ts'
import type { World } from './world.ts'

/** The answers to our own writes go straight into the caches that decisions are taken from. */
export function ownWritesInto(world: World, job: JobName): OwnWrites {
  const jobs = world.jobs[job.kind].cache
  return {
    putJob: (object) => jobs.merge(object as TrainingJob),
    removeJob: (uid) => jobs.forget(uid, `${job.namespace}/${job.name}`),
    put: (kind, object) => world.created[kind].cache.merge(object),
    remove: (kind, name, uid) => world.created[kind].cache.forget(uid, `${job.namespace}/${name}`),
  }
}

const MOST_REPEATS = 5

export interface JobClusterOptions {
  client: KubeClient
  world: World
  events: EventRecorder
  onAnswer?: (request: Request, answer: Answer) => void
}

/** The cluster as far as one job is concerned. */
export class JobCluster implements Cluster {
  readonly #options: JobClusterOptions
  readonly #name: JobName
  readonly #job: TrainingJob
  readonly #signal: AbortSignal

  constructor(options: JobClusterOptions, name: JobName, job: TrainingJob, signal: AbortSignal) {
    this.#options = options
    this.#name = name
    this.#job = job
    this.#signal = signal
  }

  async send(request: Request): Promise<Answer> {
    let answer: Answer
    try {
      answer = { done: true, object: await this.#carryOut(request) }
    } catch (error) {
      answer = {
        done: false,
        refusal: refusalOf(error),
        message: error instanceof Error ? error.message : String(error),
      }
      // A patch for another object of the same name is answered as an invalid change of the uid.
      if (answer.refusal === 'Conflict' || request.verb === 'patch') await this.#lookAgain(request)
    }
    this.#options.onAnswer?.(request, answer)
    return answer
  }

  async #carryOut(request: Request): Promise<KubeObject | undefined> {
    const { client, events } = this.#options
    const { kind, namespace, name } = this.#name
    const signal = this.#signal
    const at = (created: string) => ({ namespace, name: created })
    switch (request.verb) {
      case 'updateStatus':
        return this.#updateStatus(request.resourceVersion, request.status)
      case 'create':
        return client.create(CREATED[request.kind], request.object, { signal })
      case 'get':
        return client.get(CREATED[request.kind], at(request.name), signal)
      case 'patch': {
        // The uid in the body is a precondition: another object of that name is a Conflict.
        const { metadata, ...rest } = request.patch as { metadata?: object }
        const body = { ...rest, metadata: { ...metadata, uid: request.uid } }
        return client.patch(CREATED[request.kind], at(request.name), { type: 'merge', body }, { signal })
      }
      case 'delete': {
        const { uid, force } = request
        const options = {
          uid,
          signal,
          propagationPolicy: 'Background',
          ...(force && { gracePeriodSeconds: 0 }),
        } as const
        const deletion = await client.delete(CREATED[request.kind], at(request.name), options)
        return deletion.gone ? undefined : deletion.object
      }
      case 'deleteJob': {
        const options = { uid: request.uid, propagationPolicy: 'Background', signal } as const
        const deletion = await client.delete(JOBS[kind], { namespace, name }, options)
        return deletion.gone ? undefined : deletion.object
      }
      case 'recordEvent': {
        const { object, type, event, message } = request.reason
        // All events stand on the job, so they must say which replica they are about.
        const named = object === 'job' || message.includes(object)
        events.record(this.#job, { type, reason: event, message: named ? message : `${object}: ${message}` })
        return undefined
      }
    }
  }

  /**
   * A conflict means that the decision must be taken again. Where nothing has changed that it was taken from, it would be
   * the same again, and is sent again at once: else somebody who keeps touching the job could hold it up for ever.
   */
  async #updateStatus(resourceVersion: string, status: object): Promise<KubeObject> {
    const { client, world } = this.#options
    const { kind, namespace, name } = this.#name
    const { apiVersion, metadata, spec } = this.#job
    const signal = this.#signal
    for (let attempt = 1, version = resourceVersion; ; attempt++) {
      const body = {
        apiVersion,
        kind,
        metadata: { ...metadata, resourceVersion: version },
        spec,
        status,
      } as TrainingJob
      try {
        return await client.updateStatus(JOBS[kind], body, { signal })
      } catch (error) {
        if (!isConflict(error) || attempt > MOST_REPEATS) throw error
        const now = await client.get(JOBS[kind], { namespace, name }, signal)
        world.jobs[kind].cache.merge(now)
        if (!isSameToDecide(this.#job, now)) throw error
        version = now.metadata.resourceVersion ?? ''
      }
    }
  }

  /** After a conflict the cache is behind; the next decision shall not have to wait for the watch. */
  async #lookAgain(request: Request): Promise<void> {
    const { client, world } = this.#options
    try {
      if (request.verb !== 'delete' && request.verb !== 'patch') return
      const at = { namespace: this.#name.namespace, name: request.name }
      world.created[request.kind].cache.merge(await client.get(CREATED[request.kind], at, this.#signal))
    } catch {
      // The watch will tell.
    }
  }
}

/** Spec, status and coming deletion are the same; labels and the like are nothing a running job is decided by. */
function isSameToDecide(before: TrainingJob, now: TrainingJob): boolean {
  const [a, b] = [before.metadata, now.metadata]
  if (a.uid !== b.uid || a.generation !== b.generation || a.deletionTimestamp !== b.deletionTimestamp) return false
  return sameJson(before.status ?? {}, now.status ?? {})
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) return 'ServerError'
  if (isAlreadyExists(error)) return 'AlreadyExists'
  switch (error.code) {
    case 404:
      return 'NotFound'
    case 409:
      return 'Conflict'
    case 403:
      return 'Forbidden'
    case 400:
    case 422:
      return 'Invalid'
    default:
      return 'ServerError'
  }
}
