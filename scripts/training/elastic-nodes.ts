// Genuine nodes for elastic training: an autoscaler that looks often, and an image that is nothing but its name. torch
// would be gigabytes to pack and unpack, so pods mount it from this machine.
import type { ControlPlane } from '../real/control-plane.ts'
import { startNodeCluster } from '../real/node/node-cluster.ts'

/** What the example asks for. */
const IMAGE = 'pytorch/pytorch:2.15.0-cuda13.2-cudnn9-runtime'

export async function withElasticNodes<T>(
  nodes: number,
  say: (line: string) => void,
  use: (env: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
  const { plane, stop } = await startNodeCluster({
    nodes,
    images: async () => [{ name: IMAGE, files: {} }],
    extraControllerArgs: ['--horizontal-pod-autoscaler-sync-period=1s'],
    say,
  })
  try {
    return await use({ TRAINYARD_REAL_CLUSTER: describe(plane) })
  } finally {
    await stop()
  }
}

function describe({ url, ca, kubeconfig, kubectl, admin, auditLog }: ControlPlane): string {
  return JSON.stringify({ url, ca, cert: admin.cert, key: admin.key, kubeconfig, kubectl, auditLog, users: {} })
}
