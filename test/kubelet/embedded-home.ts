import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pod, PodSpec } from '../../gen/kubernetes-types.ts'
import { Informer, KubeClient, type KubeObject, loadConnection, PODS } from '../../src/kube/index.ts'
import type { Kubelet } from '../../src/kubelet/kubelet.ts'
import { type RunningKubelet, startKubelet } from '../../src/kubelet/start-kubelet.ts'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { until } from './until.ts'

export const nodeName = 'here'

/** The embedded API with a kubelet, and the simplest scheduler: there is one node, and everything fits. */
export class EmbeddedHome {
  readonly dir: string
  readonly server: RunningServer
  readonly client: KubeClient
  readonly errors: string[] = []
  #running!: RunningKubelet
  readonly #stopping = new AbortController()

  static async start(): Promise<EmbeddedHome> {
    const dir = mkdtempSync(join(tmpdir(), 'embedded-'))
    const server = await startServer({ dir: join(dir, 'server'), log: () => {} })
    const client = new KubeClient(await loadConnection({ kubeconfig: server.kubeconfigPath }))
    const home = new EmbeddedHome(dir, server, client)
    await home.startKubelet()
    home.#bindEverything()
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

  async startKubelet(): Promise<void> {
    const { client, onError, dir } = this
    this.#running = await startKubelet({ client, nodeName, directory: join(dir, 'home'), onError })
    this.server.setPodBackend(this.#running.backend as never)
  }

  get kubelet(): Kubelet {
    return this.#running.kubelet
  }

  stopKubelet(): Promise<void> {
    return this.#running.stop()
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

  #bindEverything(): void {
    const { client } = this
    const bind = (pod: Pod & KubeObject) => {
      const { namespace, name = '' } = pod.metadata
      if (pod.spec?.nodeName) return
      const body = {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name, namespace },
        target: { kind: 'Node', name: nodeName },
      }
      client.raw({ method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/${name}/binding`, body }).catch(() => {})
    }
    const informer = new Informer({
      client,
      resource: PODS,
      onChange: (change) => change.type === 'added' && bind(change.object),
    })
    void informer.run(this.#stopping.signal)
  }
}
