// The status of the batch.tensorstack.dev kinds, in the seeds' spelling, with the journal beside it.
import { flag, int, list, long, record, type Schema, text } from '../schema/schema.ts'
import { objectReference } from './kubernetes.ts'

const time = (description: string): Schema => text(description, { format: 'date-time' })

export const condition = (extra: Record<string, Schema> = {}): Schema =>
  record(
    'One thing that is true of the job, or not.',
    {
      type: text('What this is about.'),
      status: text('Whether it is so: True, False or Unknown.', { enum: ['True', 'False', 'Unknown'] }),
      reason: text('Why, in one word.'),
      message: text('Why, in a sentence.'),
      lastTransitionTime: time('When the status last changed.'),
      ...extra,
    },
    { required: ['type', 'status'] },
  )

const container = record(
  'A container of the pod.',
  {
    name: text('Its name.'),
    state: text('Waiting, Running or Terminated.', { enum: ['Waiting', 'Running', 'Terminated'] }),
    exitCode: int('With what it ended, once it has.'),
  },
  { required: ['name', 'state'] },
)

const replica = record(
  'One replica.',
  {
    name: text("The pod's name."),
    uid: text("The pod's uid."),
    phase: text('Pending before there is a pod; its last outcome after it is gone.', {
      enum: ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'],
    }),
    containers: list("The pod's containers.", container),
    restartCount: int('How often the replica was restarted; absent while it was not.'),
    replaces: text('The uid of the pod whose restart was granted. Equal to uid while the new pod is owed.'),
    attempt: int('Which pod of this replica is meant or owed, counting from 1; absent for the first.'),
    setbacks: int('Restarts and losses in a row; they set the delay before the next start.'),
    restartAt: time('No new pod is made before this.'),
    runningSince: time('Since when the pod has been running.'),
  },
  { required: ['name', 'phase'] },
)

const task = record(
  'The replicas of one type.',
  {
    type: text('The replica type.'),
    restartCount: int('Restarts of all replicas of the type together.'),
    replicaStatus: list('The replicas, by index.', replica),
  },
  { required: ['type', 'replicaStatus'] },
)

const counts = ['creating', 'pending', 'running', 'succeeded', 'failed', 'unknown', 'deleted']

const aggregate = record(
  'How many replicas are in each state; every replica is in exactly one.',
  {
    creating: int('No pod yet, or a pod that has no node.'),
    pending: int('Placed, containers not started.'),
    running: int('Running.'),
    succeeded: int('Ended with exit code 0.'),
    failed: int('Ended otherwise.'),
    unknown: int('The state of the pod cannot be read.'),
    deleted: int('Removed without an outcome, by a pause or the clean-up.'),
  },
  { required: counts },
)

const dependent = record(
  'What became of the TensorBoard.',
  {
    name: text('Its name.'),
    action: text('What is done about it; NOP when nothing is.'),
    dependent: objectReference,
    note: text('Its state in a sentence.'),
    ready: flag('Whether it works.'),
    reason: text('Its state in one word.'),
    type: text('Normal or Warning.', { enum: ['Normal', 'Warning'] }),
  },
  { required: ['name', 'action', 'note', 'ready', 'reason', 'type'] },
)

export const jobStatus: Schema = record('What has become of the job.', {
  phase: text('Where the job stands in one word.', {
    enum: ['Pending', 'Running', 'Paused', 'Resuming', 'Succeeded', 'Failed', 'Unknown'],
  }),
  conditions: list(
    'Where the job stands in detail.',
    condition({ lastUpdateTime: time('When this was last written.') }),
  ),
  tasks: list('The replicas, by type.', task),
  aggregate,
  backoffCount: int('Restarts granted so far.'),
  tensorboard: dependent,
  startTime: time('When the first pods were made.'),
  completionTime: time('When the job ended.'),
  observedGeneration: long('The generation of the spec this status is about.'),
  activeSeconds: { type: 'number', description: 'Seconds on the clock of the deadline before activeSince.' },
  activeSince: time('Since when the clock of the deadline runs.'),
  replicas: int('How many replicas there are, for the scale subresource.'),
  selector: text('Which pods are theirs, for the scale subresource.'),
  underWay: flag('Every replica has run or ended at the same time since the job was started or resumed.'),
  finishedBy: text('What ended the job.', { enum: ['Success', 'Failure', 'BackoffLimit', 'Deadline', 'InvalidSpec'] }),
  resumed: flag('The job has left a pause: resumeSpecs shape its pods.'),
})
