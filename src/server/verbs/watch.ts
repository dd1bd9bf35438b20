import type { ServerResponse } from 'node:http'
import type { Api } from '../api.ts'
import type { ApiObject } from '../object.ts'
import { groupVersion, type Resource } from '../resources/resource.ts'
import { emptyLikeGo } from '../schema/go-shape.ts'
import { expired, type StatusError } from '../status-error.ts'
import type { Change } from '../store/store.ts'
import {
  buildFilter,
  checkRevisionText,
  type ListRequest,
  listObjects,
  parseRevision,
  tooLarge,
  wholeNumber,
} from './list.ts'
import { checkListOptions, isOn } from './list-options.ts'
import { inVersion, isVerbatim } from './versions.ts'

const CATCH_UP_PAGE = 500
/** A reader this far behind is cut off; it can resume from the last revision it saw. */
const MAX_UNREAD = 16 * 1024 * 1024
const BOOKMARK_INTERVAL = 60_000
const DEFAULT_TIMEOUT = 30 * 60
/** Of a watch, not of the list it may begin with. */
const STREAM_OPTIONS = ['limit', 'continue', 'resourceVersion', 'resourceVersionMatch', 'sendInitialEvents', 'watch']
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'

/** How events look to this client: plain objects, tables or metadata alone. */
export type Render = (object: ApiObject, first: boolean) => unknown

export interface WatchOptions {
  request: ListRequest
  render: Render | undefined
}

/** Everything that must be refused before the 200 and the stream. */
export function checkWatch(api: Api, resource: Resource, { query }: ListRequest): void {
  checkListOptions(query)
  wholeNumber(query, 'timeoutSeconds')
  buildFilter(resource, { query, namespace: undefined })
  const text = query.get('resourceVersion') ?? ''
  checkRevisionText(text)
  const wanted = parseRevision(text)
  // Who asks for what comes after a revision may well be early; who asks for the state of it cannot be answered.
  if (isOn(query, 'sendInitialEvents') && wanted > api.store.latest) throw tooLarge(wanted, api.store.latest)
}

export async function watchObjects(
  api: Api,
  resource: Resource,
  options: WatchOptions,
  res: ServerResponse,
): Promise<void> {
  const { request } = options
  const { query } = request
  const wantsBookmarks = isOn(query, 'allowWatchBookmarks')
  const stream = new EventStream(api, resource, options, res)
  const timeout = wholeNumber(query, 'timeoutSeconds') || DEFAULT_TIMEOUT
  const timer = setTimeout(() => stream.end(), timeout * 1000)
  const pulse = wantsBookmarks ? setInterval(() => stream.bookmark(), BOOKMARK_INTERVAL) : undefined
  const unsubscribe = api.store.onChange((change) => stream.live(change))
  res.once('close', () => {
    clearTimeout(timer)
    clearInterval(pulse)
    unsubscribe()
  })
  const revision = query.get('resourceVersion') ?? ''
  const asksForState = isOn(query, 'sendInitialEvents')
  const startsWithState = asksForState || (!query.has('sendInitialEvents') && (revision === '' || revision === '0'))
  let from = parseRevision(revision)
  if (startsWithState) {
    from = await stream.sendState()
    if (asksForState && wantsBookmarks) stream.bookmark(from, { [INITIAL_EVENTS_END]: 'true' })
  } else if (revision === '' || revision === '0') from = api.store.revision
  else if (from < api.store.compacted) {
    stream.fail(expired(`too old resource version: ${from} (${api.store.compacted})`))
    return
  }
  await stream.catchUp(from)
}

class EventStream {
  readonly #api: Api
  readonly #resource: Resource
  readonly #options: WatchOptions
  readonly #res: ServerResponse
  readonly #matches: ((object: ApiObject) => boolean) | undefined
  /** Live changes wait here until history has been told; undefined once it has. */
  #waiting: Change[] | undefined = []
  #sent = 0
  #first = true

  constructor(api: Api, resource: Resource, options: WatchOptions, res: ServerResponse) {
    this.#api = api
    this.#resource = resource
    this.#options = options
    this.#res = res
    this.#matches = buildFilter(resource, options.request)
  }

  live(change: Change): void {
    if (change.resource !== this.#resource.storageKey) return
    const { namespace } = this.#options.request
    if (namespace !== undefined && change.namespace !== namespace) return
    if (this.#waiting) this.#waiting.push(change)
    else this.#tell(change)
  }

  /** All present objects as additions; returns the revision they are of. */
  async sendState(): Promise<number> {
    const query = new URLSearchParams(this.#options.request.query)
    for (const name of STREAM_OPTIONS) query.delete(name)
    const listed = await listObjects(this.#api, this.#resource, { ...this.#options.request, query })
    await this.#api.store.committed()
    if (this.#options.render) for (const object of listed.objects()) this.#write('ADDED', object)
    else for (const text of listed.texts) this.#line(`{"type":"ADDED","object":${text}}\n`)
    return listed.revision
  }

  /** Tells what happened after `from`, then what waited meanwhile; from then on changes go straight through. */
  async catchUp(from: number): Promise<void> {
    this.#sent = from
    const { namespace } = this.#options.request
    for (;;) {
      const page = this.#api.store.changesAfter(this.#resource.storageKey, this.#sent, CATCH_UP_PAGE)
      for (const change of page) {
        if (namespace === undefined || change.namespace === namespace) this.#tell(change)
        else this.#sent = change.rev
      }
      if (page.length < CATCH_UP_PAGE || this.#res.destroyed) break
      await this.#drained()
    }
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const change of waiting) if (change.rev > this.#sent) this.#tell(change)
  }

  #tell(change: Change): void {
    if (change.rev <= this.#sent) return
    this.#sent = change.rev
    const resource = this.#resource
    if (!this.#matches && !this.#options.render && isVerbatim(resource, change.rev)) {
      this.#line(sharedLine(change))
      return
    }
    const { now, before } = readChange(resource, change)
    const type = visibleType(change.type, before, now, this.#matches)
    if (!type) return
    // Who leaves the selection is shown as it last was in it.
    const shown = type === 'DELETED' && change.type !== 'DELETED' && before ? before : now
    this.#write(type, { ...shown, metadata: { ...shown.metadata, resourceVersion: String(change.rev) } })
  }

  bookmark(revision = this.#api.store.revision, annotations?: Record<string, string>): void {
    if (this.#waiting && !annotations) return
    const empty = this.#resource.custom ? {} : emptyLikeGo(this.#resource.definition)
    const metadata = { resourceVersion: String(revision), ...(annotations ? { annotations } : {}) }
    const object = { ...empty, kind: this.#resource.kind, apiVersion: groupVersion(this.#resource), metadata }
    this.#write('BOOKMARK', object as unknown as ApiObject)
  }

  fail(error: StatusError): void {
    this.#line(`${JSON.stringify({ type: 'ERROR', object: error.toStatus() })}\n`)
    this.end()
  }

  end(): void {
    this.#res.end()
  }

  #write(type: string, object: ApiObject): void {
    const { render } = this.#options
    this.#line(`${JSON.stringify({ type, object: render ? render(object, this.#first) : object })}\n`)
    this.#first = false
  }

  #line(text: string | Buffer): void {
    if (this.#res.destroyed || this.#res.writableEnded) return
    this.#res.write(text)
    if (this.#res.writableLength > MAX_UNREAD) this.#res.destroy()
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#res.writableNeedDrain) setImmediate(resolve)
      else {
        this.#res.once('drain', resolve)
        this.#res.once('close', resolve)
      }
    })
  }
}

interface ReadChange {
  resource: Resource
  now: ApiObject
  before: ApiObject | undefined
}

/** Parsed once for all watchers of a change that look into it; nobody may write to it. */
const read = new WeakMap<Change, ReadChange>()

function readChange(resource: Resource, change: Change): ReadChange {
  const known = read.get(change)
  if (known?.resource === resource) return known
  const now = inVersion(resource, change.body, change.rev)
  const before = change.prev === undefined ? undefined : inVersion(resource, change.prev, change.rev)
  const fresh = { resource, now, before }
  read.set(change, fresh)
  return fresh
}

/** Built once for all watchers of a change. */
const lines = new WeakMap<Change, Buffer>()

function sharedLine(change: Change): Buffer {
  let line = lines.get(change)
  if (!line) {
    line = Buffer.from(`{"type":"${change.type}","object":${change.body}}\n`)
    lines.set(change, line)
  }
  return line
}

type Type = Change['type']

/** What a change means to someone who sees only what the selectors let through. */
export function visibleType(
  type: Type,
  before: ApiObject | undefined,
  now: ApiObject,
  matches: ((o: ApiObject) => boolean) | undefined,
): Type | undefined {
  if (!matches) return type
  const was = before !== undefined && matches(before)
  if (type === 'DELETED') return was ? 'DELETED' : undefined
  const is = matches(now)
  if (is) return was ? 'MODIFIED' : 'ADDED'
  return was ? 'DELETED' : undefined
}
