// Three jobs of different kinds whose replicas end as they are told, and how each of them is to end.
import type { AnyJob } from '../../../src/cli/home/running-jobs.ts'
import { type Ending, type Ledger, PROGRAM } from './ledger.ts'

export interface PlannedJob {
  job: AnyJob
  phase: 'Succeeded' | 'Failed'
  /** The first decides the job, and ends after the others. */
  replicas: PlannedReplica[]
}

export interface PlannedReplica {
  key: string
  type: string
  /** How each attempt ends; all but the last are followed by a restart. */
  endings: Ending[]
}

const FAILURES: readonly Ending[] = ['exit 3', 'kill 9', 'kill 11']
const LAST_OF_MASTER: readonly Ending[] = ['exit 0', 'exit 42', 'kill 9', 'exit 0']

export const MOST_ATTEMPTS = 3

export function planJobs(round: number, ledger: Ledger, mark: string, random: () => number): PlannedJob[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  // A second restart in a row waits for a second: rare, or the rounds take too long.
  const failures = (): Ending[] => Array.from({ length: pick([0, 1, 1, 1, 1, 2]) }, () => pick(FAILURES))
  const plan = (name: string, masterType: string, master: Ending[], build: typeof pytorch): PlannedJob => {
    const replicas: PlannedReplica[] = [
      { key: `${name}-master`, type: masterType, endings: master },
      { key: `${name}-worker`, type: 'worker', endings: [...failures(), 'exit 0'] },
    ]
    const template = (container: string) => (key: string) => templateOf(container, key, ledger.dir, mark)
    const phase = master.at(-1) === 'exit 0' ? 'Succeeded' : 'Failed'
    return { job: build(name, template) as object as AnyJob, phase, replicas }
  }
  const sometimes = (): Ending[] => [...(random() < 0.5 ? [pick(FAILURES)] : []), 'exit 0']
  return [
    plan(`torch-${round}`, 'master', [pick(LAST_OF_MASTER)], pytorch),
    plan(`rules-${round}`, 'master', sometimes(), generic),
    plan(`keras-${round}`, 'chief', sometimes(), tfjob),
  ]
}

type Template = (container: string) => (key: string) => object

function pytorch(name: string, template: Template): object {
  const pod = template('train')
  return {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'PyTorchTrainingJob',
    metadata: { name, namespace: 'default' },
    spec: {
      runPolicy: { backoffLimit: 9 },
      replicaSpecs: [
        { type: 'master', restartPolicy: 'Never', template: pod(`${name}-master`) },
        { type: 'worker', restartPolicy: 'OnFailure', template: pod(`${name}-worker`) },
      ],
    },
  }
}

function generic(name: string, template: Template): object {
  const pod = template('train')
  const restartPolicy = { policy: 'OnFailure', limit: 9 }
  return {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'GenericJob',
    metadata: { name, namespace: 'default' },
    spec: {
      successRules: [{ master: ['0'] }],
      failureRules: [{ master: ['0'] }],
      replicaSpecs: [
        { type: 'master', restartPolicy, template: pod(`${name}-master`) },
        { type: 'worker', restartPolicy, template: pod(`${name}-worker`) },
      ],
    },
  }
}

function tfjob(name: string, template: Template): object {
  const pod = template('tensorflow')
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'TFJob',
    metadata: { name, namespace: 'default' },
    spec: {
      runPolicy: { cleanPodPolicy: 'None' },
      tfReplicaSpecs: {
        Chief: { replicas: 1, restartPolicy: 'OnFailure', template: pod(`${name}-master`) },
        Worker: { replicas: 1, restartPolicy: 'OnFailure', template: pod(`${name}-worker`) },
      },
    },
  }
}

function templateOf(container: string, key: string, ledger: string, mark: string): object {
  const field = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } })
  const env = [
    { name: 'CRASH_MARK', value: mark },
    { name: 'LEDGER', value: ledger },
    { name: 'KEY', value: key },
    { name: 'ATTEMPT', ...field("metadata.annotations['trainyard.dev/attempt']") },
    { name: 'POD_UID', ...field('metadata.uid') },
  ]
  // Kubernetes takes two dollar signs for one that is meant.
  const command = ['sh', '-c', PROGRAM.replaceAll('$$', () => '$$$$')]
  const spec = { name: container, image: 'any', command, env }
  return { spec: { terminationGracePeriodSeconds: 1, containers: [spec] } }
}
