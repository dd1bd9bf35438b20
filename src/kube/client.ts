import { isObject } from '../lib/json.ts'
import type { Instant } from '../lib/time.ts'
import type { Connection } from './connection.ts'
import { ConnectionError, errorOf } from './errors.ts'
import { readJsonLines } from './json-lines.ts'
import {
  apiVersionOf,
  type KubeObject,
  type ObjectList,
  type ObjectName,
  pathOf,
  type Resource,
  type WatchEvent,
  type WatchEventType,
} from './resource.ts'
import { type Request, Transport, type TransportOptions } from './transport.ts'

export interface WriteOptions {
  dryRun?: boolean
  fieldManager?: string
  fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
  signal?: AbortSignal
}

export interface Selection {
  namespace?: string
  labelSelector?: string
  fieldSelector?: string
}

export interface ListOptions extends Selection {
  limit?: number
  continue?: string
  resourceVersion?: string
  signal?: AbortSignal
}

export interface WatchOptions extends Selection {
  resourceVersion?: string
  bookmarks?: boolean
  timeoutSeconds?: number
  signal?: AbortSignal
}

export type Patch =
  | { type: 'merge' | 'strategic' | 'apply'; body: object }
  | { type: 'json'; body: ReadonlyArray<object> }

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

export interface DeleteOptions {
  /** Only the object with this uid; another one of the same name is a Conflict. */
  uid?: string
  resourceVersion?: string
  gracePeriodSeconds?: number
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan'
  dryRun?: boolean
  signal?: AbortSignal
}

/** What became of a delete: `gone` now, or only begun (grace period, finalizers) with the object as it is. */
export type Deletion<T> = { gone: true } | { gone: false; object: T }

export interface LogOptions {
  container?: string
  follow?: boolean
  previous?: boolean
  timestamps?: boolean
  tailLines?: number
  sinceTime?: string
  signal?: AbortSignal
}

/** The Kubernetes API as functions. Refusals are ApiErrors, missing answers ConnectionErrors. */
export class KubeClient {
  readonly connection: Connection
  readonly #transport: Transport

  constructor(connection: Connection, options: TransportOptions = {}) {
    this.connection = connection
    this.#transport = new Transport(connection, options)
  }

  async get<T extends KubeObject>(resource: Resource<T>, at: ObjectName, signal?: AbortSignal): Promise<T> {
    return (await this.raw({ method: 'GET', path: pathOf(resource, at), signal })) as T
  }

  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const { namespace, signal, ...query } = options
    const answer = await this.raw({ method: 'GET', path: pathOf(resource, { namespace }), query, signal })
    if (!isObject(answer) || !isObject(answer.metadata)) {
      throw new ConnectionError('garbled', `${this.connection.server} answered a list that is none`)
    }
    const { resourceVersion, continue: next, remainingItemCount } = answer.metadata
    const items = (Array.isArray(answer.items) ? answer.items : []) as T[]
    // Items of a list come without their type; whoever gets one alone must still know what it is.
    for (const item of items) {
      item.apiVersion ??= apiVersionOf(resource)
      item.kind ??= resource.kind
    }
    return {
      items,
      resourceVersion: String(resourceVersion ?? ''),
      ...(next ? { continue: String(next) } : {}),
      ...(typeof remainingItemCount === 'number' ? { remainingItemCount } : {}),
    }
  }

  async create<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const path = pathOf(resource, { namespace: object.metadata.namespace })
    return (await this.raw({ method: 'POST', path, ...writeQuery(options), body: object })) as T
  }

  /** Replaces the object, or one of its subresources; with its resourceVersion only if nobody was faster. */
  async update<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions & { subresource?: string } = {},
  ): Promise<T> {
    const { namespace, name } = object.metadata
    const path = pathOf(resource, { namespace, name, subresource: options.subresource })
    return (await this.raw({ method: 'PUT', path, ...writeQuery(options), body: object })) as T
  }

  updateStatus<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    return this.update(resource, object, { ...options, subresource: 'status' })
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    at: ObjectName,
    patch: Patch,
    options: WriteOptions & { subresource?: string; force?: boolean } = {},
  ): Promise<T> {
    const path = pathOf(resource, { ...at, subresource: options.subresource })
    const { query, signal } = writeQuery(options)
    const request = { path, query: { ...query, force: options.force }, signal, body: patch.body }
    return (await this.raw({ method: 'PATCH', contentType: PATCH_TYPES[patch.type], ...request })) as T
  }

  async delete<T extends KubeObject>(
    resource: Resource<T>,
    at: ObjectName,
    options: DeleteOptions = {},
  ): Promise<Deletion<T>> {
    const { uid, resourceVersion, gracePeriodSeconds, propagationPolicy, dryRun, signal } = options
    const preconditions = uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion }
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions, gracePeriodSeconds, propagationPolicy }
    const query = dryRun ? { dryRun: 'All' } : {}
    const answer = await this.raw({ method: 'DELETE', path: pathOf(resource, at), query, body, signal })
    return deletionOf<T>(answer)
  }

  /**
   * Changes as they happen. Ends when the server ends it (it does so every few minutes), when the signal aborts, or
   * with an error: an ApiError Expired when the version is too old, a ConnectionError when the stream broke.
   */
  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const { namespace, bookmarks, signal, ...selection } = options
    const query = { ...selection, watch: true, allowWatchBookmarks: bookmarks }
    const chunks = await this.#transport.stream({ method: 'GET', path: pathOf(resource, { namespace }), query, signal })
    for await (const event of readJsonLines(chunks)) {
      if (!isObject(event) || !isObject(event.object)) {
        throw new ConnectionError('garbled', `${this.connection.server} sent a watch event that is none`)
      }
      if (event.type === 'ERROR') throw errorOf(Number(event.object.code ?? 500), event.object)
      yield { type: event.type as WatchEventType, object: event.object as unknown as T }
    }
  }

  /** A container's output as it comes; with `follow` until it ends. */
  async *logs(at: Required<ObjectName>, options: LogOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    const { signal, ...query } = options
    const path = `/api/v1/namespaces/${encodeURIComponent(at.namespace)}/pods/${encodeURIComponent(at.name)}/log`
    yield* await this.#transport.stream({ method: 'GET', path, query, accept: '*/*', signal })
  }

  /** Any request with a JSON answer, for what has no function here. */
  raw(request: Request): Promise<unknown> {
    return this.#transport.request(request)
  }

  /** Any request whose answer is read as it comes. */
  async *stream(request: Request): AsyncGenerator<Uint8Array, void, undefined> {
    yield* await this.#transport.stream(request)
  }

  text(request: Request): Promise<string> {
    return this.#transport.text(request)
  }

  /** What the server's clock said in its last answer. */
  get serverTime(): Instant | undefined {
    return this.#transport.serverTime
  }

  /** Ends all connections; what is on the way fails. */
  close(): Promise<void> {
    return this.#transport.close()
  }
}

function writeQuery(options: WriteOptions): Pick<Request, 'query' | 'signal'> {
  const { dryRun, fieldManager, fieldValidation, signal } = options
  return { query: { dryRun: dryRun ? 'All' : undefined, fieldManager, fieldValidation }, signal }
}

function deletionOf<T extends KubeObject>(answer: unknown): Deletion<T> {
  if (!isObject(answer) || answer.kind === 'Status' || !isObject(answer.metadata)) return { gone: true }
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = answer.metadata
  const held = Array.isArray(finalizers) && finalizers.length > 0
  // Some resources answer with the object even when it is gone already: without grace and with nobody holding it.
  const gone = !held && (deletionTimestamp === undefined || !deletionGracePeriodSeconds)
  return gone ? { gone: true } : { gone: false, object: answer as unknown as T }
}
