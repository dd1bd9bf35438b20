import { DNS_ADDRESS } from './configuration.ts'

export const COREDNS_IMAGE = 'real.local/coredns:1'

const COREFILE = `.:53 {
  errors
  ready
  kubernetes cluster.local in-addr.arpa {
    ttl 2
  }
}
`

/** Cluster DNS, on the node that stays. */
export function buildCoreDns(nodeName: string): object {
  const metadata = { name: 'coredns', namespace: 'kube-system' }
  const labels = { 'k8s-app': 'kube-dns' }
  const rights = [
    { apiGroups: [''], resources: ['services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
  ]
  const rbac = 'rbac.authorization.k8s.io'
  const role = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'coredns' }, rules: rights }
  const binding = {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'coredns' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'coredns' },
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  }
  const container = {
    name: 'coredns',
    image: COREDNS_IMAGE,
    args: ['-conf', '/etc/coredns/Corefile'],
    readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 },
    volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }],
  }
  const pod = {
    nodeName,
    serviceAccountName: 'coredns',
    dnsPolicy: 'Default',
    containers: [container],
    volumes: [{ name: 'config', configMap: { name: 'coredns' } }],
  }
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
  }
  const port = (protocol: string) => ({ name: `dns-${protocol.toLowerCase()}`, port: 53, protocol })
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata, name: 'kube-dns', labels },
    spec: { clusterIP: DNS_ADDRESS, selector: labels, ports: [port('UDP'), port('TCP')] },
  }
  const items = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    role,
    binding,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { Corefile: COREFILE } },
    deployment,
    service,
  ]
  return { apiVersion: 'v1', kind: 'List', items }
}
