import type { TensorFlowTrainingJob } from '../../api/types.ts'
import type { JobModel, Role } from '../job-model.ts'
import { readGang, readIdentity, readPolicies, readRunMode, ruleOfOne } from './read-common.ts'

export const TENSORFLOW_CONTAINER = 'tensorflow'

export function readTensorFlow(job: TensorFlowTrainingJob): JobModel {
  const { spec } = job
  const roles = spec.replicaSpecs.map((replica): Role => {
    const containers = replica.template?.spec?.containers ?? []
    return {
      type: replica.type,
      label: replica.type,
      replicas: replica.replicas ?? 1,
      restartPolicy: replica.restartPolicy ?? 'Never',
      template: replica.template,
      trainingContainer: Math.max(
        0,
        containers.findIndex((c) => c.name === TENSORFLOW_CONTAINER),
      ),
      ...readRunMode(spec.runMode, replica.type),
    }
  })
  const decider = roles.find((role) => role.type === 'chief') ?? roles.find((role) => role.type === 'worker')
  const master = decider && { type: decider.type, index: 0 }
  const rules = master ? [ruleOfOne(master)] : []
  return {
    kind: 'TensorFlowTrainingJob',
    ...readIdentity(job),
    roles,
    master,
    success: rules,
    failure: rules,
    ...readPolicies(spec.runPolicy, spec.runMode),
    gang: readGang(
      spec.scheduler,
      0,
      roles.reduce((sum, role) => sum + role.replicas, 0),
    ),
    tensorboard: spec.tensorboardSpec,
    environment: { framework: 'tensorflow' },
    managedByOther: false,
    problems: [],
    warnings: [],
  }
}
