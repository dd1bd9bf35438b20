import { isObject } from '../../lib/json.ts'
import type { Api } from '../api.ts'
import { type ApiObject, valueAt } from '../object.ts'
import type { Resource } from '../resources/resource.ts'
import { badRequest, conflict, MODIFIED, notFound } from '../status-error.ts'
import { type ObjectKey, writeObject } from './update.ts'
import { inVersion } from './versions.ts'

/** The only way to take spec.finalizers off a namespace. */
export function finalizeNamespace(api: Api, resource: Resource, key: ObjectKey, sent: unknown): ApiObject {
  const row = api.store.get({ resource: resource.storageKey, ...key })
  if (!row) throw notFound(resource, key.name)
  if (!isObject(sent)) throw badRequest('the body must be a Namespace')
  const namespace = inVersion(resource, row.body, row.rev)
  const revision = valueAt(sent, ['metadata', 'resourceVersion'])
  if (revision && revision !== namespace.metadata.resourceVersion) throw conflict(resource, key.name, MODIFIED)
  const finalizers = valueAt(sent, ['spec', 'finalizers'])
  namespace.spec = Array.isArray(finalizers) && finalizers.length > 0 ? { finalizers } : {}
  writeObject(api, resource, key, namespace)
  return namespace
}
