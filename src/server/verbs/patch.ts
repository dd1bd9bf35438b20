import { isObject } from '../../lib/json.ts'
import type { Api, WriteOptions } from '../api.ts'
import { checkTyped } from '../apply/check-typed.ts'
import { applyConfiguration } from '../apply/track.ts'
import type { ApiObject } from '../object.ts'
import type { ParsedPatch } from '../patch/patch.ts'
import { required } from '../resources/field-errors.ts'
import { groupVersion, type Resource } from '../resources/resource.ts'
import { badRequest, invalid } from '../status-error.ts'
import { createByApply } from './create.ts'
import { givenManagers, type ObjectKey, type Proposal, updateObject } from './update.ts'

export interface Patched {
  object: ApiObject
  created: boolean
}

export function patchObject(
  api: Api,
  resource: Resource,
  key: ObjectKey,
  subresource: 'status' | undefined,
  patch: ParsedPatch,
  force: boolean,
  options: WriteOptions,
): Patched {
  if (patch.kind === 'change') {
    const propose = (live: ApiObject): Proposal => ({
      raw: withManagers(patch.apply(live), live),
      fromLive: true,
      refuse: patch.refuse,
    })
    return { object: updateObject(api, resource, key, subresource, propose, options), created: false }
  }
  const config = checkConfiguration(resource, key, patch.config)
  if (!options.manager)
    throw invalid('meta.k8s.io', 'PatchOptions', '', [required('fieldManager', 'is required for apply patch')])
  if (subresource === undefined && !api.store.get({ resource: resource.storageKey, ...key })) {
    return { object: createByApply(api, resource, key, config, options), created: true }
  }
  const propose = (live: ApiObject): Proposal => {
    const writer = { manager: options.manager, subresource, now: api.now(), force }
    const { object, finish } = applyConfiguration(resource, live, config, writer)
    renewLastApplied(object, patch.config, options.manager)
    return { raw: object, manage: finish, fromLive: true }
  }
  return { object: updateObject(api, resource, key, subresource, propose, options), created: false }
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Where kubectl once left its annotation, it is kept true, so that one can go back to client-side apply. */
function renewLastApplied(object: ApiObject, config: Record<string, unknown>, manager: string): void {
  const annotations = object.metadata.annotations
  if (manager !== 'kubectl' || !annotations || !(LAST_APPLIED in annotations)) return
  object.metadata.annotations = { ...annotations, [LAST_APPLIED]: `${JSON.stringify(sorted(config))}\n` }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  )
}

function withManagers(next: Record<string, unknown>, live: ApiObject): Record<string, unknown> {
  if (!isObject(next) || !isObject(next.metadata)) return next
  return {
    ...next,
    metadata: {
      ...next.metadata,
      managedFields: givenManagers(next.metadata.managedFields, live),
    },
  }
}

function checkConfiguration(
  resource: Resource,
  key: ObjectKey,
  config: Record<string, unknown>,
): Record<string, unknown> {
  const metadata = config.metadata ?? {}
  if (!isObject(metadata)) throw badRequest('metadata must be an object')
  if (metadata.managedFields !== undefined && metadata.managedFields !== null)
    throw badRequest('metadata.managedFields must be nil')
  if (config.kind !== resource.kind || config.apiVersion !== groupVersion(resource)) {
    const gv = String(config.apiVersion ?? '')
    throw badRequest(`invalid object type: ${gv.includes('/') ? gv : `/${gv}`}, Kind=${String(config.kind ?? '')}`)
  }
  checkTyped(resource.schema, config, groupVersion(resource), resource.kind)
  const { name } = metadata
  if (!name)
    throw badRequest(`the name of the object (${key.name} based on URL) was undeterminable: name must be provided`)
  if (name !== key.name)
    throw badRequest(`the name of the object (${String(name)}) does not match the name on the URL (${key.name})`)
  const namespace = metadata.namespace ?? (resource.namespaced ? key.namespace : undefined)
  return { ...config, metadata: { ...metadata, name, ...(namespace ? { namespace } : {}) } }
}
