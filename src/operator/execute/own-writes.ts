// The job's objects as last heard of, from watches and from the answers to our own writes, whichever is newer. Without the
// latter a decision taken before the watch has caught up would not know what the one before it has done.
import type { KubeObject } from '../../api/types.ts'
import type { CreatedKind } from '../../core/decision.ts'

const MOST_TOMBSTONES = 8192

/** Where the answers to our own writes go, so that the next decision sees them. */
export interface OwnWrites {
  /** False if something newer is known already. */
  putJob(job: KubeObject): boolean
  removeJob(uid: string): void
  /** False if something newer is known already. */
  put(kind: CreatedKind, object: KubeObject): boolean
  remove(kind: CreatedKind, name: string, uid: string): void
}

export class JobCache implements OwnWrites {
  #job: KubeObject | undefined
  readonly #objects = new Map<CreatedKind, Map<string, KubeObject>>()
  /** Uids known to be gone: an answer that comes in after the news of the deletion must not bring the object back. */
  readonly #gone = new Set<string>()

  get job(): KubeObject | undefined {
    return this.#job
  }

  /** False if something newer is known already. */
  putJob(job: KubeObject): boolean {
    if (this.#gone.has(uidOf(job)) || isOlder(job, this.#job)) return false
    this.#job = job
    return true
  }

  removeJob(uid: string): void {
    if (this.#job?.metadata.uid === uid) this.#job = undefined
    this.#bury(uid)
  }

  /** False if something newer is known already. */
  put(kind: CreatedKind, object: KubeObject): boolean {
    if (this.#gone.has(uidOf(object))) return false
    const objects = this.#objects.get(kind) ?? new Map<string, KubeObject>()
    this.#objects.set(kind, objects)
    const name = object.metadata.name ?? ''
    if (isOlder(object, objects.get(name))) return false
    objects.set(name, object)
    return true
  }

  remove(kind: CreatedKind, name: string, uid: string): void {
    const objects = this.#objects.get(kind)
    if (objects?.get(name)?.metadata.uid === uid) objects.delete(name)
    this.#bury(uid)
  }

  list(kind: CreatedKind): KubeObject[] {
    return [...(this.#objects.get(kind)?.values() ?? [])]
  }

  #bury(uid: string): void {
    this.#gone.add(uid)
    if (this.#gone.size <= MOST_TOMBSTONES) return
    for (const oldest of this.#gone) {
      this.#gone.delete(oldest)
      break
    }
  }
}

function uidOf(object: KubeObject): string {
  return object.metadata.uid ?? ''
}

/** Resource versions are decimal numbers of any length, comparable as such. */
function isOlder(object: KubeObject, known: KubeObject | undefined): boolean {
  if (!known) return false
  const a = object.metadata.resourceVersion ?? ''
  const b = known.metadata.resourceVersion ?? ''
  return a.length === b.length ? a < b : a.length < b.length
}
