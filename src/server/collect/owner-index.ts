import type { ApiObject, OwnerReference } from '../object.ts'
import type { Key } from '../store/store.ts'

export interface Dependent extends Key {
  uid: string
  owners: OwnerReference[]
}

/** Who is there, and who depends on whom, by uid. */
export class OwnerIndex {
  readonly #live = new Map<string, Key>()
  readonly #dependents = new Map<string, Map<string, Dependent>>()
  readonly #owners = new Map<string, OwnerReference[]>()

  note(key: Key, object: ApiObject): void {
    const { uid = '', ownerReferences = [] } = object.metadata
    this.#live.set(uid, key)
    this.#unlink(uid)
    if (ownerReferences.length === 0) return
    this.#owners.set(uid, ownerReferences)
    for (const owner of ownerReferences) {
      const known = this.#dependents.get(owner.uid) ?? new Map<string, Dependent>()
      known.set(uid, { ...key, uid, owners: ownerReferences })
      this.#dependents.set(owner.uid, known)
    }
  }

  forget(uid: string): void {
    this.#live.delete(uid)
    this.#unlink(uid)
  }

  #unlink(uid: string): void {
    for (const owner of this.#owners.get(uid) ?? []) {
      const known = this.#dependents.get(owner.uid)
      known?.delete(uid)
      if (known?.size === 0) this.#dependents.delete(owner.uid)
    }
    this.#owners.delete(uid)
  }

  keyOf(uid: string): Key | undefined {
    return this.#live.get(uid)
  }

  ownersOf(uid: string): readonly OwnerReference[] {
    return this.#owners.get(uid) ?? []
  }

  dependentsOf(uid: string): Dependent[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])]
  }

  *uids(): Iterable<string> {
    yield* this.#live.keys()
  }
}
