// Jobs on genuine nodes: the program comes as a ConfigMap, the image has a Node to run it and a shell.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Container, Pod, PodSpec } from '../../gen/kubernetes-types.ts'
import { phaseOfJob } from '../../src/api/job-phase.ts'
import type { JobKind, TrainingJob } from '../../src/api/types.ts'
import { KubeClient, loadConnection, NAMESPACES, PODS, type Resource } from '../../src/kube/index.ts'
import { JOBS } from '../../src/operator/resources.ts'
import { realCluster } from '../real-cluster.ts'

const PROGRAM = readFileSync(join(import.meta.dirname, 'meet.mjs'), 'utf8')
const CONFIG_MAPS: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true }
/** A container's start takes seconds, a lost node is known after a minute; a machine may be busy. */
const PATIENCE = { timeout: 240_000, interval: 250 }

interface Nodes {
  image: string
  /** The process that keeps a node alive, by the node's name. */
  holders: Record<string, number>
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
    await expect.poll(async () => phaseOfJob(await this.get()), { ...PATIENCE, message: this.name }).toBe(phase)
  }

  /** Everything its status says, as one text: what a user reads in `kubectl get -o yaml`. */
  async says(words: RegExp): Promise<void> {
    const told = async () => JSON.stringify((await this.get()).status ?? {})
    await expect.poll(told, { ...PATIENCE, message: `the status of ${this.name}` }).toMatch(words)
  }

  async log(pod: RegExp): Promise<string> {
    const { client, namespace } = this.#stage
    const found = (await this.pods()).find(({ metadata }) => pod.test(metadata?.name ?? ''))
    const path = `/api/v1/namespaces/${namespace}/pods/${found?.metadata?.name}/log`
    return client.text({ method: 'GET', path })
  }
}
