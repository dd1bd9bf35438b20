import { Cache, type CacheOptions, withoutManagedFields } from './cache.ts'
import { Reflector, type ReflectorOptions } from './reflector.ts'
import type { KubeObject } from './resource.ts'

export type InformerOptions<T extends KubeObject> = Omit<ReflectorOptions<T>, 'sink' | 'onListed'> & CacheOptions<T>

/** A cache that keeps itself in step with the API. */
export class Informer<T extends KubeObject> {
  readonly cache: Cache<T>
  readonly #reflector: Reflector<T>
  #installed = false
  #answered!: () => void
  #looking: Array<() => void> = []
  /** Resolves when the first list is in, or the API has said that it does not have the resource. */
  readonly synced = new Promise<void>((resolve) => {
    this.#answered = resolve
  })

  constructor(options: InformerOptions<T>) {
    const { indexes, trim = withoutManagedFields, onChange, ...reflector } = options
    this.cache = new Cache({ indexes, trim, onChange })
    this.#reflector = new Reflector({
      ...reflector,
      sink: this.cache,
      onListed: (installed) => {
        this.#installed = installed
        this.#answered()
        for (const done of this.#looking.splice(0)) done()
      },
    })
  }

  /** The API has the resource, as far as we know. */
  get installed(): boolean {
    return this.#installed
  }

  /** Looks again at once for a resource that was not there; resolves when the API has answered. */
  recheck(): Promise<void> {
    if (this.#installed) return Promise.resolve()
    const answered = new Promise<void>((resolve) => this.#looking.push(resolve))
    this.#reflector.kick()
    return answered
  }

  /** Runs until aborted. */
  run(signal: AbortSignal): Promise<void> {
    return this.#reflector.run(signal)
  }
}
