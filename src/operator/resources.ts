import { kinds } from '../api/kinds.ts'
import type { JobKind, TrainingJob } from '../api/types.ts'
import type { CreatedKind } from '../core/decision.ts'
import { type KubeObject, PODS, type Resource, SERVICES } from '../kube/index.ts'

/** Asked for at the version they are stored at: what is in the store then comes as it is. */
function resourceOf<T extends KubeObject>(name: string): Resource<T> {
  const { group, plural, kind, versions } = kinds.find((candidate) => candidate.kind === name)!
  return { group, version: versions.find(({ storage }) => storage)!.name, plural, kind, namespaced: true }
}

export const JOBS: Record<JobKind, Resource<TrainingJob>> = {
  TensorFlowTrainingJob: resourceOf('TensorFlowTrainingJob'),
  PyTorchTrainingJob: resourceOf('PyTorchTrainingJob'),
  GenericJob: resourceOf('GenericJob'),
  TFJob: resourceOf('TFJob'),
}

export const CREATED: Record<CreatedKind, Resource> = {
  Pod: PODS,
  Service: SERVICES,
  PodGroup: resourceOf('PodGroup'),
  TensorBoard: resourceOf('TensorBoard'),
}

export interface JobName {
  kind: JobKind
  namespace: string
  name: string
}

export function jobKey({ kind, namespace, name }: JobName): string {
  return `${kind}/${namespace}/${name}`
}

export function parseJobKey(key: string): JobName {
  const [kind, namespace, name] = key.split('/') as [JobKind, string, string]
  return { kind, namespace, name }
}

export function isJobKind(kind: string): kind is JobKind {
  return Object.hasOwn(JOBS, kind)
}
