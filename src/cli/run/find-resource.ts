// Which resource of the API takes an object of a manifest.

import { kindOf } from '../../api/kinds.ts'
import { isNotFound, type KubeClient, type KubeObject, type Resource } from '../../kube/index.ts'
import { isObject } from '../../lib/json.ts'

/** What comes with a job most often; everything else is asked for. */
const USUAL: Record<string, string> = {
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  Service: 'services',
  PersistentVolumeClaim: 'persistentvolumeclaims',
  ServiceAccount: 'serviceaccounts',
}

export async function findResource(
  client: KubeClient,
  apiVersion: string,
  kind: string,
): Promise<Resource | undefined> {
  const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion]
  const known = kindOf(apiVersion, kind)
  const plural = known?.plural ?? (apiVersion === 'v1' ? USUAL[kind] : undefined)
  if (plural !== undefined) return { group, version, plural, kind, namespaced: true }
  const path =
    group === '' ? `/api/${encodeURIComponent(version)}` : `/apis/${[group, version].map(encodeURIComponent).join('/')}`
  let answer: unknown
  try {
    answer = await client.raw({ method: 'GET', path })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
  const listed = isObject(answer) && Array.isArray(answer.resources) ? answer.resources.filter(isObject) : []
  const found = listed.find((each) => each.kind === kind && !String(each.name).includes('/'))
  return found && { group, version, plural: String(found.name), kind, namespaced: found.namespaced === true }
}

/** Makes the object be there as its manifest says, whoever made it. */
export async function applyObject(
  client: KubeClient,
  object: KubeObject,
  namespace: string,
): Promise<string | undefined> {
  const resource = await findResource(client, object.apiVersion, object.kind)
  if (!resource) return `the kind ${object.kind} of ${object.apiVersion} is unknown there`
  const metadata = resource.namespaced
    ? { ...object.metadata, namespace: object.metadata.namespace ?? namespace }
    : object.metadata
  const whole = { ...object, metadata }
  if (!metadata.name) await client.create(resource, whole, { fieldManager: 'trainyard' })
  else {
    const at = { namespace: resource.namespaced ? metadata.namespace : undefined, name: metadata.name }
    await client.patch(resource, at, { type: 'apply', body: whole }, { fieldManager: 'trainyard', force: true })
  }
  return undefined
}
