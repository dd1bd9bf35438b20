// Where the manifest says what a replica runs.
import { pathText } from '../../../api/issue.ts'
import type { JobModel } from '../../../core/job-model.ts'
import type { Place } from '../../../core/slots.ts'
import type { AnyJob } from '../../home/running-jobs.ts'

/** `spec.replicaSpecs[0].template.spec.containers[0]`. */
export function fieldOf(job: AnyJob, model: JobModel, { role }: Place): string {
  const container = ['template', 'spec', 'containers', role.trainingContainer]
  if (job.kind === 'TFJob') return pathText(['spec', 'tfReplicaSpecs', role.label, ...container])
  const list = 'replicasSpec' in job.spec ? 'replicasSpec' : 'replicaSpecs'
  return pathText(['spec', list, model.roles.findIndex(({ type }) => type === role.type), ...container])
}
