// The TensorBoard that a job may bring along.
import { tensorboardName } from '../api/names.ts'
import type { KubeObject } from '../api/types.ts'
import type { JobModel } from './job-model.ts'
import { JOB_UID_LABEL, ownerOf } from './labels.ts'

export function buildTensorBoard(
  model: JobModel,
  spec: NonNullable<JobModel['tensorboard']>,
): KubeObject & { spec: object } {
  return {
    apiVersion: 'tensorstack.dev/v1beta1',
    kind: 'TensorBoard',
    metadata: {
      name: tensorboardName(model.name, model.hash),
      namespace: model.namespace,
      labels: { [JOB_UID_LABEL]: model.uid },
      ownerReferences: [ownerOf(model)],
    },
    spec,
  }
}
