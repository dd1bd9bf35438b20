import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pod, PodSpec } from '../../gen/kubernetes-types.ts'
import { type Change, Informer, KubeClient, type KubeObject, loadConnection, PODS } from '../../src/kube/index.ts'
import { KubePods } from '../../src/kubelet/kube-pods.ts'
import { Kubelet } from '../../src/kubelet/kubelet.ts'
import { buildNode, readMachine, registerNode } from '../../src/kubelet/node.ts'
import { buildPodBackend } from '../../src/kubelet/serve/pod-backend.ts'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { until } from './until.ts'

export const nodeName = 'here'

/** The embedded API with a kubelet. */
export class EmbeddedHome {
  readonly dir: string
  readonly server: RunningServer
  readonly client: KubeClient
  readonly errors: string[] = []
  kubelet!: Kubelet
  #pods!: KubePods
  readonly #stopping = new AbortController()

  /** Without binding, pods wait until someone does it. */
  static async start(binds = true): Promise<EmbeddedHome> {
    const dir = mkdtempSync(join(tmpdir(), 'embedded-'))
    const server = await startServer({ dir: join(dir, 'server'), log: () => {} })
    const client = new KubeClient(await loadConnection({ kubeconfig: server.kubeconfigPath }))
    const home = new EmbeddedHome(dir, server, client)
    await registerNode(client, buildNode(nodeName, readMachine(dir), Date.now()))
    home.startKubelet()
    if (binds) home.#bindEverything()
    return home
  }

  constructor(dir: string, server: RunningServer, client: KubeClient) {
    this.dir = dir
    this.server = server
    this.client = client
  }

  readonly onError = (where: string, error: unknown): void => {
    this.errors.push(`${where}: ${error}`)
  }

  startKubelet(): void {
    const { client, onError, dir } = this
    const pods = new KubePods({ client, nodeNames: [nodeName], onError })
    this.kubelet = new Kubelet({ directory: join(dir, 'home'), source: pods, sink: pods, objects: pods, onError })
    this.#pods = pods
    this.server.setPodBackend(buildPodBackend(this.kubelet) as object)
  }

  async stopKubelet(): Promise<void> {
    await this.kubelet.close()
    await this.#pods.close()
  }

  async createPod(name: string, spec: PodSpec, annotations: Record<string, string> = {}): Promise<void> {
    const metadata = { name, namespace: 'default', annotations }
    await this.client.create(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { restartPolicy: 'Never', ...spec },
    })
  }

  phase(name: string, phase: string): Promise<Pod> {
    return until(`pod ${name} to be ${phase}; ${this.errors.join('; ')}`, async () => {
      const pod = await this.client.get(PODS, { namespace: 'default', name })
      return pod.status?.phase === phase && pod
    })
  }

  emptied(): Promise<unknown> {
    return until('all pods to leave', () => readdirSync(join(this.dir, 'home/pods')).length === 0)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.stopKubelet()
    await this.client.close()
    await this.server.stop()
    rmSync(this.dir, { recursive: true })
  }

  /** The simplest scheduler: there is one node, and everything fits. */
  #bindEverything(): void {
    const { client } = this
    const onChange = (change: Change<Pod & KubeObject>) => {
      if (change.type === 'added' && !change.object.spec?.nodeName) this.bind(change.object).catch(() => {})
    }
    void new Informer({ client, resource: PODS, onChange }).run(this.#stopping.signal)
  }

  async bind({ metadata = {} }: Pod): Promise<void> {
    const { namespace, name = '' } = metadata
    const body = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace },
      target: { kind: 'Node', name: nodeName },
    }
    await this.client.raw({ method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/${name}/binding`, body })
  }
}
