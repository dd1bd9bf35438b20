// What a control plane consists of and how each part is started. Adding one is a row of PARTS.
import { join } from 'node:path'
import { buildKwokConfig } from './kwok.ts'

export type PartName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kwok'

/** What the parts need to know of each other. */
export interface Layout {
  dir: string
  pki: string
  ports: Record<PartName | 'etcd-peer', number>
  kubeconfigs: Partial<Record<PartName, string>>
  auditPolicy?: string
  auditLog: string
  /** Where the apiserver listens. Nodes cannot reach another namespace's loopback. */
  address: string
  /** Admission plugins beyond the usual ones. */
  admission: readonly string[]
  /** Whether etcd waits for the disk. */
  durable: boolean
  extraApiserverArgs: readonly string[]
  extraControllerArgs: readonly string[]
}

export interface Part {
  args: (layout: Layout) => string[]
  /** Asked until it answers 200. */
  health: (layout: Layout) => string
  /** The user it is to the apiserver. */
  user?: string
  groups?: readonly string[]
  /** Written beside its logs before it starts. */
  files?: () => Record<string, string>
}

export const LOOPBACK = '127.0.0.1'
export const SERVICE_RANGE = '10.96.0.0/16'
export const POD_RANGE = '10.244.0.0/16'

export const apiserverUrl = (layout: Layout): string => `https://${layout.address}:${layout.ports['kube-apiserver']}`
const https = (layout: Layout, part: PartName, path: string): string => `https://127.0.0.1:${layout.ports[part]}${path}`

function apiserverArgs(layout: Layout): string[] {
  const pki = (file: string): string => join(layout.pki, file)
  const args = [
    `--etcd-servers=http://127.0.0.1:${layout.ports.etcd}`,
    `--bind-address=${layout.address}`,
    `--advertise-address=${layout.address}`,
    `--secure-port=${layout.ports['kube-apiserver']}`,
    // Loopback is refused as the address of the Service `kubernetes`; only genuine pods need that Service.
    `--endpoint-reconciler-type=${layout.address === LOOPBACK ? 'none' : 'lease'}`,
    `--tls-cert-file=${pki('apiserver.crt')}`,
    `--tls-private-key-file=${pki('apiserver.key')}`,
    `--client-ca-file=${pki('ca.crt')}`,
    `--service-account-key-file=${pki('service-accounts.pub')}`,
    `--service-account-signing-key-file=${pki('service-accounts.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    '--authorization-mode=Node,RBAC',
    `--enable-admission-plugins=${['NodeRestriction', ...layout.admission].join(',')}`,
    '--allow-privileged=true',
    '--kubelet-preferred-address-types=InternalIP',
    `--kubelet-client-certificate=${pki('user-admin.crt')}`,
    `--kubelet-client-key=${pki('user-admin.key')}`,
    ...layout.extraApiserverArgs,
  ]
  if (layout.auditPolicy)
    args.push(
      `--audit-policy-file=${layout.auditPolicy}`,
      `--audit-log-path=${layout.auditLog}`,
      '--audit-log-mode=blocking',
      // In megabytes: whoever counts in it wants all of it, and by itself it begins a new file after a hundred.
      '--audit-log-maxsize=100000',
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
        // Mostly the data is thrown away afterwards.
        ...(layout.durable ? [] : ['--unsafe-no-fsync']),
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
    health: (layout) => `${apiserverUrl(layout)}/readyz`,
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
      ...layout.extraControllerArgs,
    ],
    health: (layout) => https(layout, 'kube-controller-manager', '/healthz'),
  },
  'kube-scheduler': {
    user: 'system:kube-scheduler',
    args: (layout) => clientArgs(layout, 'kube-scheduler'),
    health: (layout) => https(layout, 'kube-scheduler', '/healthz'),
  },
  kwok: {
    user: 'kwok',
    groups: ['system:masters'],
    args: (layout) => [
      `--kubeconfig=${layout.kubeconfigs.kwok}`,
      `--config=${join(layout.dir, 'kwok.yaml')}`,
      '--manage-all-nodes=false',
      '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
      '--node-lease-duration-seconds=40',
      `--server-address=127.0.0.1:${layout.ports.kwok}`,
      '--cidr=10.200.0.0/16',
      '--v=WARN',
    ],
    files: () => ({ 'kwok.yaml': buildKwokConfig() }),
    health: (layout) => `http://127.0.0.1:${layout.ports.kwok}/healthz`,
  },
}
