// Jobs in numbers: of every kind, some of them with failures, each with the end it must come to.
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { OUTCOME } from '../../scripts/real/kwok.ts'
import { phaseOfJob } from '../../src/api/job-phase.ts'
import type { JobKind, TrainingJob } from '../../src/api/types.ts'
import {
  Informer,
  isConflict,
  isNotFound,
  type KubeClient,
  type KubeObject,
  NAMESPACES,
  PODS,
} from '../../src/kube/index.ts'
import { JOBS } from '../../src/operator/resources.ts'
import { type MadePod, madePod, repeated } from './made-pods.ts'

const JOB_UID = 'trainyard.dev/job-uid'

interface Recipe {
  kind: JobKind
  build(master: object, worker: object): object
  /** What becomes of its master, once it is let go. */
  outcome: 'succeed' | 'fail' | 'fail-first'
}

interface Sent extends Recipe {
  released: boolean
}

const role = (type: string, replicas: number, template: object, more = {}) => ({ type, replicas, template, ...more })
const RESTARTED = { restartPolicy: 'OnFailure' }

/** In turn. Only masters fail: whether a worker's failure is seen before the job is over would be chance. */
const RECIPES: readonly Recipe[] = [
  {
    kind: 'PyTorchTrainingJob',
    build: (master, worker) => ({ replicaSpecs: [role('master', 1, master), role('worker', 2, worker)] }),
    outcome: 'succeed',
  },
  {
    kind: 'TensorFlowTrainingJob',
    build: (chief, worker) => ({
      replicaSpecs: [role('chief', 1, chief, RESTARTED), role('worker', 1, worker, RESTARTED)],
    }),
    outcome: 'fail-first',
  },
  {
    kind: 'GenericJob',
    build: (master, worker) => ({
      successRules: [{ master: [0] }],
      failureRules: [{ master: [0] }],
      service: { ports: [{ name: 'peers', port: 7000 }] },
      replicasSpec: [
        role('master', 1, master, { restartPolicy: { policy: 'OnFailure', limit: 1 } }),
        role('worker', 1, worker),
      ],
    }),
    outcome: 'fail-first',
  },
  {
    kind: 'TFJob',
    build: (chief, worker) => ({
      tfReplicaSpecs: { Chief: { replicas: 1, template: chief }, Worker: { replicas: 1, template: worker } },
    }),
    outcome: 'succeed',
  },
  {
    kind: 'PyTorchTrainingJob',
    build: (master, worker) => ({ replicaSpecs: [role('master', 1, master), role('worker', 1, worker)] }),
    outcome: 'fail',
  },
]

const endOf = ({ outcome }: Recipe): string => (outcome === 'fail' ? 'Failed' : 'Succeeded')
const isMaster = (name: string | undefined): boolean => /-(master|chief)-0$/.test(name ?? '')

export class Fleet {
  readonly namespace = `fleet-${randomBytes(4).toString('hex')}`
  readonly #client: KubeClient
  readonly #wanted = new Map<string, Sent>()
  /** Every pod there ever was, by uid. */
  readonly #seen = new Map<string, MadePod>()
  readonly #stopping = new AbortController()
  readonly #jobs: Informer<TrainingJob>[]
  readonly #pods: Informer<Pod & KubeObject>
  /** Masters that have been let go, by uid. */
  readonly #free = new Set<string>()
  /** What nobody waits for and must not go wrong all the same. */
  readonly #troubles: unknown[] = []
  #running: Promise<unknown> = Promise.resolve()

  constructor(client: KubeClient) {
    this.#client = client
    const selection = { namespace: this.namespace }
    this.#jobs = Object.values(JOBS).map((resource) => new Informer({ client, resource, selection }))
    this.#pods = new Informer({
      client,
      resource: PODS,
      selection,
      indexes: { job: (pod) => [pod.metadata?.labels?.[JOB_UID] ?? ''] },
      onChange: ({ object, type }) => {
        this.#seen.set(object.metadata.uid ?? '', madePod(object))
        if (type === 'removed') return
        this.#letGo(object)
        this.#bury(object)
      },
    })
  }

  async open(): Promise<void> {
    const metadata = { name: this.namespace }
    await this.#client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata })
    const informers = [...this.#jobs, this.#pods]
    this.#running = Promise.all(informers.map((informer) => informer.run(this.#stopping.signal)))
    await Promise.all(informers.map((informer) => informer.synced))
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    await this.#client.delete(NAMESPACES, { name: this.namespace })
  }

  get size(): number {
    return this.#wanted.size
  }

  /** Creates jobs, all at once. Their masters run until they are released. */
  async send(count: number): Promise<void> {
    const first = this.#wanted.size
    await Promise.all(Array.from({ length: count }, (_, index) => this.#create(first + index)))
  }

  async #create(number: number): Promise<void> {
    const recipe = RECIPES[number % RECIPES.length]!
    const name = `job-${number}`
    this.#wanted.set(name, { ...recipe, released: false })
    const container = recipe.kind.startsWith('T') ? 'tensorflow' : 'main'
    const template = (outcome: string) => ({
      metadata: { annotations: { [OUTCOME]: outcome } },
      spec: { containers: [{ name: container, image: 'played' }] },
    })
    const { group, version } = JOBS[recipe.kind]
    const metadata = { namespace: this.namespace, name }
    const spec = recipe.build(template('run'), template('succeed'))
    const job = { apiVersion: `${group}/${version}`, kind: recipe.kind, metadata, spec } as unknown as TrainingJob
    await this.#client.create(JOBS[recipe.kind], job, { fieldValidation: 'Strict' })
  }

  /** Lets everything sent so far come to its end. */
  release(): void {
    for (const sent of this.#wanted.values()) sent.released = true
    for (const pod of this.#pods.cache.list()) this.#letGo(pod)
  }

  /** As a kubelet does: this pod and no other of its name. */
  #bury({ metadata, status }: Pod & KubeObject): void {
    const { namespace, name = '', uid, deletionTimestamp } = metadata
    if (!deletionTimestamp || !['Succeeded', 'Failed'].includes(status?.phase ?? '')) return
    const sent = this.#client.delete(PODS, { namespace, name }, { uid, gracePeriodSeconds: 0 })
    sent.catch((error) => isNotFound(error) || isConflict(error) || this.#troubles.push(error))
  }

  #letGo({ metadata }: Pod & KubeObject): void {
    const { namespace, name = '', uid, annotations, ownerReferences } = metadata
    const job = this.#wanted.get(ownerReferences?.[0]?.name ?? '')
    if (!job?.released || !isMaster(name) || annotations?.[OUTCOME] !== 'run' || this.#free.has(uid ?? '')) return
    this.#free.add(uid ?? '')
    const body = { metadata: { uid, annotations: { [OUTCOME]: job.outcome } } }
    const sent = this.#client.patch(PODS, { namespace, name }, { type: 'merge', body })
    // Gone meanwhile: then its successor is let go.
    sent.catch((error) => isNotFound(error) || this.#troubles.push(error))
  }

  jobs(): TrainingJob[] {
    return this.#jobs.flatMap((informer) => informer.cache.list())
  }

  podCount(): number {
    return this.#pods.cache.list().length
  }

  /** Jobs that have been begun and are not over. */
  inMidFlight(): TrainingJob[] {
    const begun = ({ metadata }: TrainingJob) => this.#pods.cache.by('job', metadata.uid ?? '').length > 0
    return this.jobs().filter((job) => !isOver(job) && begun(job))
  }

  /** There is no hurry while jobs come to their ends; where none does for so long, none will. */
  async untilAllOver(patience: number): Promise<void> {
    const left = (): number => this.size - this.jobs().filter(isOver).length
    const comesToLess = (than: number) => expect.poll(left, { timeout: patience, interval: 100 }).toBeLessThan(than)
    for (let before = left(); before > 0; before = left()) {
      const moves = await comesToLess(before).then(
        () => true,
        () => false,
      )
      if (!moves) break
    }
    this.expectAllOver()
  }

  /** Every job has ended, and as its recipe says. */
  expectAllOver(): void {
    expect(this.#troubles).toEqual([])
    const phases = new Map(this.jobs().map((job) => [job.metadata.name, phaseOfJob(job)]))
    const wrong = [...this.#wanted].filter(([name, recipe]) => phases.get(name) !== endOf(recipe))
    const told = wrong.map(([name, recipe]) => `${recipe.kind} ${name} is ${phases.get(name)}: ${this.#podsOf(name)}`)
    expect(told).toEqual([])
  }

  #podsOf(job: string): string {
    const pods = this.#pods.cache.list().filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === job)
    const tell = ({ metadata: { name, annotations = {}, deletionTimestamp }, status }: Pod & KubeObject) =>
      `${name} attempt ${annotations['trainyard.dev/attempt']} to ${annotations[OUTCOME]} is ${status?.phase}${deletionTimestamp ? ', going' : ''}`
    return pods.map(tell).join('; ') || 'no pods'
  }

  /** No attempt of a replica had two pods, and masters ran as often as they had to. */
  expectEachAttemptOnce(): MadePod[] {
    const pods = [...this.#seen.values()]
    expect(repeated(pods)).toEqual([])
    for (const [job, { outcome }] of this.#wanted) {
      const attempts = pods.filter((pod) => pod.job === job && isMaster(pod.name)).map(({ attempt }) => attempt)
      expect({ job, attempts: attempts.sort() }).toEqual({
        job,
        attempts: outcome === 'fail-first' ? ['1', '2'] : ['1'],
      })
    }
    return pods
  }
}

export function isOver(job: TrainingJob): boolean {
  return ['Succeeded', 'Failed'].includes(phaseOfJob(job))
}
