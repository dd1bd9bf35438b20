// How the programs of a node are told where they are. All of it is written into the node's own folder.
import { join } from 'node:path'
import { SERVICE_RANGE } from '../parts.ts'
import type { NodeTools } from './debian-tools.ts'

export interface NodePlace {
  name: string
  /** Everything the node writes. */
  dir: string
  address: string
  podRange: string
  /** Its branch of every control group hierarchy. */
  cgroup: string
  tools: NodeTools
  clientCa: string
  kubeconfigs: { kubelet: string; proxy: string }
}

export const DNS_ADDRESS = SERVICE_RANGE.replace(/0\.0\/\d+$/, '0.10')
export const PAUSE_IMAGE = 'real.local/pause:1'
export const socketOf = ({ dir }: NodePlace): string => join(dir, 'containerd.sock')

export function containerdConfig(place: NodePlace): string {
  const at = (path: string): string => JSON.stringify(join(place.dir, path))
  const runtime = 'plugins."io.containerd.cri.v1.runtime"'
  return `version = 3
root = ${at('containerd')}
state = ${at('state')}
disabled_plugins = ["io.containerd.nri.v1.nri"]
[grpc]
address = ${JSON.stringify(socketOf(place))}
[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "${PAUSE_IMAGE}"
[${runtime}]
# Without CAP_SYS_RESOURCE nobody may lower the score that a sandbox asks for.
restrict_oom_score_adj = true
[${runtime}.cni]
bin_dirs = [${JSON.stringify(place.tools.cni)}]
conf_dir = ${at('cni')}
[${runtime}.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[${runtime}.containerd.runtimes.runc.options]
BinaryName = ${JSON.stringify(place.tools.runc)}
SystemdCgroup = false
Root = ${at('runc')}
`
}

export function cniConfig({ dir, podRange }: NodePlace): object {
  const ipam = {
    type: 'host-local',
    dataDir: join(dir, 'ipam'),
    ranges: [[{ subnet: podRange }]],
    routes: [{ dst: '0.0.0.0/0' }],
  }
  const bridge = { type: 'bridge', bridge: 'cni0', isGateway: true, ipMasq: true, hairpinMode: true, ipam }
  return { cniVersion: '1.0.0', name: 'pods', plugins: [bridge] }
}

export function kubeletConfig(place: NodePlace): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: place.address,
    authentication: { anonymous: { enabled: false }, x509: { clientCAFile: place.clientCa } },
    authorization: { mode: 'Webhook' },
    containerRuntimeEndpoint: `unix://${socketOf(place)}`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${place.cgroup}`,
    failCgroupV1: false,
    failSwapOn: false,
    clusterDNS: [DNS_ADDRESS],
    clusterDomain: 'cluster.local',
    resolvConf: join(place.dir, 'resolv.conf'),
    podLogsDir: join(place.dir, 'pod-logs'),
    // The machine's disk is not ours to keep free.
    evictionHard: { 'memory.available': '50Mi' },
    imageGCHighThresholdPercent: 100,
    // A node that is gone shall be known to be gone while somebody waits for it.
    nodeLeaseDurationSeconds: 8,
    nodeStatusUpdateFrequency: '2s',
  }
}

export function proxyConfig({ name, kubeconfigs }: NodePlace, podRange: string): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: kubeconfigs.proxy },
    clusterCIDR: podRange,
    hostnameOverride: name,
    mode: 'iptables',
    healthzBindAddress: '127.0.0.1:10256',
    metricsBindAddress: '127.0.0.1:10249',
    conntrack: { maxPerCore: 0, min: 0 },
  }
}
