import { isObject } from '../../lib/json.ts'
import type { Api, WriteOptions } from '../api.ts'
import { sameButManagement, sameManagers } from '../apply/managed-fields.ts'
import { isFreshStart, trackUpdate } from '../apply/track.ts'
import { type ApiObject, parseObject } from '../object.ts'
import {
  adviseFinalizers,
  keepServerFields,
  specChanged,
  validateMetadata,
  validateMetadataUpdate,
} from '../resources/metadata.ts'
import type { Resource } from '../resources/resource.ts'
import { badRequest, conflict, invalid, MODIFIED, notFound, type StatusCause, StatusError } from '../status-error.ts'
import { type Admitted, admit, refuseInvalid } from './admit.ts'
import { inStorageVersion, inVersion } from './versions.ts'

export interface ObjectKey {
  namespace: string
  name: string
}

export interface Proposal {
  raw: Record<string, unknown>
  /** Server-side apply brings its own account of who owns what. */
  manage?: (final: ApiObject) => void
  /** A patch starts from what is stored, so it never lacks a resourceVersion. */
  fromLive?: boolean
  /** What a patch has made of an object is the patch's fault: it is refused as a bad patch and not as a bad body. */
  refuse?: (patched: Record<string, unknown>, cause: Error) => StatusCause
}

/** Reads, changes and writes in one go: nothing can come in between. */
export function updateObject(
  api: Api,
  resource: Resource,
  key: ObjectKey,
  subresource: 'status' | undefined,
  propose: (live: ApiObject) => Proposal,
  options: WriteOptions,
): ApiObject {
  const row = api.store.get({ resource: resource.storageKey, ...key })
  if (!row) throw notFound(resource, key.name)
  const live = inVersion(resource, row.body, row.rev)
  const proposal = propose(live)
  const admitted = admitProposal(resource, proposal, live, options)
  const next = admitted.object
  const causes = subresource && resource.custom ? admitted.causes.map(asOfStatus) : admitted.causes
  checkIdentity(resource, next, live, key, proposal.fromLive ?? false)
  checkRevision(resource, next, live, proposal.fromLive ?? false)
  next.metadata.resourceVersion = live.metadata.resourceVersion ?? ''
  const { uid } = next.metadata
  keepServerFields(next.metadata, live.metadata)
  if (uid) next.metadata.uid = uid
  const final = subresource === 'status' ? withStatusOf(resource, next, live) : next
  if (subresource === undefined && resource.statusSubresource) keepStatus(final, live)
  if (proposal.manage) proposal.manage(final)
  else {
    const before = subresource ? live : withGivenManagers(next, live)
    trackUpdate(resource, before, final, { manager: options.manager, subresource, now: api.now() })
  }
  if (subresource === 'status') resource.prepareStatus?.(final, live)
  else prepareSpec(api, resource, final, live)
  const found = [...validateMetadata(final, resource), ...validateMetadataUpdate(final, live), ...causes]
  if (subresource === undefined) found.push(...(resource.validate?.(final, live) ?? []))
  refuseInvalid(resource, final, found)
  if (resource.custom) options.warnings.push(...adviseFinalizers(final))
  options.warnings.push(...(resource.warn?.(final) ?? []))
  if (sameButManagement(final, live) && sameManagers(final, live)) return live
  if (options.dryRun) return final
  writeObject(api, resource, key, final)
  if (subresource === undefined) resource.wrote?.(resource, key.name, { store: api.store, now: api.now() })
  return final
}

function admitProposal(resource: Resource, proposal: Proposal, live: ApiObject, options: WriteOptions): Admitted {
  try {
    return admit(resource, proposal.raw, live, options)
  } catch (error) {
    if (!proposal.refuse || !(error instanceof StatusError) || error.code !== 400) throw error
    const [strict] = /strict decoding error: .*$/s.exec(error.message) ?? []
    if (resource.custom && strict === undefined) throw error
    const detail = strict ?? error.message.replace(/^.*? cannot be handled as an? \w+: /, '')
    const cause = error.cause instanceof Error ? error.cause : new Error(detail)
    throw invalid('', '', '', [proposal.refuse(proposal.raw, cause)])
  }
}

/** The status of a custom object is judged as if it stood alone. */
const asOfStatus = (cause: StatusCause): StatusCause => ({
  ...cause,
  message: (cause.message ?? '').replace(/(?<=: )status\.(?=\S+ in body )/, ''),
})

/** Stores the object, or removes it if it was only waiting for its last finalizer. */
export function writeObject(api: Api, resource: Resource, key: ObjectKey, object: ApiObject): void {
  const full = { resource: resource.storageKey, ...key }
  const build = (rev: number): string => {
    object.metadata.resourceVersion = String(rev)
    return inStorageVersion(resource, object)
  }
  if (!isReleased(resource, object)) {
    api.store.put(full, build)
    return
  }
  // Watchers are told of it as it was last stored, with what held it until now.
  const last = api.store.get(full)
  api.store.remove(full, (rev) => {
    object.metadata.resourceVersion = String(rev)
    if (!last) return inStorageVersion(resource, object)
    const shown = parseObject(last.body)
    shown.metadata.resourceVersion = String(rev)
    return JSON.stringify(shown)
  })
}

function isReleased(resource: Resource, object: ApiObject): boolean {
  const meta = object.metadata
  if (!meta.deletionTimestamp || (meta.finalizers ?? []).length > 0) return false
  if (resource.storageKey === 'namespaces') {
    const { finalizers } = (object.spec ?? {}) as { finalizers?: string[] }
    return (finalizers ?? []).length === 0
  }
  return (meta.deletionGracePeriodSeconds ?? 0) === 0
}

function prepareSpec(api: Api, resource: Resource, next: ApiObject, live: ApiObject): void {
  resource.prepare?.(next, live, { store: api.store, now: api.now() })
  if (resource.generation && specChanged(next, live, resource.statusSubresource)) {
    next.metadata.generation = (live.metadata.generation ?? 0) + 1
  }
}

/** The status subresource changes the status; of built-in kinds also labels and the like, but never owners. */
function withStatusOf(resource: Resource, next: ApiObject, live: ApiObject): ApiObject {
  const final: ApiObject = { ...live, metadata: { ...(resource.custom ? live : next).metadata } }
  if (next.metadata.managedFields) final.metadata.managedFields = next.metadata.managedFields
  else delete final.metadata.managedFields
  if (live.metadata.ownerReferences) final.metadata.ownerReferences = live.metadata.ownerReferences
  else delete final.metadata.ownerReferences
  if (next.status === undefined) delete final.status
  else final.status = next.status
  return final
}

function keepStatus(next: ApiObject, live: ApiObject): void {
  if (live.status === undefined) delete next.status
  else next.status = live.status
}

function checkIdentity(resource: Resource, next: ApiObject, live: ApiObject, key: ObjectKey, fromLive: boolean): void {
  const meta = next.metadata
  if (!meta.name)
    throw badRequest(`the name of the object (${key.name} based on URL) was undeterminable: name must be provided`)
  if (meta.name !== key.name) {
    throw badRequest(`the name of the object (${meta.name}) does not match the name on the URL (${key.name})`)
  }
  if (resource.namespaced) {
    meta.namespace ??= key.namespace
    if (meta.namespace !== key.namespace) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
    }
  } else delete meta.namespace
  if (!fromLive && meta.uid && meta.uid !== live.metadata.uid) {
    throw conflict(
      resource,
      key.name,
      storageConflict(resource, key, `UID in precondition: ${meta.uid}, UID in object meta: ${live.metadata.uid}`),
    )
  }
}

/** As etcd's layer words a precondition that does not hold. */
function storageConflict(resource: Resource, key: ObjectKey, detail: string): string {
  const path = ['/registry', resource.storageKey, key.namespace, key.name].filter((part) => part !== '').join('/')
  return `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${detail}`
}

function checkRevision(resource: Resource, next: ApiObject, live: ApiObject, fromLive: boolean): void {
  const given = next.metadata.resourceVersion
  if (given && given !== live.metadata.resourceVersion) throw conflict(resource, live.metadata.name, MODIFIED)
  if (!given && !fromLive && !resource.unconditionalUpdate) {
    throw invalid(resource.group, resource.plural, live.metadata.name, [
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: 0: must be specified for an update',
        field: 'metadata.resourceVersion',
      },
    ])
  }
}

/** `PUT`: the body is the new object. */
export function replacement(raw: unknown): (live: ApiObject) => Proposal {
  return (live) => {
    if (!isObject(raw))
      throw badRequest('the object provided is unrecognized (must be of type Object): the body is not a JSON object')
    const sent = raw.metadata
    const metadata = isObject(sent) ? { ...sent, managedFields: givenManagers(sent.managedFields, live) } : sent
    return { raw: { ...raw, metadata } }
  }
}

/** A client may rewrite who manages what; one that leaves it out, or knows nothing of it, loses nothing. */
export function givenManagers(sent: unknown, live: ApiObject): unknown {
  // An empty list does not outlive decoding; one empty entry says the same.
  if (isFreshStart(sent)) return [{}]
  return isManagers(sent) ? sent : live.metadata.managedFields
}

const isManagers = (sent: unknown): boolean =>
  Array.isArray(sent) &&
  sent.length > 0 &&
  sent.every((e) => (e?.operation === 'Apply' || e?.operation === 'Update') && isObject(e.fieldsV1))

function withGivenManagers(next: ApiObject, live: ApiObject): ApiObject {
  const given = next.metadata.managedFields
  return given && isManagers(given) ? { ...live, metadata: { ...live.metadata, managedFields: given } } : live
}
