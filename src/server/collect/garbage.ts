import type { Api } from '../api.ts'
import { trackUpdate } from '../apply/track.ts'
import { type ApiObject, parseObject } from '../object.ts'
import type { Resource } from '../resources/resource.ts'
import type { Change, Key } from '../store/store.ts'
import { deleteObject, FOREGROUND_FINALIZER, ORPHAN_FINALIZER, type Propagation } from '../verbs/delete.ts'
import { writeObject } from '../verbs/update.ts'
import { OwnerIndex } from './owner-index.ts'

/** Deletes what has lost its owners, and lets owners go once their dependents have been seen to. */
export class Garbage {
  readonly #api: Api
  readonly #index = new OwnerIndex()

  constructor(api: Api) {
    this.#api = api
  }

  /** Returns the uids that must be looked at because of the change. */
  follow(change: Change, object: ApiObject): string[] {
    const { uid = '' } = object.metadata
    const key = { resource: change.resource, namespace: change.namespace, name: change.name }
    if (change.type !== 'DELETED') {
      this.#index.note(key, object)
      const isConcerned = object.metadata.ownerReferences || object.metadata.deletionTimestamp
      return isConcerned ? [uid, ...this.#index.ownersOf(uid).map((owner) => owner.uid)] : []
    }
    const owners = this.#index.ownersOf(uid).map((owner) => owner.uid)
    const dependents = this.#index.dependentsOf(uid).map((dependent) => dependent.uid)
    this.#index.forget(uid)
    return [...owners, ...dependents]
  }

  look(uid: string): void {
    const key = this.#index.keyOf(uid)
    const row = key && this.#api.store.get(key)
    const resource = key && this.#resourceOf(key)
    if (!key || !row || !resource) return
    const object = parseObject(row.body)
    if (object.metadata.uid !== uid) return
    if (object.metadata.deletionTimestamp) this.#release(resource, key, object)
    else this.#collect(resource, key, object)
  }

  #resourceOf(key: Key): Resource | undefined {
    return this.#api.registry.stored().find((resource) => resource.storageKey === key.resource)
  }

  /** An owner of a kind nobody serves here may well exist elsewhere: only what can be known to be gone is. */
  #collect(resource: Resource, key: Key, object: ApiObject): void {
    const owners = object.metadata.ownerReferences ?? []
    const kept = owners.filter(
      (owner) => this.#index.keyOf(owner.uid) || !this.#api.registry.ofKind(owner.apiVersion, owner.kind),
    )
    if (kept.length === owners.length) return
    if (kept.length === 0) this.#remove(resource, key, object, 'Background')
    else {
      object.metadata.ownerReferences = kept
      writeObject(this.#api, resource, key, object)
    }
  }

  #release(resource: Resource, key: Key, object: ApiObject): void {
    const finalizers = object.metadata.finalizers ?? []
    const dependents = this.#index.dependentsOf(object.metadata.uid ?? '')
    if (finalizers.includes(ORPHAN_FINALIZER)) {
      for (const dependent of dependents) this.#disown(dependent, object.metadata.uid ?? '')
      this.#dropFinalizer(resource, key, object, ORPHAN_FINALIZER)
    } else if (finalizers.includes(FOREGROUND_FINALIZER)) {
      const blocking = dependents.filter((d) =>
        d.owners.some((o) => o.uid === object.metadata.uid && o.blockOwnerDeletion),
      )
      for (const dependent of dependents) this.#deleteDependent(dependent, object.metadata.uid ?? '')
      if (blocking.length === 0) this.#dropFinalizer(resource, key, object, FOREGROUND_FINALIZER)
    }
  }

  #deleteDependent(dependent: Key & { uid: string }, ownerUid: string): void {
    const resource = this.#resourceOf(dependent)
    const row = this.#api.store.get(dependent)
    if (!resource || !row) return
    const object = parseObject(row.body)
    if (object.metadata.uid !== dependent.uid || object.metadata.deletionTimestamp) return
    const others = (object.metadata.ownerReferences ?? []).filter(
      (owner) => owner.uid !== ownerUid && this.#index.keyOf(owner.uid),
    )
    if (others.length > 0) this.#disown(dependent, ownerUid)
    else
      this.#remove(
        resource,
        dependent,
        object,
        this.#index.dependentsOf(dependent.uid).length > 0 ? 'Foreground' : 'Background',
      )
  }

  #disown(dependent: Key, ownerUid: string): void {
    const resource = this.#resourceOf(dependent)
    const row = this.#api.store.get(dependent)
    if (!resource || !row) return
    const object = parseObject(row.body)
    const left = (object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== ownerUid)
    const before = structuredClone(object)
    if (left.length > 0) object.metadata.ownerReferences = left
    else delete object.metadata.ownerReferences
    trackUpdate(resource, before, object, {
      manager: 'garbage-collector',
      subresource: undefined,
      now: this.#api.now(),
    })
    writeObject(this.#api, resource, dependent, object)
  }

  #remove(resource: Resource, key: Key, object: ApiObject, propagation: Propagation): void {
    deleteObject(this.#api, resource, key, {
      grace: undefined,
      propagation,
      uid: object.metadata.uid,
      resourceVersion: undefined,
      dryRun: false,
    })
  }

  #dropFinalizer(resource: Resource, key: Key, object: ApiObject, finalizer: string): void {
    const left = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer)
    if (left.length > 0) object.metadata.finalizers = left
    else delete object.metadata.finalizers
    writeObject(this.#api, resource, key, object)
  }
}
