import { expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { TrainingJob } from '../api/types.ts'
import { decide } from './decide.ts'
import { buildPlan, FULL_CLUSTER } from './plan.ts'
import { read } from './read.ts'

const model = read({
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'job', namespace: 'ns', uid: 'u', generation: 1 },
  spec: { replicaSpecs: [{ type: 'w', template: { spec: { containers: [{ name: 'train', image: 'i' }] } } }] },
} as unknown as TrainingJob)
const made = buildPlan(model).find(({ kind }) => kind === 'Pod') as Pod

function look(status: unknown, pods: Pod[]) {
  const nodes = new Map([['n', { ready: true, outOfService: false }]])
  return decide(model, { status, pods, services: [], nodes, cluster: FULL_CLUSTER }, 0).status
}

test.each([
  ['running', 'n', 'Running'],
  ['pending', 'n', 'Pending'],
  ['creating', undefined, 'Pending'],
  ['unknown', 'n', 'Unknown'],
])('%s: a pod that somebody deletes counts as what it was until it is gone', (count, nodeName, phase) => {
  const pod = {
    ...made,
    metadata: { ...made.metadata, uid: 'p' },
    spec: { ...made.spec!, nodeName },
    status: { phase },
  }
  const before = look(look(undefined, []), [pod])
  const leaving = { deletionTimestamp: '1970-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 }
  const status = look(before, [{ ...pod, metadata: { ...pod.metadata, ...leaving } }])
  expect(status).toMatchObject({ aggregate: { [count]: 1 } })
  expect(look(status, [])).toMatchObject({ aggregate: { creating: 1 } })
})
