import { int, type Rule, record, type Schema, text, words } from '../schema/schema.ts'
import { fittingNames, jobMetadata, root } from '../shared/job-name.ts'
import { freeType, replicaSpec, replicaSpecs, restartPolicy } from '../shared/replica-specs.ts'
import { fixed, isOn } from '../shared/rules.ts'
import { runMode, runModeChanges } from '../shared/run-mode.ts'
import { runPolicy, runPolicyChanges } from '../shared/run-policy.ts'
import { scheduler, schedulerChanges } from '../shared/scheduler.ts'
import { jobStatus } from '../shared/status.ts'
import { oneSwitch, switchFields } from '../shared/switches.ts'
import { tensorBoardSpec } from '../shared/tensorboard.ts'
import { isOn as isSwitchedOn } from '../spellings.ts'
import type { PyTorchTrainingJob, PyTorchTrainingJobSpec } from '../types.ts'
import { elastic, elasticChanges } from './elastic.ts'
import { trainingContainer } from './training-container.ts'

export const MOST_REPLICAS = 4096

const torchrunConfig: Schema = record(
  'Start the training with torchrun: torchrun <generated options> <extraOptions> <args of the container>.',
  {
    ...switchFields('Whether torchrun starts the training.'),
    maxRestarts: int('How often torchrun restarts its own processes, inside the pod.', { minimum: 0 }),
    procPerNode: {
      description: 'Processes per replica: a number, or gpu, cpu or auto.',
      'x-kubernetes-int-or-string': true,
      pattern: '^([1-9][0-9]*|gpu|cpu|auto)$',
      patternMeans: 'is neither a number of processes nor gpu, cpu or auto',
      minimum: 1,
    },
    rdzvBackend: text('How the replicas find each other.', { default: 'c10d', minLength: 1 }),
    extraOptions: words('Further options of torchrun, after the generated ones.'),
    minNodes: int('Of no effect any more; see elastic.minReplicas.', {
      deprecated: 'has no effect any more; see elastic.minReplicas',
    }),
  },
  { 'x-kubernetes-validations': [oneSwitch] },
)

const CONTAINERS = 'r.template.spec.containers'

/** Without args torchrun would have nothing to run; debug mode does not start it. */
const torchrunArgs: Rule = {
  rule: `!${isOn('self', 'torchrunConfig')} || ${isOn('self', 'runMode', 'debug')} || self.replicaSpecs.all(r, ${CONTAINERS}.exists(c, has(c.args) && size(c.args) > 0 && (c.name == 'python' || (c.name == ${CONTAINERS}[0].name && !${CONTAINERS}.exists(d, d.name == 'python')))))`,
  message: 'torchrun has nothing to run: the training container needs args, the script and its arguments',
  fieldPath: '.replicaSpecs',
  tell: (self: PyTorchTrainingJobSpec) => {
    const i = self.replicaSpecs.findIndex(
      (r) => !r.template.spec?.containers[trainingContainer(r.template)]?.args?.length,
    )
    const container = trainingContainer(self.replicaSpecs[i]!.template)
    return {
      message: 'torchrun has nothing to run: args must name the script and its arguments',
      path: ['replicaSpecs', i, 'template', 'spec', 'containers', container],
    }
  },
}

const spec: Schema = record(
  'What is to run, and how.',
  {
    replicaSpecs: replicaSpecs(
      replicaSpec(freeType, MOST_REPLICAS, restartPolicy, {
        scalingWeight: int('Share of this type in an elastic job.', { minimum: 0, maximum: 1000 }),
      }),
      MOST_REPLICAS,
    ),
    tensorboardSpec: { ...tensorBoardSpec, description: 'The TensorBoard to set up beside the job.' },
    runMode,
    runPolicy,
    scheduler: scheduler(10),
    elastic,
    torchrunConfig,
  },
  {
    required: ['replicaSpecs'],
    'x-kubernetes-validations': [
      torchrunArgs,
      fixed('replicaSpecs'),
      fixed('tensorboardSpec'),
      fixed('torchrunConfig'),
      ...elasticChanges,
      ...runPolicyChanges,
      ...schedulerChanges,
      ...runModeChanges,
    ] satisfies Rule[],
  },
)

const largest = `(${isOn('self.spec', 'torchrunConfig')} && ${isOn('self.spec', 'elastic')} && has(self.spec.elastic.maxReplicas) ? self.spec.elastic.maxReplicas : r.replicas)`

export const pyTorchTrainingJob: Schema = root('A distributed PyTorch training job.', jobMetadata, spec, jobStatus, [
  fittingNames('PyTorchTrainingJob', {
    list: 'self.spec.replicaSpecs',
    type: 'r.type',
    replicas: largest,
    read: (job: PyTorchTrainingJob) => sizes(job.spec),
  }),
])

function sizes(job: PyTorchTrainingJobSpec): Array<{ type: string; replicas: number }> {
  const elasticMost =
    isSwitchedOn(job.torchrunConfig) && isSwitchedOn(job.elastic) ? job.elastic?.maxReplicas : undefined
  return job.replicaSpecs.map((r) => ({ type: r.type, replicas: elasticMost ?? r.replicas ?? 1 }))
}
