import type { ApiObject } from '../object.ts'
import type { Resource } from '../resources/resource.ts'

/** Defaults and pruning of the present schema for an object that was stored under an earlier one. */
export function interpretStored(resource: Resource, object: ApiObject): ApiObject {
  return { ...resource.decode({ ...object }, object).object, metadata: object.metadata } as ApiObject
}
