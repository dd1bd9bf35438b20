// Jobs and accidents that make an operator ask for everything it may ask for.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { OUTCOME } from '../../scripts/real/kwok.ts'
import { jobHash, tensorboardName } from '../../src/api/names.ts'
import type { JobKind, TrainingJob } from '../../src/api/types.ts'
import { type KubeClient, type KubeObject, NAMESPACES, PODS, type Resource, SERVICES } from '../../src/kube/index.ts'
import { CREATED, JOBS } from '../../src/operator/resources.ts'

const DEPLOYMENTS: Resource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
}
const KINDS = Object.keys(JOBS) as JobKind[]
const QUEUED = { scheduler: { t9kScheduler: { queue: 'default', priority: 5 } } }

export class EveryRight {
  readonly namespace = `rights-${randomBytes(3).toString('hex')}`
  readonly #client: KubeClient
  #count = 0

  constructor(client: KubeClient) {
    this.#client = client
  }

  /** Where only pods of the restricted profile may run. */
  async open(): Promise<void> {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await this.#client.create(NAMESPACES, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: this.namespace, labels },
    })
  }

  async close(): Promise<void> {
    await this.#client.delete(NAMESPACES, { name: this.namespace })
  }

  /** Some of it depends on who is faster, so it is played again until all has come up. */
  async playUntil(isEnough: () => boolean, patience: number): Promise<void> {
    const end = Date.now() + patience
    while (!isEnough() && Date.now() < end) {
      await Promise.all([
        ...KINDS.map((kind) => this.#disturb(kind)),
        this.#takeNames(),
        this.#queue(),
        this.#watchTraining(),
        this.#losePods(),
        this.create('PyTorchTrainingJob', {}, { nodeName: 'a-node-that-never-was' }),
      ])
      for (let seconds = 0; seconds < 20 && !isEnough(); seconds++) await delay(1_000)
    }
  }

  async create(kind: JobKind, more: object = {}, pod: object = {}, outcome = 'succeed'): Promise<TrainingJob> {
    const container = {
      name: kind.startsWith('T') ? 'tensorflow' : 'main',
      image: 'played',
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    }
    const securityContext = { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } }
    const template = {
      metadata: { annotations: { [OUTCOME]: outcome } },
      spec: { containers: [container], securityContext, ...pod },
    }
    const workers = [{ type: 'worker', replicas: 1, template }]
    const roles: Record<JobKind, object> = {
      TensorFlowTrainingJob: { replicaSpecs: workers },
      PyTorchTrainingJob: { replicaSpecs: workers },
      GenericJob: { replicasSpec: workers, successRules: [{ worker: [0] }], failureRules: [] },
      TFJob: { tfReplicaSpecs: { Worker: { replicas: 1, template } } },
    }
    const { name = `job-${this.#count++}`, ...spec } = more as { name?: string }
    const { group, version } = JOBS[kind]
    const metadata = { namespace: this.namespace, name }
    const job = { apiVersion: `${group}/${version}`, kind, metadata, spec: { ...roles[kind], ...spec } }
    return this.#client.create(JOBS[kind], job as unknown as TrainingJob, { fieldValidation: 'Strict' })
  }

  /** What the first job of the kind says about what it was refused. */
  async refusalOf(kind: JobKind): Promise<string> {
    const { items } = await this.#client.list(JOBS[kind], { namespace: this.namespace })
    const { conditions = [] } = (items[0]?.status ?? {}) as { conditions?: { type: string; message: string }[] }
    return conditions.find(({ type }) => type === 'CreationRefused')?.message ?? ''
  }

  /** Somebody keeps touching a job that ends, and is deleted when its time is up. */
  async #disturb(kind: JobKind): Promise<void> {
    const ttl = { ttlSecondsAfterFinished: 1 }
    const job = await this.create(kind, kind === 'TFJob' || kind === 'GenericJob' ? ttl : { runPolicy: ttl })
    for (let n = 0; n < 30; n++) {
      const body = { metadata: { annotations: { touched: String(n) } } }
      const touched = await this.#patch(JOBS[kind], job.metadata.name!, body)
      if (!touched) return
    }
  }

  /** Things of other people stand where the jobs' own should. */
  async #takeNames(): Promise<void> {
    const [pod, service, group, board] = Array.from({ length: 4 }, () => `taken-${this.#count++}`)
    const at = (name: string) => ({ namespace: this.namespace, name })
    const spec = { clusterIP: 'None' }
    const host = { type: 'RuntimeDefault' }
    const restricted = { runAsNonRoot: true, runAsUser: 1000, seccompProfile: host }
    const container = {
      name: 'c',
      image: 'played',
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    }
    await this.#client.create(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...at(`${pod}-worker-0`), annotations: { [OUTCOME]: 'run' } },
      spec: { containers: [container], securityContext: restricted },
    })
    await this.#client.create(SERVICES, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: at(`${service}-worker-0`),
      spec,
    })
    await this.#create(CREATED.PodGroup, { metadata: at(group!), spec: { minMember: 1 } })
    await this.#client.create(DEPLOYMENTS, deploymentNamed(this.namespace, board!))
    await this.create('TFJob', { name: pod })
    await this.create('TFJob', { name: service })
    await this.create('PyTorchTrainingJob', { name: group, ...QUEUED })
    await this.#create(CREATED.TensorBoard, { metadata: at(board!), spec: BOARD })
  }

  /** A gang that is raised in priority, then paused. */
  async #queue(): Promise<void> {
    const { metadata } = await this.create('PyTorchTrainingJob', QUEUED)
    const name = metadata.name!
    const priority = { spec: { scheduler: { t9kScheduler: { priority: 9 } } } }
    await this.#once(CREATED.PodGroup, name, () => this.#patch(JOBS.PyTorchTrainingJob, name, priority))
    await delay(2_000)
    await this.#patch(JOBS.PyTorchTrainingJob, name, { spec: { runMode: { pause: { enabled: true } } } })
    const stopped = await this.create('TFJob', {}, {}, 'run')
    await this.#once(SERVICES, `${stopped.metadata.name}-worker-0`, () =>
      this.#patch(JOBS.TFJob, stopped.metadata.name!, { spec: { runPolicy: { suspend: true } } }),
    )
  }

  /** A TensorBoard that is changed, and one whose name is taken while its job is paused. */
  async #watchTraining(): Promise<void> {
    const spec = { tensorboardSpec: BOARD }
    const job = await this.create('PyTorchTrainingJob', spec)
    const name = tensorboardName(job.metadata.name!, jobHash(job.metadata.name!, job.metadata.uid!))
    const changed = { spec: { trainingLogFilesets: ['t9k://pvc/logs/other'] } }
    await this.#once(DEPLOYMENTS, name, () => this.#patch(CREATED.TensorBoard, name, changed))
    const paused = await this.create('PyTorchTrainingJob', { ...spec, runMode: { pause: { enabled: true } } })
    const taken = tensorboardName(paused.metadata.name!, jobHash(paused.metadata.name!, paused.metadata.uid!))
    await this.#create(CREATED.TensorBoard, { metadata: { namespace: this.namespace, name: taken }, spec: BOARD })
    const resumed = { spec: { runMode: { pause: { enabled: false } } } }
    await this.#patch(JOBS.PyTorchTrainingJob, paused.metadata.name!, resumed)
  }

  /** The same thing happens twice, and is told as twice the same. */
  async #losePods(): Promise<void> {
    const { metadata } = await this.create('TFJob', {}, {}, 'run')
    const name = `${metadata.name}-worker-0`
    const remove = () => this.#client.delete(PODS, { namespace: this.namespace, name }, { gracePeriodSeconds: 0 })
    let last = ''
    for (let n = 0; n < 2; n++) {
      await this.#once(PODS, name, remove, last)
      last = this.#lastUid
    }
  }

  #lastUid = ''

  /** Does the deed as soon as the object is there; gives up after a while, for it is all played again. */
  async #once(resource: Resource, name: string, deed: () => Promise<unknown>, after = ''): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      const found = await this.#client.get(resource, { namespace: this.namespace, name }).catch(() => undefined)
      if (found && found.metadata.uid !== after) {
        this.#lastUid = found.metadata.uid ?? ''
        await deed()
        return
      }
      await delay(200)
    }
  }

  async #patch<T extends KubeObject>(resource: Resource<T>, name: string, body: object): Promise<boolean> {
    const sent = this.#client.patch(resource, { namespace: this.namespace, name }, { type: 'merge', body })
    return sent.then(
      () => true,
      () => false,
    )
  }

  #create(resource: Resource, object: { metadata: KubeObject['metadata']; spec: object }): Promise<KubeObject> {
    const { group, version, kind } = resource
    return this.#client.create(resource, { apiVersion: `${group}/${version}`, kind, ...object })
  }
}

const BOARD = { trainingLogFilesets: ['t9k://pvc/logs/run'] }

function deploymentNamed(namespace: string, name: string): KubeObject {
  const labels = { app: name }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'played' }] } }
  const spec = { replicas: 0, selector: { matchLabels: labels }, template }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name }, spec } as KubeObject
}
