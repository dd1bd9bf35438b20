import { hostName, podName } from '../api/names.ts'
import type { JobModel, Role, Slot } from './job-model.ts'

/** A replica the job should have, with what follows from its place. */
export interface Place extends Slot {
  role: Role
  /** Over all roles, in their order. */
  rank: number
  /** `worker-1`: how users know it, and its key in maps. */
  key: string
  podName: string
  host: string
}

export function slotKey(slot: Slot): string {
  return `${slot.type}-${slot.index}`
}

/** All replicas in order of rank. */
export function placesOf(model: JobModel): Place[] {
  const places: Place[] = []
  for (const role of model.roles) {
    for (let index = 0; index < role.replicas; index++) {
      places.push({
        type: role.type,
        index,
        role,
        rank: places.length,
        key: `${role.type}-${index}`,
        podName: podName(model.kind, model.name, model.hash, role.type, index),
        host: hostName(model.name, role.type, index),
      })
    }
  }
  return places
}

/** Pods are made in this order: the deciding replica first, TFJob's types as Kubeflow lists them, else by rank. */
export function creationOrder(model: JobModel, places: readonly Place[]): Place[] {
  const turn = (place: Place): number => {
    if (model.master && place.type === model.master.type && place.index === model.master.index) return -1
    return model.kind === 'TFJob' ? TF_ORDER.indexOf(place.type) : 0
  }
  return [...places].sort((a, b) => turn(a) - turn(b) || a.rank - b.rank)
}

const TF_ORDER = ['chief', 'master', 'worker', 'ps', 'evaluator']

export function countReplicas(model: JobModel): number {
  return model.roles.reduce((sum, role) => sum + role.replicas, 0)
}
