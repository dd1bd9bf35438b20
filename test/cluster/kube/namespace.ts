import { randomBytes } from 'node:crypto'
import {
  type Connection,
  KubeClient,
  type KubeObject,
  loadConnection,
  NAMESPACES,
  type PODS,
  type Resource,
} from '../../../src/kube/index.ts'
import { realCluster } from '../../real-cluster.ts'

export interface Place {
  client: KubeClient
  connection: Connection
  namespace: string
  close(): Promise<void>
}

/** A namespace of its own on the real cluster, ready for pods. */
export async function openPlace(): Promise<Place> {
  const connection = await loadConnection({ kubeconfig: realCluster().kubeconfig })
  const client = new KubeClient(connection)
  const namespace = `kube-${randomBytes(4).toString('hex')}`
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  // A controller manager, where one runs, makes it too.
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'default' } }
  const at = { namespace, name: 'default' }
  await client.patch(SERVICE_ACCOUNTS, at, { type: 'apply', body: account }, { fieldManager: 'test' })
  return {
    client,
    connection,
    namespace,
    async close() {
      await client.delete(NAMESPACES, { name: namespace })
      await client.close()
    },
  }
}

const SERVICE_ACCOUNTS: Resource = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
}

export function buildPod(namespace: string, name: string): NonNullable<typeof PODS.objects> {
  const spec = { containers: [{ name: 'main', image: 'none' }] }
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, labels: { test: 'kube' } }, spec }
}

export function buildConfigMap(
  namespace: string,
  name: string,
  data: Record<string, string>,
): KubeObject & { data: Record<string, string> } {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data }
}

export const CONFIG_MAPS: Resource<KubeObject & { data?: Record<string, string> }> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
}
