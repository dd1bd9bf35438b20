import type { Api } from '../api.ts'
import { createObject } from '../verbs/create.ts'
import { ownWrite } from '../verbs/own-write.ts'

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** What every cluster has from the beginning. */
export function createFirstObjects(api: Api): void {
  const resource = api.registry.find('', 'v1', 'namespaces')
  if (!resource) return
  for (const name of NAMESPACES) {
    if (api.store.get({ resource: 'namespaces', namespace: '', name })) continue
    createObject(api, resource, undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, ownWrite())
  }
}

/** Pods name the account `default`; tools look for it. */
export function ensureServiceAccount(api: Api, namespace: string): boolean {
  const resource = api.registry.find('', 'v1', 'serviceaccounts')
  const row = api.store.get({ resource: 'namespaces', namespace: '', name: namespace })
  if (!resource || !row || row.body.includes('"deletionTimestamp"')) return true
  if (api.store.get({ resource: 'serviceaccounts', namespace, name: 'default' })) return true
  createObject(
    api,
    resource,
    namespace,
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
    ownWrite(),
  )
  return true
}
