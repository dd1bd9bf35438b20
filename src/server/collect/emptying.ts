import type { Api } from '../api.ts'
import { CLEANUP_FINALIZER, type Definition } from '../crd/definition.ts'
import { establish, markEmptying } from '../crd/establish.ts'
import { type ApiObject, parseObject } from '../object.ts'
import type { Resource } from '../resources/resource.ts'
import { StatusError } from '../status-error.ts'
import { deleteObject } from '../verbs/delete.ts'
import { writeObject } from '../verbs/update.ts'

const PAGE = 200
const PLAIN = {
  grace: undefined,
  propagation: 'Background',
  uid: undefined,
  resourceVersion: undefined,
  dryRun: false,
} as const

/** Deletes what is left in a scope. True when nothing is left; else it must be looked at again later. */
function empty(api: Api, resource: Resource, namespace: string | undefined): boolean {
  const rows = api.store.list({ resource: resource.storageKey, namespace, limit: PAGE })
  let left = rows.length === PAGE
  for (const row of rows) {
    try {
      const { gone } = deleteObject(api, resource, { namespace: row.namespace, name: row.name }, PLAIN)
      if (!gone) left = true
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      left = true
    }
  }
  return !left
}

/** A namespace that is being deleted goes when the last thing in it has gone. */
export function emptyNamespace(api: Api, namespace: ApiObject): boolean {
  const { name } = namespace.metadata
  let done = true
  for (const resource of api.registry.stored()) {
    if (resource.namespaced && !empty(api, resource, name)) done = false
  }
  if (!done) return false
  const row = api.store.get({ resource: 'namespaces', namespace: '', name })
  const resource = api.registry.find('', 'v1', 'namespaces')
  if (!row || !resource) return true
  const live = parseObject(row.body)
  const { finalizers = [] } = (live.spec ?? {}) as { finalizers?: string[] }
  const left = finalizers.filter((finalizer) => finalizer !== 'kubernetes')
  live.spec = left.length > 0 ? { finalizers: left } : {}
  writeObject(api, resource, { namespace: '', name }, live)
  return true
}

/** A definition that is being deleted goes when the last object of its kind has gone. */
export function emptyDefinition(api: Api, definition: Definition): boolean {
  const { group, names } = definition.spec
  const own = api.registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')
  if (own) markEmptying(own, definition.metadata.name, { store: api.store, now: api.now() })
  const served = api.registry.stored().find((resource) => resource.storageKey === `${group}/${names.plural}`)
  if (served && !empty(api, served, undefined)) return false
  const key = { namespace: '', name: definition.metadata.name }
  const row = own && api.store.get({ resource: own.storageKey, ...key })
  if (!row || !own) return true
  const live = parseObject(row.body)
  const left = (live.metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP_FINALIZER)
  if (left.length > 0) live.metadata.finalizers = left
  else delete live.metadata.finalizers
  writeObject(api, own, key, live)
  return true
}

/** What a definition that has gone called its own is free for the others of its group. */
export function acceptFreedNames(api: Api, group: string): boolean {
  const own = api.registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')
  if (!own) return true
  for (const row of api.store.list({ resource: own.storageKey, limit: 1_000_000 })) {
    const definition = parseObject(row.body) as Definition
    if (definition.spec.group === group) establish(own, row.name, { store: api.store, now: api.now() })
  }
  return true
}
