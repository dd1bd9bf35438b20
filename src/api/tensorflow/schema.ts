import { type Rule, record, type Schema, text } from '../schema/schema.ts'
import { fittingNames, jobMetadata, root } from '../shared/job-name.ts'
import { replicaSpec, replicaSpecs, restartPolicy } from '../shared/replica-specs.ts'
import { fixed } from '../shared/rules.ts'
import { runMode, runModeChanges } from '../shared/run-mode.ts'
import { runPolicy, runPolicyChanges } from '../shared/run-policy.ts'
import { scheduler, schedulerChanges } from '../shared/scheduler.ts'
import { jobStatus } from '../shared/status.ts'
import { tensorBoardSpec } from '../shared/tensorboard.ts'
import type { TensorFlowTrainingJob, TensorFlowTrainingJobSpec } from '../types.ts'

export const MOST_TENSORFLOW_REPLICAS = 1000

const decided: Rule = {
  rule: "self.exists(r, r.type in ['chief', 'worker'])",
  message: 'nobody decides this job: it needs a chief or a worker',
}

/** Also what a TFJob's templates need. */
export const tensorflowContainer: Rule = {
  rule: "self.template.spec.containers.exists(c, c.name == 'tensorflow')",
  message: 'no container is named tensorflow; the one that trains must be',
  fieldPath: '.template.spec.containers',
}

const type: Schema = text(
  'The replica type: chief, worker, ps or evaluator. Without a chief, worker 0 decides the job.',
  {
    enum: ['chief', 'worker', 'ps', 'evaluator'],
  },
)

const spec: Schema = record(
  'What is to run, and how.',
  {
    replicaSpecs: replicaSpecs(
      replicaSpec(type, MOST_TENSORFLOW_REPLICAS, restartPolicy, {}, [tensorflowContainer]),
      MOST_TENSORFLOW_REPLICAS,
      [decided],
    ),
    tensorboardSpec: { ...tensorBoardSpec, description: 'The TensorBoard to set up beside the job.' },
    runPolicy,
    scheduler: scheduler(0),
    runMode,
  },
  {
    required: ['replicaSpecs'],
    'x-kubernetes-validations': [
      fixed('replicaSpecs'),
      fixed('tensorboardSpec'),
      ...runPolicyChanges,
      ...schedulerChanges,
      ...runModeChanges,
    ] satisfies Rule[],
  },
)

export const tensorFlowTrainingJob: Schema = root(
  'A distributed TensorFlow training job.',
  jobMetadata,
  spec,
  jobStatus,
  [
    fittingNames('TensorFlowTrainingJob', {
      list: 'self.spec.replicaSpecs',
      type: 'r.type',
      replicas: 'r.replicas',
      read: (job: TensorFlowTrainingJob) => sizes(job.spec),
    }),
  ],
)

function sizes(job: TensorFlowTrainingJobSpec): Array<{ type: string; replicas: number }> {
  return job.replicaSpecs.map((r) => ({ type: r.type, replicas: r.replicas ?? 1 }))
}
