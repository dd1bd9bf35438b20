// A cluster of its own called lab, which installations may change as they like; its nodes and its DNS are words only.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { type ControlPlane, startControlPlane } from '../../../scripts/real/control-plane.ts'
import { findResource } from '../../../src/cli/run/find-resource.ts'
import { KubeClient, type KubeObject, loadConnection, PODS } from '../../../src/kube/index.ts'

export interface Lab {
  client: KubeClient
  /** Its only context is called lab. */
  kubeconfig: string
  create(object: object): Promise<KubeObject>
  /** Says of the operator's pods what their kubelet would. */
  startPods(): Promise<void>
  /** A kubeconfig with a token of the operator's account. */
  operatorsKubeconfig(namespace: string): Promise<string>
  stop(): Promise<void>
}

export async function startLab(): Promise<Lab> {
  const plane = await startControlPlane({
    parts: ['kube-controller-manager'],
    admission: ['OwnerReferencesPermissionEnforcement'],
  })
  const kubeconfig = writeKubeconfig(plane, 'lab')
  const client = new KubeClient(await loadConnection({ kubeconfig }))
  const create = async (object: object): Promise<KubeObject> => {
    const { apiVersion, kind } = object as KubeObject
    const resource = await findResource(client, apiVersion, kind)
    return client.create(resource!, object as KubeObject)
  }
  return {
    client,
    kubeconfig,
    create,
    async startPods() {
      const { items } = await client.list(PODS, { labelSelector: 'app.kubernetes.io/component=operator' })
      for (const pod of items) await markReady(client, pod)
    },
    async operatorsKubeconfig(namespace) {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/trainyard-operator/token`
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec: {} }
      const { status } = (await client.raw({ method: 'POST', path, body })) as { status: { token: string } }
      return writeKubeconfig(plane, 'operator', { token: status.token })
    },
    async stop() {
      await client.close()
      await plane.stop()
    },
  }
}

function writeKubeconfig(plane: ControlPlane, name: string, user?: object): string {
  const config = JSON.parse(readFileSync(plane.kubeconfig, 'utf8')) as Record<string, unknown>
  const [account] = config.users as Array<{ name: string }>
  const file = join(plane.dir, 'kubeconfigs', name)
  const renamed = {
    ...config,
    users: [user ? { name: account!.name, user } : account],
    contexts: [{ name, context: { cluster: 'real', user: account!.name } }],
    'current-context': name,
  }
  writeFileSync(file, JSON.stringify(renamed), { mode: 0o600 })
  return file
}

async function markReady(client: KubeClient, { metadata }: Pod): Promise<void> {
  const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status: 'True' }))
  const at = { namespace: metadata?.namespace, name: metadata?.name ?? '' }
  const body = { status: { phase: 'Running', conditions } }
  await client.patch(PODS, at, { type: 'merge', body }, { subresource: 'status' })
}

/** What a cluster with six nodes and a DNS would have. */
export function furnish({ create }: Lab): Promise<unknown> {
  const nodes = Array.from({ length: 6 }, (_, i) =>
    create({ apiVersion: 'v1', kind: 'Node', metadata: { name: `lab-${i}` } }),
  )
  const metadata = { namespace: 'kube-system', name: 'kube-dns' }
  const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 53 }] } }
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'kube-dns' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.10'], conditions: { ready: true } }],
    ports: [],
  }
  const Corefile = '.:53 {\n    kubernetes cluster.local in-addr.arpa ip6.arpa {\n      pods insecure\n    }\n}\n'
  const dns = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'kube-system', name: 'coredns' },
    data: { Corefile },
  }
  return Promise.all([...nodes, create(service), create(slice), create(dns)])
}
