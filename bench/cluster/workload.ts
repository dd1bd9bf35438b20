// The jobs that are raced: one master and three workers of each kind, whose pods are only played.
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { KubeObject, Resource } from '../../src/kube/index.ts'

export const REPLICAS = 4

export interface Workload {
  resource: Resource
  /** What its jobs' names begin with, so that the audit log's lines can be told apart. */
  prefix: string
  spec: object
}

const container = (name: string): object => ({
  name,
  image: 'played',
  resources: { requests: { cpu: '100m', memory: '64Mi' } },
})
const template = (name: string): object => ({ spec: { containers: [container(name)] } })
const replicas = (count: number, name: string): object => ({
  replicas: count,
  restartPolicy: 'OnFailure',
  template: template(name),
})

export const TFJOB: Workload = {
  resource: { group: 'kubeflow.org', version: 'v1', plural: 'tfjobs', kind: 'TFJob', namespaced: true },
  prefix: 'tf',
  spec: {
    runPolicy: { cleanPodPolicy: 'None' },
    tfReplicaSpecs: { Chief: replicas(1, 'tensorflow'), Worker: replicas(3, 'tensorflow') },
  },
}

export const PYTORCH: Workload = {
  resource: {
    group: 'batch.tensorstack.dev',
    version: 'v1beta1',
    plural: 'pytorchtrainingjobs',
    kind: 'PyTorchTrainingJob',
    namespaced: true,
  },
  prefix: 'pt',
  spec: {
    runPolicy: { cleanUpPolicy: 'None' },
    replicaSpecs: [
      { type: 'master', ...replicas(1, 'pytorch') },
      { type: 'worker', ...replicas(3, 'pytorch') },
    ],
  },
}

/** What Kubeflow has in its place. */
export const KUBEFLOW_PYTORCH: Workload = {
  resource: { ...TFJOB.resource, plural: 'pytorchjobs', kind: 'PyTorchJob' },
  prefix: 'pt',
  spec: {
    runPolicy: { cleanPodPolicy: 'None' },
    pytorchReplicaSpecs: { Master: replicas(1, 'pytorch'), Worker: replicas(3, 'pytorch') },
  },
}

const replicatedJob = (name: string, parallelism: number): object => ({
  name,
  replicas: 1,
  template: {
    spec: {
      parallelism,
      completions: parallelism,
      backoffLimit: 0,
      template: { spec: { restartPolicy: 'OnFailure', containers: [container('main')] } },
    },
  },
})

export const JOBSET: Workload = {
  resource: { group: 'jobset.x-k8s.io', version: 'v1alpha2', plural: 'jobsets', kind: 'JobSet', namespaced: true },
  prefix: 'js',
  spec: { replicatedJobs: [replicatedJob('chief', 1), replicatedJob('worker', 3)] },
}

/** The job a pod belongs to; a JobSet's pods are owned by Jobs and name it in a label. */
export function jobOf({ metadata }: Pod): string | undefined {
  const { labels, ownerReferences } = metadata ?? {}
  return labels?.['jobset.sigs.k8s.io/jobset-name'] ?? ownerReferences?.find(({ controller }) => controller)?.name
}

/** All of them call the replica that decides a job its master or chief. */
export function isMaster({ metadata }: Pod): boolean {
  return /-(master|chief)-0/.test(metadata?.name ?? '')
}

interface Status {
  phase?: string
  conditions?: { type: string; status: string }[]
}

export function endOf(job: KubeObject): 'Succeeded' | 'Failed' | undefined {
  const { phase, conditions = [] } = (job as { status?: Status }).status ?? {}
  if (phase === 'Succeeded' || phase === 'Failed') return phase
  const holds = (type: string): boolean => conditions.some((each) => each.type === type && each.status === 'True')
  if (holds('Failed')) return 'Failed'
  return holds('Succeeded') || holds('Completed') ? 'Succeeded' : undefined
}
