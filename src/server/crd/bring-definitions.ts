// Definitions that the server brings with it: served from its first moment, and following the program that brings them.
import { createHash, randomUUID } from 'node:crypto'
import type { Crd } from '../../api/build-crd.ts'
import type { Api } from '../api.ts'
import { trackUpdate } from '../apply/track.ts'
import { type ApiObject, parseObject, timestamp } from '../object.ts'
import type { Resource } from '../resources/resource.ts'
import { createObject } from '../verbs/create.ts'
import { ownWrite } from '../verbs/own-write.ts'
import { updateObject } from '../verbs/update.ts'
import { inStorageVersion } from '../verbs/versions.ts'
import type { Definition } from './definition.ts'
import { establishedStatus, MANAGER } from './establish.ts'

const HASH = 'trainyard.dev/crd-hash'

/** Written when the store next commits. */
export function bringDefinitions(api: Api, crds: readonly Crd[]): void {
  const resource = api.registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')!
  const { storageKey } = resource
  const isFirst = api.store.list({ resource: storageKey, limit: 1 }).length === 0
  for (const crd of crds) {
    const brought = crd as object as Definition
    const hash = createHash('sha256').update(JSON.stringify(brought)).digest('hex').slice(0, 16)
    const definition = withHash(brought, hash)
    const key = { namespace: '', name: definition.metadata.name }
    const row = api.store.get({ resource: storageKey, ...key })
    if (isFirst) storeEstablished(api, resource, definition)
    else if (!row) createObject(api, resource, undefined, definition, ownWrite())
    else if (parseObject(row.body).metadata.annotations?.[HASH] !== hash) {
      const { spec } = definition
      updateObject(api, resource, key, undefined, (live) => ({ raw: { ...withHash(live, hash), spec } }), ownWrite())
    }
  }
}

function withHash<T extends ApiObject>(object: T, hash: string): T {
  const { metadata } = object
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [HASH]: hash } } }
}

/**
 * What creating it and establishing its names come to, in one write: nobody else's definition can be in the way of the
 * first ones, and who starts a home waits for it.
 */
function storeEstablished(api: Api, resource: Resource, definition: Definition): void {
  const now = api.now()
  const { name } = definition.metadata
  const metadata = { ...definition.metadata, uid: randomUUID(), creationTimestamp: timestamp(now), generation: 1 }
  const created = { ...definition, metadata }
  trackUpdate(resource, undefined, created, { manager: ownWrite().manager, subresource: undefined, now })
  const established = { ...created, metadata: { ...metadata }, status: establishedStatus(definition, now) }
  trackUpdate(resource, created, established, { manager: MANAGER, subresource: 'status', now })
  api.store.put({ resource: resource.storageKey, namespace: '', name }, (rev) => {
    established.metadata.resourceVersion = String(rev)
    return inStorageVersion(resource, established)
  })
}
