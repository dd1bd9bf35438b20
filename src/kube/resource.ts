// Which objects the API is asked for, and where they lie.
import type {
  CustomResourceDefinition,
  Event,
  Lease,
  Namespace,
  Node,
  ObjectMeta,
  Pod,
  Service,
} from '../../gen/kubernetes-types.ts'

export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

/** One resource of the API; the type of its objects rides along. */
export interface Resource<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  /** Never set: it only carries the type. */
  readonly objects?: T
}

export interface ObjectName {
  namespace?: string
  name: string
}

export interface ObjectList<T> {
  items: T[]
  resourceVersion: string
  continue?: string
  remainingItemCount?: number
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'

export interface WatchEvent<T> {
  type: WatchEventType
  object: T
}

function core<T extends object>(plural: string, kind: string, namespaced = true): Resource<T & KubeObject> {
  return { group: '', version: 'v1', plural, kind, namespaced }
}

export const PODS = core<Pod>('pods', 'Pod')
export const SERVICES = core<Service>('services', 'Service')
export const EVENTS = core<Event>('events', 'Event')
export const NODES = core<Node>('nodes', 'Node', false)
export const NAMESPACES = core<Namespace>('namespaces', 'Namespace', false)
export const LEASES: Resource<Lease & KubeObject> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
}
export const CRDS: Resource<CustomResourceDefinition & KubeObject> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
}

export function apiVersionOf(resource: Resource): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
}

/** `/apis/<group>/<version>[/namespaces/<ns>]/<plural>[/<name>[/<subresource>]]`; no namespace: all of them. */
export function pathOf(resource: Resource, at: { namespace?: string; name?: string; subresource?: string }): string {
  const steps = resource.group === '' ? ['api', resource.version] : ['apis', resource.group, resource.version]
  if (resource.namespaced && at.namespace !== undefined) steps.push('namespaces', at.namespace)
  steps.push(resource.plural)
  if (at.name !== undefined) steps.push(at.name)
  if (at.subresource !== undefined) steps.push(at.subresource)
  return `/${steps.map(encodeURIComponent).join('/')}`
}

/** How objects are told apart within one resource: `namespace/name`, or the bare name. */
export function keyOf(object: { metadata?: ObjectMeta }): string {
  const { namespace, name } = object.metadata ?? {}
  return namespace === undefined ? (name ?? '') : `${namespace}/${name}`
}

/** Versions are decimal numbers that grow with every write to the store. */
export function isNewer(version: string | undefined, than: string | undefined): boolean {
  if (version === undefined) return false
  if (than === undefined) return true
  return version.length === than.length ? version > than : version.length > than.length
}

/** The uid of the controller that owns an object. */
export function controllerUid(object: { metadata?: ObjectMeta }): string | undefined {
  return object.metadata?.ownerReferences?.find((owner) => owner.controller)?.uid
}
