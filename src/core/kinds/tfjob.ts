import type { Container, PodTemplateSpec } from '../../../gen/kubernetes-types.ts'
import { canonicalType, TF_REPLICA_TYPES } from '../../api/tfjob/replica-types.ts'
import type { TFJob, TFJobSpec } from '../../api/types.ts'
import type { JobModel, Role, Rule } from '../job-model.ts'
import { isRetryable, readIdentity, ruleOfOne } from './read-common.ts'
import { TENSORFLOW_CONTAINER } from './tensorflow.ts'

export const TFJOB_PORT = { name: 'tfjob-port', containerPort: 2222 }
const OURS = 'kubeflow.org/training-operator'

export function readTFJob(job: TFJob): JobModel {
  const { spec } = job
  const edition = editionOf(job)
  const policy = { ...spec, ...withoutUndefined(spec.runPolicy) }
  const roles = readRoles(spec)
  const decider = roles.find((role) => role.type === 'chief' || role.type === 'master')
  const workers = roles.find((role) => role.type === 'worker')
  const master = decider ? { type: decider.type, index: 0 } : workers && { type: workers.type, index: 0 }
  const scheduling = spec.runPolicy?.schedulingPolicy
  return {
    kind: 'TFJob',
    ...readIdentity(job),
    apiVersion: edition === 'v1' ? 'kubeflow.org/v1' : 'kubeflow.org/v1beta2',
    roles,
    master,
    success: readSuccess(spec, workers, master),
    failure: [],
    anyFailureFails: true,
    backoffLimit: policy.backoffLimit,
    restartScope: spec.runPolicy?.restartScope ?? 'Replica',
    retryable: edition === 'v1' ? (exitCode) => exitCode >= 128 : isRetryable,
    activeDeadlineSeconds: policy.activeDeadlineSeconds,
    ttlSecondsAfterFinished: policy.ttlSecondsAfterFinished,
    cleanUp: cleanUpOf(policy.cleanPodPolicy, edition),
    paused: spec.runPolicy?.suspend ?? false,
    debug: false,
    gang: scheduling && {
      queue: scheduling.queue ?? 'default',
      priority: 0,
      minMember: scheduling.minAvailable ?? roles.reduce((sum, role) => sum + role.replicas, 0),
      priorityClass: scheduling.priorityClass,
    },
    environment: { framework: 'tfjob', edition, dynamicWorkers: spec.enableDynamicWorker ?? false },
    managedByOther: isManagedByOther(spec),
    problems: [],
    warnings: [],
  }
}

/** As created; an object without the field says it by its version. */
export function editionOf(job: TFJob): 'v1beta2' | 'v1' {
  return job.spec.edition ?? (job.apiVersion === 'kubeflow.org/v1' ? 'v1' : 'v1beta2')
}

export function isManagedByOther(spec: TFJobSpec): boolean {
  const by = spec.runPolicy?.managedBy
  return by !== undefined && by !== null && by !== OURS
}

/** Kubeflow's `Running` takes Pending pods too, as ruled: that is our Unfinished. */
function cleanUpOf(policy: string | undefined, edition: 'v1beta2' | 'v1'): JobModel['cleanUp'] {
  const chosen = policy || (edition === 'v1' ? 'None' : 'Running')
  return chosen === 'All' ? 'All' : chosen === 'Running' ? 'Unfinished' : 'None'
}

function readRoles(spec: TFJobSpec): Role[] {
  const byType = new Map(
    Object.entries(spec.tfReplicaSpecs ?? {}).map(([key, replica]) => [canonicalType(key), replica]),
  )
  return TF_REPLICA_TYPES.flatMap((label): Role[] => {
    const replica = byType.get(label)
    if (!replica) return []
    const template = withDefaultPort(replica.template)
    const containers = template?.spec?.containers ?? []
    return [
      {
        type: label.toLowerCase(),
        label,
        replicas: replica.replicas ?? 1,
        restartPolicy: replica.restartPolicy ?? 'Never',
        template,
        trainingContainer: trainingIndex(containers),
        mayFail: label === 'Worker' && spec.enableDynamicWorker === true,
      },
    ]
  })
}

function trainingIndex(containers: readonly Container[]): number {
  return Math.max(
    0,
    containers.findIndex((container) => container.name === TENSORFLOW_CONTAINER),
  )
}

/** TF_CONFIG and the Services need a port called tfjob-port; a template without one gets 2222. */
export function withDefaultPort(template: PodTemplateSpec): PodTemplateSpec {
  const containers = template?.spec?.containers ?? []
  const at = trainingIndex(containers)
  const ports = containers[at]?.ports ?? []
  if (!containers[at] || ports.some((port) => port.name === TFJOB_PORT.name)) return template
  const filled = containers.map((container, i) =>
    i === at ? { ...container, ports: [...ports, { ...TFJOB_PORT }] } : container,
  )
  return { ...template, spec: { ...template.spec!, containers: filled } }
}

function readSuccess(spec: TFJobSpec, workers: Role | undefined, master: JobModel['master']): Rule[] {
  if (!master) return []
  if (master.type !== 'worker' || spec.successPolicy !== 'AllWorkers') return [ruleOfOne(master)]
  const slots = Array.from({ length: workers?.replicas ?? 0 }, (_, index) => ({ type: 'worker', index }))
  return [{ slots, text: 'all workers' }]
}

function withoutUndefined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, v]) => v !== undefined && v !== null)) as Partial<T>
}
