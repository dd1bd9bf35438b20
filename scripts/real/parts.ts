// What a control plane consists of and how each part is started. Adding one is a row of PARTS.
import { join } from 'node:path'

export type PartName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler'

/** What the parts need to know of each other. */
export interface Layout {
  dir: string
  pki: string
  ports: Record<PartName | 'etcd-peer', number>
  kubeconfigs: Partial<Record<PartName, string>>
  auditPolicy?: string
  auditLog: string
}

export interface Part {
  args: (layout: Layout) => string[]
  /** Asked until it answers 200. */
  health: (layout: Layout) => string
  /** The user it is to the apiserver. */
  user?: string
}

export const SERVICE_RANGE = '10.96.0.0/16'
const POD_RANGE = '10.244.0.0/16'

const https = (layout: Layout, part: PartName, path: string): string => `https://127.0.0.1:${layout.ports[part]}${path}`

function apiserverArgs(layout: Layout): string[] {
  const pki = (file: string): string => join(layout.pki, file)
  const args = [
    `--etcd-servers=http://127.0.0.1:${layout.ports.etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${layout.ports['kube-apiserver']}`,
    // Loopback is refused as the address of the Service `kubernetes`, and nobody here needs that Service.
    '--endpoint-reconciler-type=none',
    `--tls-cert-file=${pki('apiserver.crt')}`,
    `--tls-private-key-file=${pki('apiserver.key')}`,
    `--client-ca-file=${pki('ca.crt')}`,
    `--service-account-key-file=${pki('service-accounts.pub')}`,
    `--service-account-signing-key-file=${pki('service-accounts.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--allow-privileged=true',
  ]
  if (layout.auditPolicy)
    args.push(
      `--audit-policy-file=${layout.auditPolicy}`,
      `--audit-log-path=${layout.auditLog}`,
      '--audit-log-mode=blocking',
    )
  return args
}

function clientArgs(layout: Layout, part: PartName): string[] {
  const file = layout.kubeconfigs[part]
  return [
    `--kubeconfig=${file}`,
    `--authentication-kubeconfig=${file}`,
    `--authorization-kubeconfig=${file}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${layout.ports[part]}`,
    '--leader-elect=false',
    // Far above the defaults, else these limits are what a suite would measure.
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
  ]
}

/** In the order in which they are started; etcd and kube-apiserver always are. */
export const PARTS: Record<PartName, Part> = {
  etcd: {
    args: (layout) => {
      const client = `http://127.0.0.1:${layout.ports.etcd}`
      const peer = `http://127.0.0.1:${layout.ports['etcd-peer']}`
      return [
        '--name=real',
        `--data-dir=${join(layout.dir, 'etcd')}`,
        // The data is thrown away afterwards.
        '--unsafe-no-fsync',
        '--log-level=warn',
        `--listen-client-urls=${client}`,
        `--advertise-client-urls=${client}`,
        `--listen-peer-urls=${peer}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=real=${peer}`,
      ]
    },
    health: (layout) => `http://127.0.0.1:${layout.ports.etcd}/health`,
  },
  'kube-apiserver': {
    args: apiserverArgs,
    health: (layout) => https(layout, 'kube-apiserver', '/readyz'),
  },
  'kube-controller-manager': {
    user: 'system:kube-controller-manager',
    args: (layout) => [
      ...clientArgs(layout, 'kube-controller-manager'),
      '--use-service-account-credentials=true',
      `--root-ca-file=${join(layout.pki, 'ca.crt')}`,
      `--service-account-private-key-file=${join(layout.pki, 'service-accounts.key')}`,
      `--cluster-cidr=${POD_RANGE}`,
      '--allocate-node-cidrs=true',
      `--service-cluster-ip-range=${SERVICE_RANGE}`,
    ],
    health: (layout) => https(layout, 'kube-controller-manager', '/healthz'),
  },
  'kube-scheduler': {
    user: 'system:kube-scheduler',
    args: (layout) => clientArgs(layout, 'kube-scheduler'),
    health: (layout) => https(layout, 'kube-scheduler', '/healthz'),
  },
}
