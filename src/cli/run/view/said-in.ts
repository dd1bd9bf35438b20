// Where the manifest says which program a replica runs.
import { pathText } from '../../../api/issue.ts'
import type { JobModel } from '../../../core/job-model.ts'
import type { Place } from '../../../core/slots.ts'
import type { AnyJob } from '../../home/running-jobs.ts'

/** `said in spec.replicaSpecs[0].template.spec.containers[0].command[0]`. */
export function saidIn(job: AnyJob, model: JobModel, { role }: Place): string {
  if (role.debug) return 'said in spec.runMode.debug'
  if (model.environment.framework === 'pytorch' && model.environment.torchrun)
    return 'spec.torchrunConfig asks for it; it comes with PyTorch: pip install torch, where the home finds it'
  const command = ['template', 'spec', 'containers', role.trainingContainer, 'command', 0]
  if (job.kind === 'TFJob') return `said in ${pathText(['spec', 'tfReplicaSpecs', role.label, ...command])}`
  const list = 'replicasSpec' in job.spec ? 'replicasSpec' : 'replicaSpecs'
  const index = model.roles.findIndex(({ type }) => type === role.type)
  return `said in ${pathText(['spec', list, index, ...command])}`
}
