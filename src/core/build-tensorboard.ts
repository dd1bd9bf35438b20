// The objects a job may bring along besides pods and Services: its PodGroup and its TensorBoard.
import { tensorboardName } from '../api/names.ts'
import type { KubeObject } from '../api/types.ts'
import type { JobModel } from './job-model.ts'
import { JOB_UID_LABEL, ownerOf } from './labels.ts'

export function buildPodGroup(model: JobModel, gang: NonNullable<JobModel['gang']>): KubeObject & { spec: object } {
  const { queue, priority, minMember } = gang
  return {
    apiVersion: 'scheduler.tensorstack.dev/v1beta1',
    kind: 'PodGroup',
    metadata: metadataOf(model, model.name),
    spec: { minMember, queue, priority },
  }
}

export function buildTensorBoard(
  model: JobModel,
  spec: NonNullable<JobModel['tensorboard']>,
): KubeObject & { spec: object } {
  return {
    apiVersion: 'tensorstack.dev/v1beta1',
    kind: 'TensorBoard',
    metadata: metadataOf(model, tensorboardName(model.name, model.hash)),
    spec,
  }
}

function metadataOf(model: JobModel, name: string): KubeObject['metadata'] {
  return {
    name,
    namespace: model.namespace,
    labels: { [JOB_UID_LABEL]: model.uid },
    ownerReferences: [ownerOf(model)],
  }
}
