import type { Node, Pod, Service } from '../../gen/kubernetes-types.ts'
import type { JobKind, TrainingJob } from '../api/types.ts'
import type { ClusterFacts, CreatedKind, NodeState, Observed } from '../core/decision.ts'
import type { GangChoice } from '../core/gangs.ts'
import { JOB_UID_LABEL } from '../core/labels.ts'
import {
  type Change,
  Informer,
  isForbidden,
  isNotFound,
  type KubeClient,
  type KubeObject,
  NODES,
  type Resource,
} from '../kube/index.ts'
import { sameJson } from '../lib/json.ts'
import { GangFinder } from './gang-finder.ts'
import { onlyOurs } from './own-kinds.ts'
import { CREATED, isJobKind, JOBS, type JobName, jobKey } from './resources.ts'
import { nodeStateOf, trimNode, trimPod, trimService } from './trim.ts'

export interface WorldOptions {
  client: KubeClient
  /** Only this namespace; all of them without it. */
  namespace?: string
  /** Kinds to look after even where their definition is somebody else's. */
  takeOver?: readonly JobKind[]
  facts: Omit<ClusterFacts, 'gangScheduler' | 'tensorboards'>
  /** Who places gangs. */
  gangScheduler: GangChoice
  onError: (resource: string, error: unknown) => void
}

/** Who looks after jobs, and wants to know which. */
export interface Listener {
  /** Something about this job may have changed. */
  onJob: (key: string) => void
  /** Something that belongs to this job has. */
  onPart: (key: string) => void
}

/** Everything the operator knows of the cluster: jobs, what belongs to them, and the nodes their pods are on. */
export class World {
  /** Nobody while another operator is at work. */
  listener: Listener | undefined
  readonly jobs: Record<JobKind, Informer<TrainingJob>>
  readonly created: Record<CreatedKind, Informer<KubeObject>>
  readonly gangs: GangFinder
  readonly #nodes: Informer<Node & KubeObject>
  readonly #options: WorldOptions
  #nodesForbidden!: () => void
  /** Without the right to read nodes they are all taken to be well. */
  readonly #nodesDenied = new Promise<void>((resolve) => {
    this.#nodesForbidden = resolve
  })

  constructor(options: WorldOptions) {
    this.#options = options
    const onJob = (key: string): void => this.listener?.onJob(key)
    const onPart = (key: string): void => this.listener?.onPart(key)
    this.gangs = new GangFinder(options.client, options.gangScheduler, (error) => options.onError('podgroups', error))
    const jobInformer = (kind: JobKind) => {
      const taken = options.takeOver?.includes(kind)
      const client = taken ? options.client : onlyOurs(options.client, (name) => reportForeign(options, name))
      return this.#follow(JOBS[kind], { client }, onJob, (job) => jobKey(nameOf(kind, job)))
    }
    this.jobs = {
      TensorFlowTrainingJob: jobInformer('TensorFlowTrainingJob'),
      PyTorchTrainingJob: jobInformer('PyTorchTrainingJob'),
      GenericJob: jobInformer('GenericJob'),
      TFJob: jobInformer('TFJob'),
    }
    const created = (kind: CreatedKind, how: Following<KubeObject> = {}) =>
      this.#follow(CREATED[kind], { labelSelector: JOB_UID_LABEL, ...how }, onPart, ownerKey)
    this.created = {
      Pod: created('Pod', { trim: trimPod as (object: KubeObject) => KubeObject, nodes: true }),
      Service: created('Service', { trim: trimService }),
      PodGroup: created('PodGroup', { client: this.gangs.reader }),
      TensorBoard: created('TensorBoard'),
    }
    this.#nodes = new Informer({
      client: options.client,
      resource: NODES,
      trim: trimNode,
      onChange: (change) => this.#onNode(change),
      onError: (error) => {
        if (isForbidden(error)) this.#nodesForbidden()
        options.onError('nodes', error)
      },
    })
  }

  /** Resolves when enough is known to decide anything; jobs may still be coming in. */
  async ready(): Promise<void> {
    const parts = Object.values(this.created).map((informer) => informer.synced)
    await Promise.all([...parts, Promise.race([this.#nodes.synced, this.#nodesDenied])])
  }

  /** Runs until aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const informers = [...Object.values(this.jobs), ...Object.values(this.created), this.#nodes]
    await Promise.all(informers.map((informer) => informer.run(signal)))
  }

  job({ kind, namespace, name }: JobName): TrainingJob | undefined {
    return this.jobs[kind].cache.get(`${namespace}/${name}`)
  }

  async observe(job: TrainingJob, signal: AbortSignal): Promise<Observed> {
    const uid = job.metadata.uid ?? ''
    const of = (kind: CreatedKind) => this.created[kind].cache.by('job', uid)
    const pods = of('Pod') as Pod[]
    return {
      status: job.status,
      pods,
      services: of('Service') as Service[],
      podGroup: of('PodGroup')[0],
      tensorboard: of('TensorBoard')[0],
      nodes: await this.#nodesOf(pods, signal),
      cluster: {
        ...this.#options.facts,
        gangScheduler: this.gangs.found,
        tensorboards: this.created.TensorBoard.installed,
      },
    }
  }

  async #nodesOf(pods: readonly Pod[], signal: AbortSignal): Promise<Map<string, NodeState>> {
    const nodes = new Map<string, NodeState>()
    for (const pod of pods) {
      const name = pod.spec?.nodeName
      if (name === undefined || nodes.has(name)) continue
      const node = this.#nodes.cache.get(name)
      const state = node === undefined ? await this.#askForNode(name, signal) : nodeStateOf(node)
      if (state !== undefined) nodes.set(name, state)
    }
    return nodes
  }

  /** A node we do not know may be new; only the API's word makes it a node that is gone, which costs its pods their life. */
  async #askForNode(name: string, signal: AbortSignal): Promise<NodeState | undefined> {
    if (!this.#nodes.installed) return { ready: true, outOfService: false }
    try {
      const node = await this.#options.client.get(NODES, { name }, signal)
      this.#nodes.cache.merge(node)
      return nodeStateOf(node)
    } catch (error) {
      return isNotFound(error) ? undefined : { ready: true, outOfService: false }
    }
  }

  #onNode(change: Change<Node & KubeObject>): void {
    if (change.type === 'changed' && sameJson(nodeStateOf(change.object), nodeStateOf(change.old))) return
    for (const pod of this.created.Pod.cache.by('node', change.object.metadata.name ?? '')) {
      const key = ownerKey(pod)
      if (key !== undefined) this.listener?.onJob(key)
    }
  }

  #follow<T extends KubeObject>(
    resource: Resource<T>,
    how: Following<T>,
    tell: (key: string) => void,
    keyOfJob: (object: T) => string | undefined,
  ): Informer<T> {
    const { client, namespace, onError } = this.#options
    return new Informer<T>({
      client: how.client ?? client,
      resource,
      selection: { namespace, labelSelector: how.labelSelector },
      ...(how.trim && { trim: how.trim }),
      indexes: {
        job: (object) => listOf(object.metadata.labels?.[JOB_UID_LABEL]),
        ...(how.nodes && { node: (object: T) => listOf((object as Pod).spec?.nodeName) }),
      },
      onChange: ({ object }) => {
        const key = keyOfJob(object)
        if (key !== undefined) tell(key)
      },
      onError: (error) => onError(resource.plural, error),
    })
  }
}

interface Following<T> {
  client?: Pick<KubeClient, 'list' | 'watch'>
  labelSelector?: string
  trim?: (object: T) => T
  /** File the objects by node, too. */
  nodes?: boolean
}

function reportForeign({ onError }: WorldOptions, name: string): void {
  const message = 'the definition is not ours, so another operator may look after these jobs; they are left alone'
  onError(name, new Error(message))
}

function listOf(value: string | undefined): string[] {
  return value === undefined ? [] : [value]
}

function nameOf(kind: JobKind, { metadata }: TrainingJob): JobName {
  return { kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
}

/** The job that an object's controller reference names. */
function ownerKey({ metadata }: KubeObject): string | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller)
  if (owner === undefined || !isJobKind(owner.kind)) return undefined
  return jobKey({ kind: owner.kind, namespace: metadata.namespace ?? '', name: owner.name })
}
