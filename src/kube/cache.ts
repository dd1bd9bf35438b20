import { isNewer, type KubeObject, keyOf } from './resource.ts'

/** What happened to a cached object; `old` is what stood there before. */
export type Change<T> =
  | { type: 'added'; object: T }
  | { type: 'changed'; object: T; old: T }
  | { type: 'removed'; object: T }

export interface CacheOptions<T> {
  /** Named ways to find objects besides their names: `{ owner: (pod) => [uid] }`. */
  indexes?: Record<string, (object: T) => readonly string[]>
  /** Takes off what nobody here reads, before it is kept. */
  trim?: (object: T) => T
  onChange?: (change: Change<T>) => void
}

/**
 * The objects of one resource as far as they are known: from lists and watches, and from the answers to our own
 * writes, which usually come first. Of two versions the newest wins, whichever way it came.
 */
export class Cache<T extends KubeObject> {
  readonly #options: CacheOptions<T>
  readonly #objects = new Map<string, T>()
  readonly #indexes = new Map<string, Map<string, Set<string>>>()
  /** uids we deleted ourselves, until the watch has told so too: its older news must not bring them back. */
  readonly #deleted = new Set<string>()
  /** How far list and watch have come. */
  #version: string | undefined

  constructor(options: CacheOptions<T> = {}) {
    this.#options = options
    for (const name of Object.keys(options.indexes ?? {})) this.#indexes.set(name, new Map())
  }

  get size(): number {
    return this.#objects.size
  }

  get(key: string): T | undefined {
    return this.#objects.get(key)
  }

  list(): T[] {
    return [...this.#objects.values()]
  }

  /** The objects that an index files under `value`, in order of their keys. */
  by(index: string, value: string): T[] {
    const keys = this.#indexes.get(index)?.get(value)
    return keys === undefined ? [] : [...keys].sort().map((key) => this.#objects.get(key)!)
  }

  /** A whole list. What is cached and newer than the list stays: the watch will tell its fate. */
  replace(objects: readonly T[], version: string): void {
    this.#version = version
    const listed = new Set<string>()
    const uids = new Set<string>()
    for (const object of objects) {
      listed.add(keyOf(object))
      uids.add(object.metadata.uid ?? '')
      this.#put(object)
    }
    for (const [key, object] of [...this.#objects]) {
      if (!listed.has(key) && !isNewer(object.metadata.resourceVersion, version)) this.#remove(key, object)
    }
    for (const uid of this.#deleted) if (!uids.has(uid)) this.#deleted.delete(uid)
  }

  /** There is nothing of this resource any more. */
  clear(): void {
    this.#version = undefined
    this.#deleted.clear()
    for (const [key, object] of [...this.#objects]) this.#remove(key, object)
  }

  /** One event of the watch. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
    this.advance(object.metadata.resourceVersion)
    if (type !== 'DELETED') {
      this.#put(object)
      return
    }
    const { uid } = object.metadata
    if (uid !== undefined) this.#deleted.delete(uid)
    const key = keyOf(object)
    const cached = this.#objects.get(key)
    // Its name may have been taken again by a newer object that we made ourselves.
    if (cached !== undefined && cached.metadata.uid === uid) this.#remove(key, object)
  }

  /** The watch has told everything up to this version. */
  advance(version: string | undefined): void {
    if (isNewer(version, this.#version)) this.#version = version
  }

  /** The answer to a write of our own; false if something newer is known already, be it that the object is gone. */
  merge(object: T): boolean {
    const { uid, resourceVersion } = object.metadata
    const known = this.#objects.get(keyOf(object))
    // The watch is past this version and does not have the object: it has been deleted since.
    if (known === undefined && !isNewer(resourceVersion, this.#version)) return false
    if (this.#deleted.has(uid ?? '') || isNewer(known?.metadata.resourceVersion, resourceVersion)) return false
    this.#put(object)
    return true
  }

  /** We deleted it ourselves, and it is gone. */
  forget(uid: string, key: string): void {
    const cached = this.#objects.get(key)
    if (cached?.metadata.uid !== uid) return
    this.#deleted.add(uid)
    this.#remove(key, cached)
  }

  #put(full: T): void {
    if (this.#deleted.has(full.metadata.uid ?? '')) return
    const key = keyOf(full)
    const old = this.#objects.get(key)
    if (old !== undefined && !isNewer(full.metadata.resourceVersion, old.metadata.resourceVersion)) return
    const object = this.#options.trim?.(full) ?? full
    const same = old !== undefined && old.metadata.uid === object.metadata.uid
    // Another object of the same name: nobody who knew the old one shall mistake this one for it.
    if (old !== undefined && !same) this.#remove(key, old)
    if (same) this.#file(key, old, false)
    this.#objects.set(key, object)
    this.#file(key, object, true)
    this.#options.onChange?.(same ? { type: 'changed', object, old } : { type: 'added', object })
  }

  #remove(key: string, last: T): void {
    const cached = this.#objects.get(key)
    if (cached === undefined) return
    this.#file(key, cached, false)
    this.#objects.delete(key)
    this.#options.onChange?.({ type: 'removed', object: this.#options.trim?.(last) ?? last })
  }

  #file(key: string, object: T, add: boolean): void {
    for (const [name, valuesOf] of Object.entries(this.#options.indexes ?? {})) {
      const index = this.#indexes.get(name)!
      for (const value of valuesOf(object)) {
        const keys = index.get(value) ?? new Set<string>()
        if (add) keys.add(key)
        else keys.delete(key)
        if (keys.size > 0) index.set(value, keys)
        else index.delete(value)
      }
    }
  }
}

/** The usual trimming: bookkeeping of other writers, which can be half of an object. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata
  const { 'kubectl.kubernetes.io/last-applied-configuration': applied, ...annotations } = metadata.annotations ?? {}
  if (applied !== undefined) metadata.annotations = annotations
  return { ...object, metadata }
}
