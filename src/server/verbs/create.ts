import { randomInt, randomUUID } from 'node:crypto'
import type { Api, WriteOptions } from '../api.ts'
import { applyConfiguration, trackUpdate } from '../apply/track.ts'
import { type ApiObject, parseObject, timestamp } from '../object.ts'
import { adviseFinalizers, validateMetadata } from '../resources/metadata.ts'
import type { Resource } from '../resources/resource.ts'
import { alreadyExists, badRequest, conflict, forbidden, notFound, StatusError } from '../status-error.ts'
import { admit, refuseInvalid } from './admit.ts'
import { inStorageVersion } from './versions.ts'

const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789'
const MAX_GENERATED = 63
const ATTEMPTS = 8

export function createObject(
  api: Api,
  resource: Resource,
  namespace: string | undefined,
  raw: unknown,
  options: WriteOptions,
): ApiObject {
  const { object, causes } = admit(resource, raw, undefined, options)
  checkNamespace(api, resource, namespace, object)
  if (object.metadata.resourceVersion)
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created')
  giveName(api, resource, object)
  refuseTerminating(resource, object.metadata.name)
  const writer = { manager: options.manager, subresource: undefined, now: api.now() }
  beNew(object, api.now())
  // Ownership is settled before the server adds its own: nobody owns what they did not send.
  delete object.metadata.managedFields
  trackUpdate(resource, undefined, object, writer)
  const { managedFields } = object.metadata
  delete object.metadata.managedFields
  return store(api, resource, object, causes, options, (final) => {
    if (managedFields) final.metadata.managedFields = managedFields
  })
}

/** A server-side apply of something that is not there yet. */
export function createByApply(
  api: Api,
  resource: Resource,
  key: { namespace: string; name: string },
  config: Record<string, unknown>,
  options: WriteOptions,
): ApiObject {
  const { object: decoded, causes } = admit(resource, config, undefined, options)
  checkNamespace(api, resource, resource.namespaced ? key.namespace : undefined, decoded)
  refuseTerminating(resource, key.name)
  if (decoded.metadata.uid) {
    const why = `uid mismatch: the provided object specified uid ${decoded.metadata.uid}, and no existing object was found`
    throw conflict(resource, key.name, why)
  }
  const { finish } = applyConfiguration(resource, undefined, config, {
    manager: options.manager,
    subresource: undefined,
    now: api.now(),
    force: false,
  })
  decoded.metadata.name = key.name
  beNew(decoded, api.now())
  delete decoded.metadata.managedFields
  return store(api, resource, decoded, causes, options, finish)
}

function store(
  api: Api,
  resource: Resource,
  object: ApiObject,
  schemaCauses: Parameters<typeof refuseInvalid>[2],
  options: WriteOptions,
  manage: (final: ApiObject) => void,
): ApiObject {
  if (resource.statusSubresource && !resource.statusOnCreate) delete object.status
  if (resource.generation) object.metadata.generation = 1
  resource.prepare?.(object, undefined, { store: api.store, now: api.now() })
  const causes = [
    ...validateMetadata(object, resource),
    ...schemaCauses,
    ...(resource.validate?.(object, undefined) ?? []),
  ]
  refuseInvalid(resource, object, causes)
  if (resource.custom) options.warnings.push(...adviseFinalizers(object))
  options.warnings.push(...(resource.warn?.(object) ?? []))
  const key = keyOf(resource, object)
  if (api.store.get(key)) throw alreadyExists(resource, object.metadata.name)
  manage(object)
  if (options.dryRun) return object
  api.store.put(key, (rev) => {
    object.metadata.resourceVersion = String(rev)
    return inStorageVersion(resource, object)
  })
  resource.wrote?.(resource, object.metadata.name, { store: api.store, now: api.now() })
  return object
}

export const keyOf = (resource: Resource, object: ApiObject) => ({
  resource: resource.storageKey,
  namespace: object.metadata.namespace ?? '',
  name: object.metadata.name,
})

function checkNamespace(api: Api, resource: Resource, namespace: string | undefined, object: ApiObject): void {
  if (!resource.namespaced) {
    delete object.metadata.namespace
    return
  }
  const given = object.metadata.namespace
  const wanted = namespace ?? given
  if (!wanted) throw badRequest('an empty namespace may not be set during creation')
  if (given && given !== wanted) {
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`)
  }
  object.metadata.namespace = wanted
  const row = api.store.get({ resource: 'namespaces', namespace: '', name: wanted })
  if (!row) throw notFound({ group: '', plural: 'namespaces' }, wanted)
  if (parseObject(row.body).metadata.deletionTimestamp) {
    const error = forbidden(
      resource,
      object.metadata.name ?? '',
      `unable to create new content in namespace ${wanted} because it is being terminated`,
    )
    throw new StatusError(403, 'Forbidden', error.message, {
      ...error.details,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${wanted} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    })
  }
}

function refuseTerminating(resource: Resource, name: string): void {
  if (resource.terminating)
    throw forbidden(resource, name ?? '', 'create not allowed while custom resource definition is terminating')
}

function giveName(api: Api, resource: Resource, object: ApiObject): void {
  const { generateName } = object.metadata
  if (object.metadata.name || !generateName) return
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const suffix = Array.from({ length: 5 }, () => SUFFIX_LETTERS[randomInt(SUFFIX_LETTERS.length)]).join('')
    object.metadata.name = generateName.slice(0, MAX_GENERATED - suffix.length) + suffix
    if (!api.store.get(keyOf(resource, object))) return
  }
}

function beNew(object: ApiObject, now: number): void {
  const meta = object.metadata
  meta.uid = randomUUID()
  meta.creationTimestamp = timestamp(now)
  for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'resourceVersion'] as const)
    delete meta[field]
}
