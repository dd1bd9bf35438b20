// Jobs on genuine nodes: the program comes as a ConfigMap, the image has a Node to run it and a shell.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { Container, Pod, PodSpec } from '../../gen/kubernetes-types.ts'
import { phaseOfJob } from '../../src/api/job-phase.ts'
import type { JobKind, TrainingJob } from '../../src/api/types.ts'
import { KubeClient, type KubeObject, loadConnection, NAMESPACES, PODS, type Resource } from '../../src/kube/index.ts'
import { JOBS } from '../../src/operator/resources.ts'
import { OperatorProcess } from '../operator/operator-process.ts'
import { realCluster } from '../real-cluster.ts'

const PROGRAM = readFileSync(join(import.meta.dirname, 'meet.mjs'), 'utf8')
const plain = (plural: string, kind: string, namespaced: boolean): Resource => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced,
})
const CONFIG_MAPS = plain('configmaps', 'ConfigMap', true)
const CLAIMS = plain('persistentvolumeclaims', 'PersistentVolumeClaim', true)
const VOLUMES = plain('persistentvolumes', 'PersistentVolume', false)
/** A container's start takes seconds, a lost node is known after a minute; a machine may be busy. */
const PATIENCE = { timeout: 240_000, interval: 250 }

/** Unlike `expect.poll` it may be called in tests that run side by side, when another one has ended. */
export const eventually = <T>(look: () => Promise<T>): Promise<T> => vi.waitFor(look, PATIENCE)

interface Nodes {
  image: string
  /** The process that keeps a node alive, by the node's name. */
  holders: Record<string, number>
  /** The genuine TensorBoard: its image, the one node that has it, and its Python in there. */
  tensorboard: { image: string; node: string; python: string }
}

export class NodeStage {
  readonly client: KubeClient
  readonly namespace: string
  readonly nodes: Nodes

  static async open(): Promise<NodeStage> {
    const given = process.env.TRAINYARD_REAL_NODES
    if (!given) throw new Error('this suite needs genuine nodes; run it by: npm run test:node')
    const client = new KubeClient(await loadConnection({ kubeconfig: realCluster().kubeconfig }))
    const namespace = `node-${randomBytes(3).toString('hex')}`
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    const code = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'code' } }
    await client.create(CONFIG_MAPS, { ...code, data: { 'meet.mjs': PROGRAM } } as typeof code)
    return new NodeStage(client, namespace, JSON.parse(given) as Nodes)
  }

  private constructor(client: KubeClient, namespace: string, nodes: Nodes) {
    this.client = client
    this.namespace = namespace
    this.nodes = nodes
  }

  /** For this namespace only: other files have stages of their own. */
  async startOperator(): Promise<OperatorProcess> {
    const flags = ['--leader-elect=false', '--metrics-address', 'off', '--cluster-domain', 'cluster.local']
    const here = ['--kubeconfig', realCluster().kubeconfig, '--namespace', this.namespace]
    const operator = new OperatorProcess([...here, '--force-delete-after', '3s', ...flags])
    await operator.says('at work')
    return operator
  }

  /** A pod template whose only container runs the program, or `command`. */
  template(container: Partial<Container> & { name: string }, spec: Partial<PodSpec> = {}): { spec: PodSpec } {
    const meets: Container = {
      image: this.nodes.image,
      command: ['node', '/code/meet.mjs'],
      volumeMounts: [{ name: 'code', mountPath: '/code' }],
      ...container,
    }
    const volumes = [{ name: 'code', configMap: { name: 'code' } }]
    // Pods that are sent away go at once: a shell as first process hears no SIGTERM.
    return { spec: { containers: [meets], volumes, terminationGracePeriodSeconds: 1, ...spec } }
  }

  /** A claim whose volume is this folder of the machine, on the node that has TensorBoard. */
  async claim(name: string, path: string): Promise<void> {
    const { namespace, nodes } = this
    const spec = { accessModes: ['ReadWriteMany'], storageClassName: '' }
    const here = { key: 'kubernetes.io/hostname', operator: 'In', values: [nodes.tensorboard.node] }
    await this.client.create(VOLUMES, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `${namespace}-${name}` },
      spec: {
        ...spec,
        capacity: { storage: '1Gi' },
        claimRef: { namespace, name },
        hostPath: { path },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [here] }] } },
      },
    } as KubeObject)
    await this.client.create(CLAIMS, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace, name },
      spec: { ...spec, resources: { requests: { storage: '1Gi' } } },
    } as KubeObject)
  }

  async create(kind: JobKind, name: string, spec: object): Promise<NodeJob> {
    const { group, version } = JOBS[kind]
    const metadata = { namespace: this.namespace, name }
    const job = { apiVersion: `${group}/${version}`, kind, metadata, spec } as unknown as TrainingJob
    await this.client.create(JOBS[kind], job, { fieldValidation: 'Strict' })
    return new NodeJob(this, kind, name)
  }
}

export class NodeJob {
  readonly #stage: NodeStage
  readonly #kind: JobKind
  readonly name: string

  constructor(stage: NodeStage, kind: JobKind, name: string) {
    this.#stage = stage
    this.#kind = kind
    this.name = name
  }

  get(): Promise<TrainingJob> {
    const { client, namespace } = this.#stage
    return client.get(JOBS[this.#kind], { namespace, name: this.name })
  }

  async pods(): Promise<Pod[]> {
    const { client, namespace } = this.#stage
    const labelSelector = `trainyard.dev/job-uid=${(await this.get()).metadata.uid}`
    return (await client.list(PODS, { namespace, labelSelector })).items
  }

  async ends(phase: 'Succeeded' | 'Failed'): Promise<void> {
    await eventually(async () => expect(phaseOfJob(await this.get()), this.name).toBe(phase))
  }

  /** Everything its status says, as one text: what a user reads in `kubectl get -o yaml`. */
  async says(words: RegExp): Promise<void> {
    await eventually(async () =>
      expect(JSON.stringify((await this.get()).status ?? {}), `the status of ${this.name}`).toMatch(words),
    )
  }

  async log(pod: RegExp): Promise<string> {
    const { client, namespace } = this.#stage
    const found = (await this.pods()).find(({ metadata }) => pod.test(metadata?.name ?? ''))
    const path = `/api/v1/namespaces/${namespace}/pods/${found?.metadata?.name}/log`
    return client.text({ method: 'GET', path })
  }
}
