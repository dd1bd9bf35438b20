import type { OwnerReference } from '../../gen/kubernetes-types.ts'
import type { JobModel } from './job-model.ts'
import type { Place } from './slots.ts'

/** On every object of a job; all selectors use it, so that a job of the same name never finds another's pods. */
export const JOB_UID_LABEL = 'trainyard.dev/job-uid'
/** On every pod: which one of its replica it is, counting from 1. */
export const ATTEMPT_ANNOTATION = 'trainyard.dev/attempt'
export const GROUP_LABEL = 'scheduler.tensorstack.dev/group-name'
export const QUEUE_LABEL = 'scheduler.tensorstack.dev/queue'
export const ROLE_LABEL = 'scheduler.tensorstack.dev/role'

export function ownerOf(model: JobModel): OwnerReference {
  const { apiVersion, kind, name, uid } = model
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/** What finds one replica's pod: the labels its Service selects by. */
export function replicaLabels(model: JobModel, place: Place): Record<string, string> {
  const index = String(place.index)
  const uid = { [JOB_UID_LABEL]: model.uid }
  if (model.environment.framework !== 'tfjob') return { ...uid, 'replica-type': place.type, 'replica-index': index }
  if (model.environment.edition === 'v1') {
    return {
      ...uid,
      'training.kubeflow.org/operator-name': 'tfjob-controller',
      'training.kubeflow.org/job-name': model.name,
      'training.kubeflow.org/replica-type': place.type,
      'training.kubeflow.org/replica-index': index,
    }
  }
  return {
    ...uid,
    'group-name': 'kubeflow.org',
    'tf-job-name': model.name,
    'tf-replica-type': place.type,
    'tf-replica-index': index,
  }
}

export function podLabels(model: JobModel, place: Place): Record<string, string> {
  const labels = replicaLabels(model, place)
  if (isMaster(model, place)) labels[masterLabel(model)] = 'master'
  if (model.kind === 'TFJob') return labels
  labels['tensorstack.dev/owner-name'] = model.name
  labels['tensorstack.dev/component'] = model.kind.toLowerCase()
  labels['tensorstack.dev/component-type'] = 'user'
  if (model.kind === 'GenericJob') {
    labels.genericjob = model.name
    labels['genericjob-replica'] = place.host
  }
  return labels
}

export function isMaster(model: JobModel, place: Place): boolean {
  return model.master?.type === place.type && model.master.index === place.index
}

function masterLabel(model: JobModel): string {
  if (model.environment.framework !== 'tfjob') return 'job-role'
  return model.environment.edition === 'v1' ? 'training.kubeflow.org/job-role' : 'tf-job-role'
}
