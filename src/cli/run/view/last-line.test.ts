import { expect, test } from 'vitest'
import type { Pod } from '../../../../gen/kubernetes-types.ts'
import type { TrainingJob } from '../../../api/types.ts'
import { read } from '../../../core/read.ts'
import { placesOf } from '../../../core/slots.ts'
import { lastLineOf } from './last-line.ts'
import { hindrance, type Replica, waitsFor } from './replica-view.ts'

const template = { spec: { containers: [{ name: 'train', image: 'node:24-alpine' }] } }
const job = {
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'digits', namespace: 'default', uid: 'u' },
  spec: { replicaSpecs: [{ type: 'master', template }] },
} as TrainingJob
const [place] = placesOf(read(job))

function lastLine(state: Replica['state'], pod: Pod): string {
  const words = waitsFor(pod) ?? hindrance(pod)
  return lastLineOf({ place: place!, pod, state, since: 0, lines: [], ...(words && { waitsFor: words }) })
}

function starting(status: object, waiting: object): Pod {
  const container = { name: 'train', image: 'node:24-alpine', imageID: '', ready: false, restartCount: 0 }
  const containerStatuses = [{ ...container, state: { waiting } }]
  return { spec: { nodeName: 'lab-3', containers: [] }, status: { phase: 'Pending', containerStatuses, ...status } }
}

test('on a node of a cluster the image comes first', () => {
  const pod = starting({ hostIP: '10.0.0.3' }, { reason: 'ContainerCreating' })
  expect(lastLine('Starting', pod)).toBe('pulling node:24-alpine on node lab-3')
})

test('on this machine there is none to wait for', () => {
  expect(lastLine('Starting', starting({ hostIP: '127.0.0.1' }, { reason: 'ContainerCreating' }))).toBe('')
  expect(lastLine('Starting', starting({}, { reason: 'ContainerCreating' }))).toBe('')
})

test('an image that does not come is said in words', () => {
  const pod = starting({ hostIP: '10.0.0.3' }, { reason: 'ImagePullBackOff', message: 'Back-off: not found' })
  expect(lastLine('Starting', pod)).toBe('image node:24-alpine cannot be pulled: there is no such image')
})

test('a pod that fits nowhere says why', () => {
  const message =
    '0/6 nodes are available: 4 Insufficient memory, 2 node(s) had untolerated taint {gpu: only}. preemption: none.'
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }]
  expect(lastLine('Pending', { status: { conditions } })).toBe('0/6 nodes fit: 4 too little memory, 2 tainted gpu=only')
})
