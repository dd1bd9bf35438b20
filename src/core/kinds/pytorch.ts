import { isOn } from '../../api/spellings.ts'
import type { PyTorchTrainingJob, PyTorchTrainingJobSpec } from '../../api/types.ts'
import { allocateReplicas } from '../elastic.ts'
import type { Environment, JobModel, Role } from '../job-model.ts'
import { readGang, readIdentity, readPolicies, readRunMode, ruleOfOne } from './read-common.ts'

const DEFAULT_PRIORITY = 10
const DEFAULT_RENDEZVOUS = 'c10d'
const TRAINING_CONTAINER = 'python'

export function readPyTorch(job: PyTorchTrainingJob): JobModel {
  const { spec } = job
  const torchrun = isOn(spec.torchrunConfig)
  const elastic = torchrun ? readElastic(spec) : undefined
  const counts = elastic
    ? allocateReplicas(
        elastic.expected,
        spec.replicaSpecs.map((replica) => replica.scalingWeight ?? 1),
      )
    : spec.replicaSpecs.map((replica) => replica.replicas ?? 1)
  const roles = spec.replicaSpecs.map((replica, i): Role => {
    const containers = replica.template?.spec?.containers ?? []
    const named = containers.findIndex((container) => container.name === TRAINING_CONTAINER)
    return {
      type: replica.type,
      label: replica.type,
      replicas: counts[i] ?? 0,
      restartPolicy: replica.restartPolicy ?? 'Never',
      template: replica.template,
      trainingContainer: Math.max(0, named),
      ...readRunMode(spec.runMode, replica.type),
    }
  })
  const master = roles[0] && { type: roles[0].type, index: 0 }
  const rules = master ? [ruleOfOne(master)] : []
  const total = counts.reduce((sum, count) => sum + count, 0)
  return {
    kind: 'PyTorchTrainingJob',
    ...readIdentity(job),
    roles,
    master,
    success: rules,
    failure: rules,
    ...readPolicies(spec.runPolicy, spec.runMode),
    gang: readGang(spec.scheduler, DEFAULT_PRIORITY, elastic?.min ?? total),
    elastic,
    tensorboard: spec.tensorboardSpec,
    environment: readEnvironment(spec),
    managedByOther: false,
    problems: [],
    warnings: [],
  }
}

function readElastic({ elastic }: PyTorchTrainingJobSpec): JobModel['elastic'] {
  if (!isOn(elastic)) return undefined
  const { minReplicas: min, maxReplicas: max, expectedReplicas: expected } = elastic!
  if (min === undefined || max === undefined || expected === undefined) return undefined
  return { min, max, expected }
}

function readEnvironment({ torchrunConfig }: PyTorchTrainingJobSpec): Environment {
  if (!isOn(torchrunConfig)) return { framework: 'pytorch' }
  const { maxRestarts, procPerNode, rdzvBackend, extraOptions } = torchrunConfig!
  return {
    framework: 'pytorch',
    torchrun: {
      maxRestarts,
      procPerNode: procPerNode === undefined ? undefined : String(procPerNode),
      rdzvBackend: rdzvBackend ?? DEFAULT_RENDEZVOUS,
      extraOptions: extraOptions ?? [],
    },
  }
}
