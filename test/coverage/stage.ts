// Jobs of the four kinds and what becomes of them, for tests of single fields.
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { JobKind, JobStatus, KubeObject, TrainingJob } from '../../src/api/types.ts'
import { decide } from '../../src/core/decide.ts'
import type { Observed } from '../../src/core/decision.ts'
import { buildPlan, FULL_CLUSTER } from '../../src/core/plan.ts'
import { read } from '../../src/core/read.ts'
import { type RehearsalResult, rehearse, type Script } from '../../src/rehearse/rehearse.ts'
import type { World } from './field-test.ts'

/** The three kinds that have nearly everything in common: the replica that decides, and where the lists stand. */
export interface Kit {
  kind: Exclude<JobKind, 'TFJob'>
  first: string
  list: 'replicaSpecs' | 'replicasSpec'
  code: string
  job: (spec?: object, replica?: object, pod?: object) => TrainingJob
}

export const COMMAND = ['python', 'train.py']
export const ARGS = ['--epochs=3']

function replicaOf(type: string, replicas: number, replica: object, pod: object): object {
  const containers = [{ name: 'tensorflow', image: 'train:1', command: COMMAND, args: ARGS }]
  return { type, replicas, template: { spec: { containers, ...pod } }, ...replica }
}

function kitOf(kind: Kit['kind'], first: string, list: Kit['list'], code: string, own: object = {}): Kit {
  return {
    kind,
    first,
    list,
    code,
    job: (spec = {}, replica = {}, pod = {}) =>
      ({
        apiVersion: 'batch.tensorstack.dev/v1beta1',
        kind,
        metadata: { name: 'job', namespace: 'default' },
        spec: {
          [list]: [replicaOf(first, 1, replica, pod), replicaOf('worker', 2, replica, pod)],
          ...own,
          ...spec,
        },
      }) as unknown as TrainingJob,
  }
}

const rules = { successRules: [{ master: [0] }], failureRules: [{ master: [0] }] }

export const KITS: Kit[] = [
  kitOf('TensorFlowTrainingJob', 'chief', 'replicaSpecs', 'src/core/kinds/tensorflow.ts'),
  kitOf('PyTorchTrainingJob', 'master', 'replicaSpecs', 'src/core/kinds/pytorch.ts'),
  kitOf('GenericJob', 'master', 'replicasSpec', 'src/core/kinds/generic.ts', rules),
]

export function tfJob(spec: object = {}, replica: object = {}): TrainingJob {
  const template = { spec: { containers: [{ name: 'tensorflow', image: 'train:1', command: COMMAND }] } }
  return {
    apiVersion: 'kubeflow.org/v1beta2',
    kind: 'TFJob',
    metadata: { name: 'job', namespace: 'default' },
    spec: {
      tfReplicaSpecs: {
        Chief: { replicas: 1, template, ...replica },
        Worker: { replicas: 2, template, ...replica },
      },
      ...spec,
    },
  } as unknown as TrainingJob
}

/** Runs for a minute and ends well unless the script says otherwise; a job that is refused throws. */
export function play(world: World, job: TrainingJob, script: Script = {}): RehearsalResult {
  return rehearse(world.input(job), script)
}

/** What there is after so many seconds of a life in which nobody ends by himself. */
export function playUntil(world: World, job: TrainingJob, until: string, script: Script = {}): RehearsalResult {
  return rehearse(world.input(job), { defaults: { exitAfter: 'never' }, until, ...script })
}

export function statusAfter(world: World, job: TrainingJob, until: string, script: Script = {}): JobStatus {
  return world.status(playUntil(world, job, until, script).status as JobStatus)
}

export function objectsOf(
  result: RehearsalResult,
  kind: string,
): Array<KubeObject & { spec: Record<string, unknown> }> {
  return result.objects.filter((object) => object.kind === kind) as Array<
    KubeObject & { spec: Record<string, unknown> }
  >
}

export function podsOf(result: RehearsalResult, type?: string): Pod[] {
  const pods = result.objects.filter(({ kind }) => kind === 'Pod') as Pod[]
  return type === undefined ? pods : pods.filter((pod) => pod.metadata?.name?.includes(`-${type}-`))
}

export function commandsOf(result: RehearsalResult, type?: string): Array<string[] | undefined> {
  return podsOf(result, type).map((pod) => pod.spec?.containers[0]?.command)
}

export function attemptsOf({ replicas }: RehearsalResult, name: string): number {
  return replicas.find(({ type, index }) => `${type}-${index}` === name)?.attempts.length ?? 0
}

/** One look of the engine at pods whose state the simulated cluster never has. */
export function lookOnce(world: World, job: TrainingJob, phase: string, more: Partial<Observed> = {}): JobStatus {
  const model = read({ ...job, metadata: { ...job.metadata, uid: 'job-uid' } } as TrainingJob)
  const pods = buildPlan(model).filter(({ kind }) => kind === 'Pod') as Pod[]
  const observed: Observed = {
    status: undefined,
    pods: pods.map((pod, i) => ({ ...pod, metadata: { ...pod.metadata, uid: `pod-${i}` }, status: { phase } })),
    services: [],
    nodes: new Map(),
    cluster: FULL_CLUSTER,
    ...more,
  }
  return world.status(decide(model, observed, 0).status as JobStatus)
}
