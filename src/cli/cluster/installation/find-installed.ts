import { isNotFound, type KubeClient, type KubeObject, type Resource } from '../../../kube/index.ts'
import { Declined } from '../../job-commands/declined.ts'
import { findResource } from '../../run/find-resource.ts'
import { watchedBy } from '../find-operators.ts'
import { isOurs } from '../others.ts'
import { buildInstallation } from './build-installation.ts'
import { findDeployment } from './plan-installation.ts'

export interface Found {
  resource: Resource
  object: KubeObject
}

/** What an installation of any shape may have made, the namespace last and only if it is ours. */
export async function findInstalled(client: KubeClient, namespace: string): Promise<Found[]> {
  const deployment = await findDeployment(client, namespace)
  if (deployment?.metadata.labels?.['app.kubernetes.io/managed-by'] === 'Helm') {
    const release = deployment.metadata.annotations?.['meta.helm.sh/release-name'] ?? 'trainyard'
    throw new Declined(
      'it was installed by Helm, which has to take it away',
      `remove it  helm uninstall ${release} -n ${namespace}`,
    )
  }
  const shape = { namespace, watchNamespace: deployment && watchedBy(deployment), image: '', replicas: 2, takeOver: [] }
  const whole = buildInstallation(shape)
  const found: Found[] = []
  for (const object of [...whole.objects.toReversed(), whole.namespace]) {
    const resource = await findResource(client, object.apiVersion, object.kind)
    if (!resource) continue
    const { name = '', namespace: within } = object.metadata
    const at = { name, ...(resource.namespaced && { namespace: within }) }
    const there = await client.get(resource, at).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    })
    if (there && isOurs(there)) found.push({ resource, object })
  }
  return found
}
