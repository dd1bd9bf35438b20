import { int, list, map, record, type Schema, text } from '../schema/schema.ts'
import { condition, jobStatus } from '../shared/status.ts'

const time = (description: string): Schema => text(description, { format: 'date-time' })

export const tfJobStatus: Schema = record("What has become of the job, in Kubeflow's terms.", {
  conditions: {
    ...list(
      'What has happened to the job, newest last.',
      condition({ lastUpdateTime: time('When this was last written.') }),
    ),
    nullable: true,
  },
  replicaStatuses: {
    ...map(
      'How many pods of each type are active or ended.',
      record('The pods of one type.', {
        active: int('Pending or running.'),
        succeeded: int('Ended with exit code 0.'),
        failed: int('Ended otherwise.'),
        selector: text('Which pods these are.'),
      }),
    ),
    nullable: true,
  },
  startTime: time('When the job was first looked at.'),
  completionTime: time('When the job ended.'),
  lastReconcileTime: time('When the job was last looked at.'),
  trainyard: {
    ...jobStatus,
    description: "Trainyard's own record of the job; a job goes on from here when the controller is started anew.",
  },
})
