import { expect, test } from 'vitest'
import type { TFJobStatus, TrainingJob } from '../../api/types.ts'
import { decide } from '../decide.ts'
import type { Trouble } from '../decision.ts'
import { FULL_CLUSTER } from '../plan.ts'
import { read } from '../read.ts'

const job = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'TFJob',
  metadata: { name: 'job', uid: 'u' },
  spec: {
    runPolicy: { schedulingPolicy: { queue: 'q' } },
    tfReplicaSpecs: { Worker: { template: { spec: { containers: [{ name: 'tensorflow', image: 'i' }] } } } },
  },
} as unknown as TrainingJob

function statusAfter(status: unknown, now: number, troubles: Trouble[]): TFJobStatus {
  const cluster = { ...FULL_CLUSTER, gangScheduler: undefined }
  return decide(read(job), { status, pods: [], services: [], nodes: new Map(), cluster, troubles }, now).status
}

test('what Kubeflow has no words for stands before its conditions, and keeps its time', () => {
  const taken: Trouble = {
    kind: 'Pod',
    name: 'job-worker-0',
    reason: 'NameTaken',
    message: 'pod job-worker-0 is not ours',
  }
  const first = statusAfter(undefined, 0, [taken])
  expect(first.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
    'GangScheduling=False',
    'NameTaken=True',
    'Created=True',
  ])
  const second = statusAfter(first, 60_000, [taken])
  expect(second.conditions).toEqual(first.conditions)
  const over = statusAfter(second, 120_000, [])
  expect(over.conditions?.[1]).toMatchObject({
    type: 'NameTaken',
    status: 'False',
    lastTransitionTime: '1970-01-01T00:02:00Z',
  })
})
