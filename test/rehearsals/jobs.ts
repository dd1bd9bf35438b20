// Small jobs of each kind for rehearsals; what a test is about is passed in.
import type { TrainingJob } from '../../src/api/types.ts'
import { type RehearsalResult, rehearse, type Script } from '../../src/rehearse/rehearse.ts'

const template = (container: string) => ({ spec: { containers: [{ name: container, image: 'i', command: ['run'] }] } })

export function pytorch(replicas: object[], spec: object = {}): TrainingJob {
  return {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'PyTorchTrainingJob',
    metadata: { name: 'job' },
    spec: { replicaSpecs: replicas.map((replica) => ({ template: template('train'), ...replica })), ...spec },
  } as unknown as TrainingJob
}

export function tensorflow(replicas: object[], spec: object = {}): TrainingJob {
  return {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'TensorFlowTrainingJob',
    metadata: { name: 'job' },
    spec: { replicaSpecs: replicas.map((replica) => ({ template: template('tensorflow'), ...replica })), ...spec },
  } as unknown as TrainingJob
}

export function generic(
  replicas: object[],
  rules: { success: object[]; failure?: object[] },
  spec: object = {},
): TrainingJob {
  return {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'GenericJob',
    metadata: { name: 'job' },
    spec: {
      successRules: rules.success,
      failureRules: rules.failure ?? [],
      replicaSpecs: replicas.map((replica) => ({ template: template('main'), ...replica })),
      ...spec,
    },
  } as unknown as TrainingJob
}

export function tfjob(replicas: Record<string, object>, spec: object = {}, version = 'v1beta2'): TrainingJob {
  return {
    apiVersion: `kubeflow.org/${version}`,
    kind: 'TFJob',
    metadata: { name: 'job' },
    spec: {
      tfReplicaSpecs: Object.fromEntries(
        Object.entries(replicas).map(([type, replica]) => [type, { template: template('tensorflow'), ...replica }]),
      ),
      ...spec,
    },
  } as unknown as TrainingJob
}

export interface Seen extends RehearsalResult {
  // biome-ignore lint/suspicious/noExplicitAny: tests read every kind's status
  status: any
}

export function play(job: TrainingJob, script: object = {}): Seen {
  return rehearse(job, script as Script) as Seen
}

/** How often a replica was started. */
export function attemptsOf(result: RehearsalResult, key: string): number {
  return result.replicas.find(({ type, index }) => `${type}-${index}` === key)?.attempts.length ?? 0
}

export function startsOf(result: RehearsalResult, key: string): Array<number | null> {
  return result.replicas.find(({ type, index }) => `${type}-${index}` === key)?.attempts.map((a) => a.startedAt) ?? []
}

export function podsOf(result: RehearsalResult): string[] {
  return result.objects
    .filter(({ kind }) => kind === 'Pod')
    .map(({ metadata }) => metadata.name!.replace(/^job-([0-9a-f]{5}-)?/, ''))
}

export function conditionOf(result: Seen, type: string) {
  return result.status.conditions.find((condition: { type: string }) => condition.type === type)
}
