import { expect, test } from 'vitest'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { AnyJob } from '../home/running-jobs.ts'
import { describeDelay, describeWaiting } from './waiting-words.ts'

const waiting = (message: string): Pod => ({
  status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] },
})
const placed: Pod = { status: { conditions: [{ type: 'PodScheduled', status: 'True' }] } }

test.each([
  [
    Array(5).fill('needs 2 CPU, 2 of 8 free; mnist-elastic holds 4, sweep-3 holds 2'),
    '5 pods need 10 CPU together, 2 of 8 are free; mnist-elastic holds 4, sweep-3 holds 2',
  ],
  [
    Array(3).fill('3 pods need 6 CPU together, 2 of 8 are free; a holds 6; 2nd of 3 in queue q, after b'),
    '3 pods need 6 CPU together, 2 of 8 are free; a holds 6; 2nd of 3 in queue q, after b',
  ],
  [Array(2).fill('queue q is closed; 1st of 1 in queue q'), 'queue q is closed; 1st of 1 in queue q'],
  [['needs 0.5 CPU, 1 of 8 free'], '1 pod needs 0.5 CPU, 1 of 8 is free'],
  [Array(2).fill('needs 512Mi memory, 100Mi of 1Gi free'), '2 pods need 1024Mi memory together, 100Mi of 1Gi are free'],
  [['0/6 nodes fit', '0/6 nodes fit', 'other'], '2 pods: 0/6 nodes fit; 1 pod: other'],
  [
    ['needs 2 CPU, 1 of 8 free', 'needs 1 GPU, 0 of 8 free'],
    '1 pod: needs 2 CPU, 1 of 8 free; 1 pod: needs 1 GPU, 0 of 8 free',
  ],
])('%j', (messages: string[], words) => {
  expect(describeWaiting([...messages.map(waiting), placed])).toBe(words)
})

test('an image that cannot be had', () => {
  const state = { waiting: { reason: 'ErrImagePull', message: 'nope:1: not found' } }
  const status = { name: 'c', image: 'nope:1', imageID: '', ready: false, restartCount: 0, state }
  const pod = { status: { ...placed.status, containerStatuses: [status] } }
  expect(describeWaiting([pod, pod])).toBe('2 pods: image nope:1 cannot be pulled: there is no such image')
})

test('pods that have a place wait for nothing', () => {
  expect(describeWaiting([placed, {}])).toBeUndefined()
})

test('pods that may not be made are waited for as well as those that cannot run', () => {
  const conditions = [
    { type: 'CreationRefused', status: 'True', message: 'Pod a could not be created: quota is used up' },
  ]
  const job = (phase: string) => ({ kind: 'GenericJob', status: { phase, conditions } }) as unknown as AnyJob
  expect(describeDelay(job('Pending'), [])).toBe('quota is used up')
  expect(describeDelay(job('Pending'), [waiting('0/3 nodes fit')])).toBe('quota is used up; 1 pod: 0/3 nodes fit')
  expect(describeDelay(job('Failed'), [waiting('0/3 nodes fit')])).toBeUndefined()
  expect(describeDelay({ kind: 'GenericJob' } as AnyJob, [])).toBeUndefined()
})
