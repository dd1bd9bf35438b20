import { expect, test } from 'vitest'
import type { TrainingJob } from '../api/types.ts'
import { buildPlan } from './plan.ts'
import { read } from './read.ts'

const job = {
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'digits', namespace: 'default', uid: 'u-1', generation: 1 },
  spec: {
    replicaSpecs: [
      {
        type: 'master',
        restartPolicy: 'OnFailure',
        template: { spec: { containers: [{ name: 'train', image: 'i', command: ['node', 'train.mjs'] }] } },
      },
      {
        type: 'worker',
        replicas: 2,
        restartPolicy: 'OnFailure',
        template: { spec: { containers: [{ name: 'train', image: 'i' }] } },
      },
    ],
  },
} as unknown as TrainingJob

test('a fresh job gets its service and its pods, master first', () => {
  const objects = buildPlan(read(job))
  expect(objects.map((o) => `${o.kind} ${o.metadata.name?.replace(/-[0-9a-f]{5}-/, '-*-')}`)).toEqual([
    'Service digits-*-peers',
    'Pod digits-*-master-0',
    'Pod digits-*-worker-0',
    'Pod digits-*-worker-1',
  ])
})
