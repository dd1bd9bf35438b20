import type { CustomResourceDefinition } from '../../../../gen/kubernetes-types.ts'
import { CRDS, isNotFound, type KubeClient, type KubeObject, NAMESPACES, pause } from '../../../kube/index.ts'
import { type Word, wordFor } from '../../job-commands/apply.ts'
import { Declined } from '../../job-commands/declined.ts'
import { findResource } from '../../run/find-resource.ts'
import { DEPLOYMENTS } from '../others.ts'
import { type InstallationPlan, objectsOf } from './plan-installation.ts'

const WRITER = 'trainyard-install'
const PACE = 100
const PATIENCE = 60_000

export interface Applied {
  object: KubeObject
  /** Absent: it could not be tried, because the namespace it goes into is not there yet. */
  word?: Word
}

/** Makes everything be there; or with `dryRun` asks the server whether it would take it. */
export async function applyInstallation(
  client: KubeClient,
  plan: InstallationPlan,
  dryRun: boolean,
  onApplied: (applied: Applied) => void,
): Promise<void> {
  const missing = dryRun && !(await exists(client, plan.namespace.metadata.name!))
  for (const { namespace, name } of dryRun ? [] : plan.stopped) {
    const body = { spec: { replicas: 0 } }
    await client.patch(DEPLOYMENTS, { namespace, name }, { type: 'merge', body }, { fieldManager: WRITER })
  }
  for (const object of objectsOf(plan)) {
    const intoNothing = missing && object.metadata.namespace === plan.namespace.metadata.name
    onApplied(intoNothing ? { object } : { object, word: await apply(client, object, dryRun) })
  }
  for (const object of dryRun ? [] : (plan.rescoped?.obsolete ?? [])) await remove(client, object)
  if (!dryRun) await Promise.all(plan.crds.map(({ metadata }) => awaitServed(client, metadata.name!)))
}

async function apply(client: KubeClient, object: KubeObject, dryRun: boolean): Promise<Word> {
  const resource = await findResource(client, object.apiVersion, object.kind)
  if (!resource) throw new Declined(`this cluster does not know ${object.apiVersion} ${object.kind}`)
  const { namespace, name = '' } = object.metadata
  const at = { name, ...(resource.namespaced && { namespace }) }
  const before = await client.get(resource, at).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  const options = { fieldManager: WRITER, force: true, fieldValidation: 'Strict', dryRun } as const
  return wordFor(before, await client.patch(resource, at, { type: 'apply', body: object }, options))
}

async function remove(client: KubeClient, { apiVersion, kind, metadata }: KubeObject): Promise<void> {
  const resource = await findResource(client, apiVersion, kind)
  const { namespace, name = '' } = metadata
  await client.delete(resource!, { namespace, name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}

async function exists(client: KubeClient, namespace: string): Promise<boolean> {
  return client.get(NAMESPACES, { name: namespace }).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false
      throw error
    },
  )
}

async function awaitServed(client: KubeClient, name: string): Promise<void> {
  for (const start = Date.now(); Date.now() - start < PATIENCE; await pause(PACE)) {
    const crd: CustomResourceDefinition = await client.get(CRDS, { name })
    const refused = crd.status?.conditions?.find(({ type, status }) => type === 'NamesAccepted' && status === 'False')
    if (refused) throw new Declined(`${name} is not accepted: ${refused.message}`)
    if (crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) return
  }
  throw new Declined(`${name} is not served after ${PATIENCE / 1000} s`)
}
