import { isObject } from '../../lib/json.ts'
import type { Api, WriteOptions } from '../api.ts'
import { applyConfiguration } from '../apply/track.ts'
import type { ApiObject } from '../object.ts'
import type { ParsedPatch } from '../patch/patch.ts'
import { groupVersion, type Resource } from '../resources/resource.ts'
import { badRequest } from '../status-error.ts'
import { createByApply } from './create.ts'
import { type ObjectKey, type Proposal, updateObject } from './update.ts'

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
    const propose = (live: ApiObject): Proposal => ({ raw: withManagers(patch.apply(live), live), fromLive: true })
    return { object: updateObject(api, resource, key, subresource, propose, options), created: false }
  }
  const config = checkConfiguration(resource, key, patch.config)
  if (!options.manager)
    throw badRequest(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    )
  if (subresource === undefined && !api.store.get({ resource: resource.storageKey, ...key })) {
    return { object: createByApply(api, resource, key, config, options), created: true }
  }
  const propose = (live: ApiObject): Proposal => {
    const writer = { manager: options.manager, subresource, now: api.now(), force }
    const { object, finish } = applyConfiguration(resource, live, config, writer)
    return { raw: object, manage: finish, fromLive: true }
  }
  return { object: updateObject(api, resource, key, subresource, propose, options), created: false }
}

function withManagers(next: Record<string, unknown>, live: ApiObject): Record<string, unknown> {
  if (!isObject(next) || !isObject(next.metadata)) return next
  const emptied = Array.isArray(next.metadata.managedFields) && next.metadata.managedFields.length === 0
  return { ...next, metadata: { ...next.metadata, managedFields: emptied ? [] : live.metadata.managedFields } }
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
    throw badRequest(
      `the configuration is a ${String(config.apiVersion)} ${String(config.kind)}, the request is about ${groupVersion(resource)} ${resource.kind}`,
    )
  }
  const name = metadata.name ?? key.name
  const namespace = metadata.namespace ?? (resource.namespaced ? key.namespace : undefined)
  return { ...config, metadata: { ...metadata, name, ...(namespace ? { namespace } : {}) } }
}
