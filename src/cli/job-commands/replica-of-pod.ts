// Which replica a pod is, by its labels; and by its name where only that is left.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { JobModel } from '../../core/job-model.ts'
import { ATTEMPT_ANNOTATION, JOB_UID_LABEL } from '../../core/labels.ts'
import { placesOf } from '../../core/slots.ts'

const TYPE_LABELS = ['replica-type', 'tf-replica-type', 'training.kubeflow.org/replica-type']
const INDEX_LABELS = ['replica-index', 'tf-replica-index', 'training.kubeflow.org/replica-index']

export const podsOfJob = (uid: string | undefined): string => `${JOB_UID_LABEL}=${uid}`

/** `worker-1`; a pod that says nothing goes by its name. */
export function replicaOfPod({ metadata }: Pod): string {
  const labels = metadata?.labels ?? {}
  const first = (names: readonly string[]): string | undefined => names.map((name) => labels[name]).find(Boolean)
  const [type, index] = [first(TYPE_LABELS), first(INDEX_LABELS)]
  return type !== undefined && index !== undefined ? `${type.toLowerCase()}-${index}` : (metadata?.name ?? '')
}

/** Counting from 1. */
export function attemptOfPod({ metadata }: Pod): number {
  return Number(metadata?.annotations?.[ATTEMPT_ANNOTATION]) || 1
}

export interface ReplicaNames {
  /** In order of rank. */
  replicas: string[]
  /** Of a pod's name, also of one the job no longer has; undefined if it is not this job's. */
  replicaOf(podName: string): string | undefined
}

export function namesOfReplicas(model: JobModel): ReplicaNames {
  const places = placesOf(model)
  const known = new Map(places.map((place) => [place.podName, place.key]))
  const [first] = places
  const prefix = first?.podName.endsWith(first.key) ? first.podName.slice(0, -first.key.length) : undefined
  const types = new Set(model.roles.map((role) => role.type))
  return {
    replicas: places.map((place) => place.key),
    replicaOf: (podName) => {
      if (known.has(podName)) return known.get(podName)
      if (prefix === undefined || !podName.startsWith(prefix)) return undefined
      const key = podName.slice(prefix.length)
      return types.has(key.replace(/-\d+$/, '')) && /-\d+$/.test(key) ? key : undefined
    },
  }
}
