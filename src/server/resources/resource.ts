import type { ApiObject } from '../object.ts'
import type { TypedSchema } from '../schema/kubernetes-schemas.ts'
import type { StatusCause } from '../status-error.ts'
import type { Store } from '../store/store.ts'

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

export const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

export interface Decoded {
  object: Record<string, unknown>
  /** Fields that were dropped because the kind has none of that name. */
  unknown: string[]
  causes: StatusCause[]
  warnings?: string[]
}

export interface Column {
  name: string
  type: string
  format?: string
  description?: string
  /** 0 shows always, 1 with -o wide. */
  priority?: number
  value: (object: ApiObject, now: number) => unknown
}

export interface ScalePaths {
  specReplicas: string[]
  statusReplicas: string[]
  labelSelector: string[] | undefined
}

export interface HookContext {
  store: Store
  now: number
}

/** One row of the table: everything the pipeline must know about a kind. */
export interface Resource {
  group: string
  version: string
  plural: string
  singular: string
  kind: string
  listKind: string
  namespaced: boolean
  shortNames: readonly string[]
  categories: readonly string[]
  verbs: readonly Verb[]
  /** The same for all versions of one resource. */
  storageKey: string
  storageVersion: string
  schema: TypedSchema
  /** Where the kind is found in OpenAPI. */
  definition: string
  custom: boolean
  statusSubresource: boolean
  /** May a new object bring its status along? */
  statusOnCreate?: boolean
  /** Said with every answer about it. */
  deprecation?: string
  /** Its definition is being deleted: nothing new of the kind is taken. */
  terminating?: boolean
  scale?: ScalePaths
  /** Beyond status and scale: names as in the URL. */
  subresources: readonly string[]
  /** Do writes to spec count a generation? */
  generation: boolean
  /** May an update leave the resourceVersion out? */
  unconditionalUpdate: boolean
  selectableFields: Readonly<Record<string, readonly string[]>>
  columns: readonly Column[]
  /** Schema changes after this revision; objects older than it get the new defaults when they are read. */
  schemaRevision: number
  decode(object: Record<string, unknown>, old: ApiObject | undefined): Decoded
  /** Defaults and fields the server owns. Runs on every write, before validation. */
  prepare?(next: ApiObject, old: ApiObject | undefined, context: HookContext): void
  /** Runs on the status subresource instead of prepare. */
  prepareStatus?(next: ApiObject, old: ApiObject): void
  /** What follows from a write at once: it is stored in the same go, after what is answered. */
  wrote?(resource: Resource, name: string, context: HookContext): void
  /** Marks an object on the first request to delete it, where the kind has its own way. */
  terminate?(object: ApiObject, now: number): void
  validate?(next: ApiObject, old: ApiObject | undefined): StatusCause[]
  checkName(name: string): string[]
  warn?(next: ApiObject): string[]
}

export const groupVersion = (r: { group: string; version: string }): string =>
  r.group ? `${r.group}/${r.version}` : r.version
