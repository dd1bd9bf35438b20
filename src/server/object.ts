import type { Change } from './store/store.ts'

/** Any object of the API. What is not metadata differs by kind and is looked at as JSON. */
export interface ApiObject {
  apiVersion: string
  kind: string
  metadata: Meta
  [key: string]: unknown
}

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  manager?: string
  operation?: 'Apply' | 'Update'
  apiVersion?: string
  time?: string
  fieldsType?: string
  fieldsV1?: Record<string, unknown>
  subresource?: string
}

export interface Meta {
  name: string
  generateName?: string
  namespace?: string
  selfLink?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string | null
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  finalizers?: string[]
  managedFields?: ManagedFieldsEntry[]
}

export function parseObject(body: string): ApiObject {
  return JSON.parse(body) as ApiObject
}

const objects = new WeakMap<Change, ApiObject>()

/** What a change made of its object, read once for all who listen; nobody may write to it. */
export function objectOf(change: Change): ApiObject {
  let object = objects.get(change)
  if (!object) {
    object = parseObject(change.body)
    objects.set(change, object)
  }
  return object
}

/** Whole seconds, as metav1.Time. */
export function timestamp(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** The value at a path of plain keys, or undefined where the path leaves the objects. */
export function valueAt(object: unknown, path: readonly string[]): unknown {
  let value: unknown = object
  for (const step of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}
