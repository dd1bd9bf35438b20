import type { TrainingJob } from '../api/types.ts'
import type { CreatedKind } from '../core/decision.ts'
import {
  ApiError,
  type EventRecorder,
  isAlreadyExists,
  type KubeClient,
  type KubeObject,
  type Resource,
} from '../kube/index.ts'
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
      case 'updateStatus': {
        const { apiVersion, metadata, spec } = this.#job
        const stored = { ...metadata, resourceVersion: request.resourceVersion }
        const body = { apiVersion, kind, metadata: stored, spec, status: request.status } as TrainingJob
        return client.updateStatus(JOBS[kind], body, { signal })
      }
      case 'create':
        return client.create(this.#resourceOf(request.kind), request.object, { signal })
      case 'get':
        return client.get(this.#resourceOf(request.kind), at(request.name), signal)
      case 'patch': {
        // The uid in the body is a precondition: another object of that name is a Conflict.
        const { metadata, ...rest } = request.patch as { metadata?: object }
        const body = { ...rest, metadata: { ...metadata, uid: request.uid } }
        return client.patch(this.#resourceOf(request.kind), at(request.name), { type: 'merge', body }, { signal })
      }
      case 'delete': {
        const { uid, force } = request
        const options = {
          uid,
          signal,
          propagationPolicy: 'Background',
          ...(force && { gracePeriodSeconds: 0 }),
        } as const
        const deletion = await client.delete(this.#resourceOf(request.kind), at(request.name), options)
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

  #resourceOf(kind: CreatedKind): Resource {
    return (kind === 'PodGroup' && this.#options.world.gangs.groups) || CREATED[kind]
  }

  /** After a conflict the cache is behind; the next decision shall not have to wait for the watch. */
  async #lookAgain(request: Request): Promise<void> {
    const { client, world } = this.#options
    const { kind, namespace, name } = this.#name
    try {
      if (request.verb === 'updateStatus') {
        world.jobs[kind].cache.merge(await client.get(JOBS[kind], { namespace, name }, this.#signal))
      } else if (request.verb === 'delete' || request.verb === 'patch') {
        const object = await client.get(this.#resourceOf(request.kind), { namespace, name: request.name }, this.#signal)
        world.created[request.kind].cache.merge(object)
      }
    } catch {
      // The watch will tell.
    }
  }
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
