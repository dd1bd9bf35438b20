import { isObject } from '../../lib/json.ts'
import type { Api } from '../api.ts'
import { type ApiObject, timestamp } from '../object.ts'
import { invalidValue, notSupported } from '../resources/field-errors.ts'
import type { Resource } from '../resources/resource.ts'
import { badRequest, conflict, forbidden, invalid, notFound, type StatusError } from '../status-error.ts'
import { type ObjectKey, writeObject } from './update.ts'
import { inVersion } from './versions.ts'

export type Propagation = 'Orphan' | 'Background' | 'Foreground'

export interface DeleteOptions {
  grace: number | undefined
  propagation: Propagation | undefined
  uid: string | undefined
  resourceVersion: string | undefined
  dryRun: boolean
}

export interface Deleted {
  object: ApiObject
  /** False while finalizers or the grace period still hold it. */
  gone: boolean
}

/** Whoever could delete them would have no place left to work in. */
const IMMORTAL = new Set(['default', 'kube-public', 'kube-system'])

export const ORPHAN_FINALIZER = 'orphan'
export const FOREGROUND_FINALIZER = 'foregroundDeletion'

export function deleteObject(api: Api, resource: Resource, key: ObjectKey, options: DeleteOptions): Deleted {
  const row = api.store.get({ resource: resource.storageKey, ...key })
  if (!row) throw notFound(resource, key.name)
  const object = inVersion(resource, row.body, row.rev)
  checkPreconditions(resource, object, options)
  if (resource.storageKey === 'namespaces' && IMMORTAL.has(key.name))
    throw forbidden(resource, key.name, 'this namespace may not be deleted')
  if (resource.terminate && !object.metadata.deletionTimestamp) {
    object.metadata.deletionTimestamp = timestamp(api.now())
    resource.terminate(object, api.now())
    if (!options.dryRun) writeObject(api, resource, key, object)
    return { object, gone: false }
  }
  const before = JSON.stringify(object)
  const grace = gracePeriod(resource, object, options)
  object.metadata.finalizers = finalizersFor(object, options.propagation)
  if (object.metadata.finalizers.length === 0) delete object.metadata.finalizers
  const held = grace > 0 || object.metadata.finalizers !== undefined || isHeldNamespace(resource, object)
  if (held || resource.storageKey === 'pods' || object.metadata.deletionTimestamp)
    markDeleted(api, resource, object, grace)
  if (!options.dryRun && (!held || JSON.stringify(object) !== before)) {
    if (!held) {
      // Without grace too a pod is first marked and then removed; watchers of a cluster see both.
      if (resource.storageKey === 'pods') writeMark(api, resource, key, object)
      removeNow(api, resource, key, object)
    } else writeObject(api, resource, key, object)
  }
  return { object, gone: !held }
}

function writeMark(api: Api, resource: Resource, key: ObjectKey, object: ApiObject): void {
  api.store.put({ resource: resource.storageKey, ...key }, (rev) => {
    object.metadata.resourceVersion = String(rev)
    return JSON.stringify(object)
  })
}

function removeNow(api: Api, resource: Resource, key: ObjectKey, object: ApiObject): void {
  api.store.remove({ resource: resource.storageKey, ...key }, (rev) => {
    object.metadata.resourceVersion = String(rev)
    return JSON.stringify(object)
  })
}

function checkPreconditions(resource: Resource, object: ApiObject, { uid, resourceVersion }: DeleteOptions): void {
  const meta = object.metadata
  const refuse = (field: string, wanted: string, found: string | undefined, perhaps: string): StatusError =>
    conflict(
      { group: resource.group, plural: resource.kind },
      meta.name,
      `the ${field} in the precondition (${wanted}) does not match the ${field} in record (${found}). The object might have been ${perhaps}`,
    )
  if (uid && uid !== meta.uid) throw refuse('UID', uid, meta.uid, 'deleted and then recreated')
  if (resourceVersion && resourceVersion !== meta.resourceVersion) {
    throw refuse('ResourceVersion', resourceVersion, meta.resourceVersion, 'modified')
  }
}

/** Only pods take their time, and only those that may be running. */
function gracePeriod(resource: Resource, object: ApiObject, options: DeleteOptions): number {
  if (resource.storageKey !== 'pods') return 0
  const spec = (object.spec ?? {}) as { nodeName?: string; terminationGracePeriodSeconds?: number }
  const status = (object.status ?? {}) as { phase?: string }
  if (!spec.nodeName || status.phase === 'Succeeded' || status.phase === 'Failed') return 0
  const asked = options.grace ?? spec.terminationGracePeriodSeconds ?? 30
  const wanted = asked < 0 ? 1 : asked
  const running = object.metadata.deletionTimestamp ? object.metadata.deletionGracePeriodSeconds : undefined
  // A second delete may hurry the first, never slow it.
  return running === undefined ? wanted : Math.min(wanted, running)
}

function markDeleted(api: Api, resource: Resource, object: ApiObject, grace: number): void {
  const meta = object.metadata
  if (!meta.deletionTimestamp) {
    if (meta.generation) meta.generation++
    meta.deletionTimestamp = timestamp(api.now() + grace * 1000)
    if (resource.storageKey === 'namespaces') object.status = { ...(object.status as object), phase: 'Terminating' }
    else meta.deletionGracePeriodSeconds = grace
  } else if (grace < (meta.deletionGracePeriodSeconds ?? 0)) {
    meta.deletionTimestamp = timestamp(
      Date.parse(meta.deletionTimestamp) - ((meta.deletionGracePeriodSeconds ?? 0) - grace) * 1000,
    )
    meta.deletionGracePeriodSeconds = grace
  }
}

function finalizersFor(object: ApiObject, propagation: Propagation | undefined): string[] {
  const given = object.metadata.finalizers ?? []
  if (propagation === undefined) return given
  const others = given.filter((name) => name !== ORPHAN_FINALIZER && name !== FOREGROUND_FINALIZER)
  if (propagation === 'Orphan') return [...others, ORPHAN_FINALIZER]
  return propagation === 'Foreground' ? [...others, FOREGROUND_FINALIZER] : others
}

function isHeldNamespace(resource: Resource, object: ApiObject): boolean {
  return (
    resource.storageKey === 'namespaces' && ((object.spec as { finalizers?: string[] })?.finalizers ?? []).length > 0
  )
}

const PROPAGATIONS: readonly string[] = ['Foreground', 'Background', 'Orphan']

/** Options come in the body, or as query parameters. */
export function parseDeleteOptions(query: URLSearchParams, body: unknown): DeleteOptions {
  const given = isObject(body) ? body : {}
  if (given.kind !== undefined && given.kind !== 'DeleteOptions') {
    const what = `no kind ${JSON.stringify(given.kind)} is registered for version ${JSON.stringify(given.apiVersion ?? '')}`
    throw badRequest(`${what} in scheme "pkg/runtime/scheme.go:111"`)
  }
  const preconditions = isObject(given.preconditions) ? given.preconditions : {}
  const grace = given.gracePeriodSeconds ?? query.get('gracePeriodSeconds') ?? undefined
  const orphan = given.orphanDependents ?? query.get('orphanDependents') ?? undefined
  const propagation = given.propagationPolicy ?? query.get('propagationPolicy') ?? undefined
  if (propagation !== undefined && !PROPAGATIONS.includes(String(propagation))) {
    throw invalid('meta.k8s.io', 'DeleteOptions', '', [
      notSupported('propagationPolicy', propagation, [...PROPAGATIONS, 'nil']),
    ])
  }
  if (grace !== undefined && !Number.isInteger(Number(grace)))
    throw badRequest(`strconv.ParseInt: parsing "${String(grace)}": invalid syntax`)
  const dryRun = Array.isArray(given.dryRun) ? given.dryRun : query.getAll('dryRun')
  if (dryRun.some((value) => value !== 'All'))
    throw invalid('meta.k8s.io', 'DeleteOptions', '', [notSupported('dryRun', dryRun, ['All'])])
  if (propagation !== undefined && orphan !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set'
    throw invalid('meta.k8s.io', 'DeleteOptions', '', [invalidValue('propagationPolicy', propagation, why)])
  }
  const asked =
    orphan === undefined
      ? (propagation as Propagation | undefined)
      : String(orphan) === 'true'
        ? 'Orphan'
        : 'Background'
  return {
    grace: grace === undefined ? undefined : Number(grace),
    propagation: asked,
    uid: preconditions.uid as string | undefined,
    resourceVersion: preconditions.resourceVersion as string | undefined,
    dryRun: dryRun.length > 0,
  }
}
