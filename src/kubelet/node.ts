// This machine as a Node: what it has, and that it is ready.
import { existsSync, readdirSync, statfsSync } from 'node:fs'
import { arch, availableParallelism, hostname, platform, release, totalmem } from 'node:os'
import type { Node } from '../../gen/kubernetes-types.ts'
import { isAlreadyExists, type KubeClient, type KubeObject, NODES } from '../kube/index.ts'
import { type Instant, toTimestamp } from '../lib/time.ts'
import { podIP } from './environment/field-values.ts'

export interface MachineFacts {
  cpus: number
  memoryBytes: number
  diskBytes: number
  gpus: number
  pods: number
  /** Said by the user, in place of what was found. */
  declared?: Readonly<Record<string, string>>
}

const mostPods = 500
const nvidiaDevices = '/proc/driver/nvidia/gpus'
const architectures: Record<string, string> = { x64: 'amd64', ia32: '386' }

export function readMachine(directory: string): MachineFacts {
  const disk = statfsSync(directory)
  return {
    cpus: availableParallelism(),
    memoryBytes: totalmem(),
    diskBytes: disk.blocks * disk.bsize,
    gpus: existsSync(nvidiaDevices) ? readdirSync(nvidiaDevices).length : 0,
    pods: mostPods,
  }
}

export function buildNode(name: string, facts: MachineFacts, now: Instant): Node & KubeObject {
  const architecture = architectures[arch()] ?? arch()
  const capacity = {
    cpu: String(facts.cpus),
    memory: `${Math.floor(facts.memoryBytes / 1024)}Ki`,
    'ephemeral-storage': `${Math.floor(facts.diskBytes / 1024)}Ki`,
    pods: String(facts.pods),
    ...(facts.gpus > 0 && { 'nvidia.com/gpu': String(facts.gpus) }),
    ...facts.declared,
  }
  const since = toTimestamp(Math.floor(now / 1000) * 1000)
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'programs can be started',
    lastHeartbeatTime: since,
    lastTransitionTime: since,
  }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': hostname().toLowerCase(),
        'kubernetes.io/os': platform(),
        'kubernetes.io/arch': architecture,
      },
    },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [ready],
      addresses: [
        { type: 'InternalIP', address: podIP },
        { type: 'Hostname', address: hostname().toLowerCase() },
      ],
      nodeInfo: {
        architecture,
        operatingSystem: platform(),
        kernelVersion: release(),
        osImage: `${platform()} ${release()}`,
        kubeletVersion: 'v1.37.1',
        kubeProxyVersion: '',
        containerRuntimeVersion: 'process://1',
        bootID: '',
        machineID: '',
        systemUUID: '',
      },
    },
  }
}

/** Puts the node into the API, or brings the one that stands there up to date. */
export async function registerNode(client: KubeClient, node: Node & KubeObject): Promise<void> {
  try {
    await client.create(NODES, node)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
  const { name = '' } = node.metadata
  await client.patch(NODES, { name }, { type: 'merge', body: { status: node.status } }, { subresource: 'status' })
}
