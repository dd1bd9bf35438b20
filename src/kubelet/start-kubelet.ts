// Everything that runs pods on this machine, connected to an API.
import { mkdirSync } from 'node:fs'
import type { KubeClient } from '../kube/index.ts'
import { KubePods } from './kube-pods.ts'
import { Kubelet, type KubeletOptions } from './kubelet.ts'
import { buildNode, readMachine, registerNode } from './node.ts'
import { buildPodBackend, type PodBackend } from './serve/pod-backend.ts'

export interface StartKubeletOptions
  extends Pick<KubeletOptions, 'directory' | 'baseEnvironment' | 'cgroups' | 'mounts' | 'onError'> {
  client: KubeClient
  nodeName: string
}

export interface RunningKubelet {
  kubelet: Kubelet
  /** What the API server asks for logs, exec and port forwarding. */
  backend: PodBackend
  /** Leaves; the pods' processes go on. */
  stop(): Promise<void>
}

/** Registers the machine as a node and looks after the pods bound to it. */
export async function startKubelet({ client, nodeName, ...options }: StartKubeletOptions): Promise<RunningKubelet> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 })
  await registerNode(client, buildNode(nodeName, readMachine(options.directory), Date.now()))
  const pods = new KubePods({ client, nodeName, onError: options.onError })
  const kubelet = new Kubelet({ ...options, source: pods, sink: pods, objects: pods })
  return {
    kubelet,
    backend: buildPodBackend(kubelet),
    async stop() {
      await kubelet.close()
      await pods.close()
    },
  }
}
