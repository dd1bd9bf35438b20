import { interpretStored } from '../crd/stored-defaults.ts'
import { type ApiObject, parseObject } from '../object.ts'
import { groupVersion, type Resource } from '../resources/resource.ts'

/** All versions of a resource have one shape (conversion None); they differ in apiVersion alone. */
export function inStorageVersion(resource: Resource, object: ApiObject): string {
  const { kind, apiVersion: _requested, metadata, ...rest } = object
  const apiVersion = groupVersion({ group: resource.group, version: resource.storageVersion })
  return JSON.stringify({ kind, apiVersion, metadata, ...rest })
}

/** How every stored text begins, after its brace. */
export const kindPrefix = (kind: string, apiVersion: string): string => `"kind":"${kind}","apiVersion":"${apiVersion}",`

/** A stored object in the version it is asked for. Objects older than their schema get its new defaults. */
export function inVersion(resource: Resource, body: string, rev: number): ApiObject {
  const object = parseObject(body)
  if (!resource.custom) return object
  object.apiVersion = groupVersion(resource)
  return rev < resource.schemaRevision ? interpretStored(resource, object) : object
}

/** Can the stored text be sent as it is? */
export function isVerbatim(resource: Resource, rev: number): boolean {
  return !resource.custom || (resource.version === resource.storageVersion && rev >= resource.schemaRevision)
}
