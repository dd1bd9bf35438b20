// One namespace, jobs in it, and their pods driven by hand.
import { randomBytes } from 'node:crypto'
import { expect, vi } from 'vitest'
import type { Container, Pod } from '../../gen/kubernetes-types.ts'
import type { JobStatus, TFJobStatus } from '../../src/api/types.ts'
import {
  EVENTS,
  isNotFound,
  KubeClient,
  type KubeObject,
  loadConnection,
  NAMESPACES,
  PODS,
  type Resource,
  SERVICES,
} from '../../src/kube/index.ts'
import type { Home, PodDriver } from './home.ts'

export interface Job extends KubeObject {
  spec: Record<string, unknown>
  status?: JobStatus & TFJobStatus
}

const RESOURCES: Record<string, Resource<Job>> = Object.fromEntries(
  ['TensorFlowTrainingJob', 'PyTorchTrainingJob', 'GenericJob', 'TFJob'].map((kind) => {
    const [group, version] = kind === 'TFJob' ? ['kubeflow.org', 'v1beta2'] : ['batch.tensorstack.dev', 'v1beta1']
    return [kind, { group, version, plural: `${kind.toLowerCase()}s`, kind, namespaced: true }]
  }),
)

export class Stage {
  readonly client: KubeClient
  readonly namespace: string
  readonly driver: PodDriver

  static async open({ kubeconfig, driver }: Home): Promise<Stage> {
    const client = new KubeClient(await loadConnection({ kubeconfig }))
    const namespace = `conformance-${randomBytes(4).toString('hex')}`
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    // Pods need it, and whoever else makes it may be late.
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'default' } }
    const accounts = { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true }
    const at = { namespace, name: 'default' }
    await client.patch(accounts, at, { type: 'apply', body: account }, { fieldManager: 'conformance', force: true })
    return new Stage(client, namespace, driver)
  }

  private constructor(client: KubeClient, namespace: string, driver: PodDriver) {
    this.client = client
    this.namespace = namespace
    this.driver = driver
  }

  async close(): Promise<void> {
    await this.client.delete(NAMESPACES, { name: this.namespace })
    await this.client.close()
  }

  /** A pod template with one container that the driver can drive. */
  template(container: Partial<Container> & { name: string }): { spec: { containers: Container[] } } {
    return { spec: { containers: [{ ...this.driver.container, ...container }] } }
  }

  async create(kind: string, spec: object, metadata: object = {}): Promise<Actor> {
    const resource = RESOURCES[kind]!
    const name = `${kind[0]!.toLowerCase()}-${randomBytes(3).toString('hex')}`
    const apiVersion = `${resource.group}/${resource.version}`
    const object = {
      apiVersion,
      kind,
      metadata: { namespace: this.namespace, name, ...metadata },
      spec,
    } as unknown as Job
    const job = await this.client.create(resource, object, { fieldValidation: 'Strict' })
    return new Actor(this, resource, job)
  }
}

/** A job on stage. */
export class Actor {
  readonly #stage: Stage
  readonly #resource: Resource<Job>
  readonly name: string
  readonly uid: string

  constructor(stage: Stage, resource: Resource<Job>, job: Job) {
    this.#stage = stage
    this.#resource = resource
    this.name = job.metadata.name!
    this.uid = job.metadata.uid!
  }

  get at(): { namespace: string; name: string } {
    return { namespace: this.#stage.namespace, name: this.name }
  }

  get(): Promise<Job> {
    return this.#stage.client.get(this.#resource, this.at)
  }

  async exists(): Promise<boolean> {
    return this.get().then(
      () => true,
      (error) => {
        if (isNotFound(error)) return false
        throw error
      },
    )
  }

  async status(): Promise<JobStatus & TFJobStatus> {
    return (await this.get()).status ?? {}
  }

  patch(body: object, subresource?: string): Promise<KubeObject> {
    return this.#stage.client.patch(this.#resource, this.at, { type: 'merge', body }, { subresource })
  }

  async delete(): Promise<void> {
    await this.#stage.client.delete(this.#resource, this.at, { propagationPolicy: 'Background' })
  }

  async pods(): Promise<Pod[]> {
    const { client, namespace } = this.#stage
    return (await client.list(PODS, { namespace, labelSelector: `trainyard.dev/job-uid=${this.uid}` })).items
  }

  /** The replicas that have a pod which is not being deleted: `worker-0`. */
  async replicas(): Promise<string[]> {
    const live = (await this.pods()).filter((pod) => pod.metadata?.deletionTimestamp === undefined)
    return live.map((pod) => replicaOf(pod)).sort()
  }

  async services(): Promise<NonNullable<typeof SERVICES.objects>[]> {
    const { client, namespace } = this.#stage
    return (await client.list(SERVICES, { namespace, labelSelector: `trainyard.dev/job-uid=${this.uid}` })).items
  }

  async events(): Promise<string[]> {
    const { client, namespace } = this.#stage
    const { items } = await client.list(EVENTS, { namespace, fieldSelector: `involvedObject.uid=${this.uid}` })
    return items.map(({ reason, message }) => `${reason}: ${message}`)
  }

  /** The replica's pod, once it is there; `after`: another one than this. */
  async pod(replica: string, after?: Pod): Promise<Pod> {
    return eventually(`${this.name}: a pod for ${replica}`, async () => {
      const live = (await this.pods()).filter((pod) => pod.metadata?.deletionTimestamp === undefined)
      const found = live.find((pod) => replicaOf(pod) === replica)
      expect(found?.metadata?.uid).toBeDefined()
      expect(found?.metadata?.uid).not.toBe(after?.metadata?.uid)
      return found!
    })
  }

  async start(...replicas: string[]): Promise<Pod[]> {
    const pods: Pod[] = []
    for (const replica of replicas) {
      const pod = await this.pod(replica)
      await this.#stage.driver.start(pod)
      pods.push(pod)
    }
    return pods
  }

  /** Starts the replica and ends it with this code. */
  async run(replica: string, code: number, after?: Pod): Promise<Pod> {
    const pod = await this.pod(replica, after)
    await this.#stage.driver.start(pod)
    await this.#stage.driver.exit(pod, code)
    return pod
  }

  async exit(replica: string, code: number): Promise<Pod> {
    const pod = await this.pod(replica)
    await this.#stage.driver.exit(pod, code)
    return pod
  }

  async lose(replica: string): Promise<Pod> {
    const pod = await this.pod(replica)
    await this.#stage.driver.lose(pod)
    return pod
  }

  /** Deletes one of its pods behind the operator's back. */
  async remove({ metadata }: Pod): Promise<void> {
    const { client, namespace } = this.#stage
    await client.delete(PODS, { namespace, name: metadata?.name ?? '' }, { gracePeriodSeconds: 0 })
  }

  /** Waits for a phase; for a TFJob for its condition of that name. */
  async reaches(phase: string): Promise<JobStatus & TFJobStatus> {
    return eventually(`${this.name} is ${phase}`, async () => {
      const job = await this.get()
      expect(phaseOf(job), JSON.stringify(job.status)).toContain(phase)
      return job.status!
    })
  }

  async hasReplicas(...replicas: string[]): Promise<void> {
    await eventually(`${this.name} has the right pods`, async () =>
      expect(await this.replicas()).toEqual(replicas.sort()),
    )
  }
}

/**
 * Looks again and again until `look` finds what it expects. Rows run side by side, so vitest's own polling is of no use.
 * An API server that checks owners learns of a new kind every half minute, and refuses what such a job owns until then.
 */
export async function eventually<T>(what: string, look: () => Promise<T>): Promise<T> {
  try {
    return await vi.waitFor(look, { timeout: 120_000, interval: 30 })
  } catch (cause) {
    throw new Error(`waited in vain: ${what}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

function phaseOf({ kind, status }: Job): string[] {
  if (kind !== 'TFJob') return [status?.phase ?? '']
  return (status?.conditions ?? []).filter((condition) => condition.status === 'True').map(({ type }) => type)
}

/** By the labels that the kinds put on their pods. */
export function replicaOf({ metadata }: Pod): string {
  const labels = metadata?.labels ?? {}
  const type = labels['replica-type'] ?? labels['tf-replica-type'] ?? labels['training.kubeflow.org/replica-type']
  const index = labels['replica-index'] ?? labels['tf-replica-index'] ?? labels['training.kubeflow.org/replica-index']
  return `${type}-${index}`
}
