import { flag, int, map, type Rule, record, type Schema, text } from '../schema/schema.ts'
import { fittingNames, jobMetadata, root } from '../shared/job-name.ts'
import { podTemplate } from '../shared/kubernetes.ts'
import { distinctContainers, replicas, restartPolicy } from '../shared/replica-specs.ts'
import { fixed, fixedWithDefault } from '../shared/rules.ts'
import { activeDeadlineSeconds, restartScope, ttlSecondsAfterFinished } from '../shared/run-policy.ts'
import { MOST_TENSORFLOW_REPLICAS, tensorflowContainer } from '../tensorflow/schema.ts'
import type { TFJob, TFJobPolicies, TFJobSpec } from '../types.ts'
import { fixedInReplicaSpec, keyRules, specRules } from './replica-rules.ts'
import { tfJobStatus } from './status.ts'

const policies: Record<keyof TFJobPolicies, Schema> = {
  activeDeadlineSeconds,
  backoffLimit: int('How many restarts the replicas may have together. Unlimited when absent.', { minimum: 0 }),
  cleanPodPolicy: text('Which pods are removed when the job has ended. When absent: Running, in edition v1 None.', {
    enum: ['', 'All', 'Running', 'None'],
  }),
  ttlSecondsAfterFinished,
}

/** The four policies may stand flat or under runPolicy, but not with different values. */
function samePolicy(field: keyof TFJobPolicies): Rule {
  return {
    rule: `!has(self.${field}) || !has(self.runPolicy) || !has(self.runPolicy.${field}) || self.${field} == self.runPolicy.${field}`,
    message: `contradicts spec.${field}; both places mean the same, keep one`,
    fieldPath: `.runPolicy.${field}`,
    tell: (self: TFJobSpec) => ({
      message: `${JSON.stringify(self.runPolicy?.[field])} contradicts spec.${field}: ${self[field]}{seeAlone}; both places mean the same, keep one`,
      path: ['runPolicy', field],
      see: [field],
    }),
  }
}

const schedulingPolicy: Schema = record('How the pods are placed together.', {
  minAvailable: int('How many pods must be placed at once; all of them when absent.', { minimum: 1 }),
  queue: text('The queue the job waits in.'),
  minResources: map('What must be free before any pod is placed.', { 'x-kubernetes-int-or-string': true }),
  priorityClass: text('The priority class of the group.'),
  scheduleTimeoutSeconds: int('How long placement may take.', { minimum: 0 }),
})

const runPolicy: Schema = record('Limits of the run and what happens after it.', {
  ...policies,
  suspend: flag('Stop the job and keep it; may be changed at any time.'),
  managedBy: text('Who looks after the job. The other one is left alone.', {
    enum: ['kubeflow.org/training-operator', 'kueue.x-k8s.io/multikueue'],
  }),
  restartScope,
  schedulingPolicy,
})

const restart: Schema = {
  ...restartPolicy,
  description:
    'When a replica is started again: Always (also after success), OnFailure, Never, or ExitCode (after 130, 137, 138, 143; in edition v1 after 128 and more).',
}

const replicaSpec: Schema = record(
  'Replicas of one type.',
  { replicas: replicas(MOST_TENSORFLOW_REPLICAS), template: podTemplate, restartPolicy: restart },
  {
    required: ['template'],
    'x-kubernetes-validations': [distinctContainers, tensorflowContainer, ...fixedInReplicaSpec],
  },
)

function specOf(edition: 'v1beta2' | 'v1'): Schema {
  return record(
    'What is to run, and how.',
    {
      tfReplicaSpecs: map('The replicas by type: Chief or Master, Worker, PS, Evaluator, in any casing.', replicaSpec, {
        minProperties: 1,
        maxProperties: 5,
        'x-kubernetes-validations': keyRules,
      }),
      ...policies,
      runPolicy,
      successPolicy: text('Without a chief: "" lets worker 0 decide, AllWorkers asks all workers.', {
        enum: ['', 'AllWorkers'],
      }),
      enableDynamicWorker: flag('The number of workers may change; a failed worker does not fail the job.'),
      edition: text('Whose rules hold: those of the version the job was created under.', {
        enum: ['v1beta2', 'v1'],
        default: edition,
      }),
    },
    {
      required: ['tfReplicaSpecs'],
      'x-kubernetes-validations': [
        ...specRules,
        ...(Object.keys(policies) as (keyof TFJobPolicies)[]).map(samePolicy),
        fixed('successPolicy'),
        fixed('enableDynamicWorker'),
        fixed('edition'),
        fixed('runPolicy', 'managedBy'),
        fixed('runPolicy', 'schedulingPolicy'),
        fixedWithDefault('Replica', 'runPolicy', 'restartScope'),
      ] satisfies Rule[],
    },
  )
}

export const tfJob = (edition: 'v1beta2' | 'v1'): Schema =>
  root('A distributed TensorFlow training job, as Kubeflow knows it.', jobMetadata, specOf(edition), tfJobStatus, [
    fittingNames('TFJob', {
      list: 'self.spec.tfReplicaSpecs',
      type: 'r',
      replicas: 'self.spec.tfReplicaSpecs[r].replicas',
      read: (job: TFJob) =>
        Object.entries(job.spec.tfReplicaSpecs).map(([key, r]) => ({
          type: key.toLowerCase(),
          replicas: r.replicas ?? 1,
        })),
    }),
  ])
