import { type Backoff, delayOf, pause } from './backoff.ts'
import type { KubeClient, Selection } from './client.ts'
import { ConnectionError, isExpired, isNotFound } from './errors.ts'
import type { KubeObject, Resource } from './resource.ts'

/** Where a reflector puts what it learns. */
export interface Sink<T> {
  replace(objects: readonly T[], version: string): void
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void
  advance(version: string): void
  /** The resource is not installed, so there is nothing of it. */
  clear(): void
}

export interface ReflectorOptions<T extends KubeObject> {
  client: Pick<KubeClient, 'list' | 'watch'>
  resource: Resource<T>
  selection?: Selection
  sink: Sink<T>
  pageSize?: number
  backoff?: Backoff
  /** How often a resource that is not installed is looked for. */
  absence?: Backoff
  /** A watch without event or bookmark for this long is taken for dead and begun again where it stood. */
  silence?: number
  /** The server is asked to end each watch after about this long, so that watches spread over its instances. */
  watchSeconds?: number
  onError?: (error: unknown) => void
  /** A whole list is in; `installed` is false when the API does not have the resource. */
  onListed?: (installed: boolean) => void
}

/** A minute is how often the API sends bookmarks; two missed ones and a little more are too many. */
const SILENCE = 150_000
/** A watch that ended this soon, with nothing said, did not work. */
const SHORT = 1_000
const BACKOFF: Backoff = { first: 250, most: 30_000 }
const ABSENCE: Backoff = { first: 1_000, most: 30_000 }

/** Keeps a sink in step with one resource of the API, through every kind of broken connection, until aborted. */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>
  #failures = 0
  /** Ends the present wait early. */
  #hurry = new AbortController()

  constructor(options: ReflectorOptions<T>) {
    this.#options = options
  }

  /** Do not wait any longer before the next attempt. */
  kick(): void {
    this.#hurry.abort()
  }

  async run(signal: AbortSignal): Promise<void> {
    let version: string | undefined
    while (!signal.aborted) {
      try {
        version ??= await this.#list(signal)
        version = await this.#watch(version, signal)
        this.#failures = 0
      } catch (error) {
        if (signal.aborted) return
        const cutOff = error instanceof WatchBroken ? error : undefined
        // A watch that brought something worked: what broke it is not the same trouble going on.
        if (cutOff?.progressed) this.#failures = 0
        const cause = cutOff?.cause ?? error
        version = isExpired(cause) || isNotFound(cause) ? undefined : cutOff?.version
        await this.#recover(cause, signal)
      }
    }
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    this.#failures++
    let wait = delayOf(this.#options.backoff ?? BACKOFF, this.#failures)
    if (isNotFound(error)) {
      this.#options.sink.clear()
      this.#options.onListed?.(false)
      wait = delayOf(this.#options.absence ?? ABSENCE, this.#failures)
    } else if (isExpired(error) && this.#failures === 1) {
      wait = 0
    } else {
      this.#options.onError?.(error)
    }
    await pause(wait, AbortSignal.any([signal, this.#hurry.signal]))
    if (this.#hurry.signal.aborted) this.#hurry = new AbortController()
  }

  async #list(signal: AbortSignal): Promise<string> {
    const { client, resource, selection, sink } = this.#options
    const items: T[] = []
    let limit: number | undefined = this.#options.pageSize ?? 500
    for (let next: string | undefined; ; ) {
      try {
        const page = await client.list(resource, { ...selection, limit, continue: next, signal })
        for (const item of page.items) items.push(item)
        next = page.continue
        if (next !== undefined) continue
        sink.replace(items, page.resourceVersion)
        this.#options.onListed?.(true)
        return page.resourceVersion
      } catch (error) {
        // The list grew too old between two pages: fetch it in one go.
        if (!isExpired(error) || next === undefined) throw error
        items.length = 0
        next = undefined
        limit = undefined
      }
    }
  }

  /** Follows from `version` on; returns where it stands when the server ends the watch in good order. */
  async #watch(version: string, signal: AbortSignal): Promise<string> {
    const { client, resource, selection, sink } = this.#options
    const seconds = this.#options.watchSeconds ?? 600
    const silence = this.#options.silence ?? SILENCE
    const quiet = new AbortController()
    const giveUp = () => quiet.abort(new ConnectionError('silent', `the watch of ${resource.plural} fell silent`))
    const watchdog = setTimeout(giveUp, silence)
    let at = version
    let progressed = false
    const begun = performance.now()
    try {
      const events = client.watch(resource, {
        ...selection,
        resourceVersion: version,
        bookmarks: true,
        timeoutSeconds: Math.round(seconds * (1 - Math.random() / 2)),
        signal: AbortSignal.any([signal, quiet.signal]),
      })
      for await (const { type, object } of events) {
        watchdog.refresh()
        at = object.metadata.resourceVersion ?? at
        progressed = true
        if (type === 'BOOKMARK') sink.advance(at)
        else sink.apply(type, object)
      }
      // A server that ends watches at once must not be asked in a tight loop.
      const short = performance.now() - begun < SHORT
      if (short && !progressed)
        throw new ConnectionError('cut', `the watch of ${resource.plural} ended before it brought anything`)
      return at
    } catch (cause) {
      throw new WatchBroken(at, progressed, cause)
    } finally {
      clearTimeout(watchdog)
    }
  }
}

/** Carries the place to go on from out of a broken watch. */
class WatchBroken extends Error {
  readonly version: string
  readonly progressed: boolean
  constructor(version: string, progressed: boolean, cause: unknown) {
    super('the watch broke', { cause })
    this.version = version
    this.progressed = progressed
  }
}
