import { expect, test } from 'vitest'
import type { PyTorchTrainingJob } from '../../api/types.ts'
import { read } from '../../core/read.ts'
import type { AnyJob } from '../home/running-jobs.ts'
import { wordFor } from './apply.ts'
import { noSuchJob } from './find-job.ts'
import { fullName } from './output-form.ts'
import { namesOfReplicas, replicaOfPod } from './replica-of-pod.ts'
import { decideScale, describeChange } from './scale.ts'
import { judgeAim } from './wait.ts'

const elastic = (expectedReplicas: number, phase = 'Running') =>
  ({
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'PyTorchTrainingJob',
    metadata: { name: 'mnist', namespace: 'default', uid: 'u' },
    spec: {
      replicaSpecs: [{ type: 'worker', template: { spec: { containers: [{ name: 'python' }] } } }],
      torchrunConfig: { enable: true },
      elastic: { enable: true, minReplicas: 1, maxReplicas: 6, expectedReplicas },
    },
    status: { phase },
  }) as unknown as AnyJob
const inPhase = (phase: string) => elastic(2, phase)

test.each([
  ['Succeeded', 'Running', undefined],
  ['Succeeded', 'Succeeded', 'yes'],
  ['Succeeded', 'Failed', 'no'],
  ['Failed', 'Failed', 'yes'],
  ['Running', 'Paused', undefined],
  ['Running', 'Succeeded', 'no'],
  ['Finished', 'Failed', 'yes'],
  ['Deleted', 'Succeeded', undefined],
] as const)('waiting for %s, a job that is %s: %s', (aim, phase, verdict) => {
  expect(judgeAim(aim, inPhase(phase))).toBe(verdict)
})

test('a job that is gone is deleted and nothing else', () => {
  expect(judgeAim('Deleted', undefined)).toBe('yes')
  expect(judgeAim('Succeeded', undefined)).toBe('no')
})

test.each([
  [9, 'Running', 'mnist: 9 is more than spec.elastic.maxReplicas (6)'],
  [0, 'Running', 'mnist: 0 is less than spec.elastic.minReplicas (1)'],
  [4, 'Failed', 'mnist has Failed; a finished job cannot be scaled'],
])('scaling to %i a job that is %s is refused', (nodes, phase, words) => {
  expect(() => decideScale(elastic(2, phase), nodes)).toThrow(words)
})

test('a job that is not elastic keeps its size', () => {
  const job = elastic(2)
  ;(job as PyTorchTrainingJob).spec.torchrunConfig = { enable: false }
  expect(() => decideScale(job, 3)).toThrow(
    'mnist is not elastic; spec.elastic.enable and torchrun are needed to change its size',
  )
})

test('who joined and who left is told by name', () => {
  const change = (from: number, to: number) =>
    describeChange(elastic(from) as PyTorchTrainingJob, elastic(to) as PyTorchTrainingJob)
  expect(change(2, 4)).toBe('worker-2, worker-3 joined')
  expect(change(2, 1)).toBe('worker-1 left')
})

test('a wrong name is answered with the right ones', () => {
  expect(noSuchJob('nothing', 'namespace default', ['train', 'digits'])).toBe(
    'no job "nothing" in namespace default; there are digits, train',
  )
  expect(noSuchJob('a', 'namespace b', ['only'])).toBe('no job "a" in namespace b; there is only')
  expect(noSuchJob('a', 'namespace b', [])).toBe('no job "a" in namespace b; there are none')
  const many = Array.from({ length: 25 }, (_, i) => `job-${String(i).padStart(2, '0')}`)
  expect(noSuchJob('a', 'namespace b', many)).toMatch(/job-19 and 5 more$/)
})

test('names are those of kubectl', () => {
  expect(fullName(elastic(2))).toBe('pytorchtrainingjob.batch.tensorstack.dev/mnist')
  expect(fullName({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'code' } })).toBe('configmap/code')
})

test.each([
  [{ 'replica-type': 'worker', 'replica-index': '1' }],
  [{ 'tf-replica-type': 'Worker', 'tf-replica-index': '1' }],
  [{ 'training.kubeflow.org/replica-type': 'worker', 'training.kubeflow.org/replica-index': '1' }],
])('a pod labelled %j is worker-1', (labels) => {
  expect(replicaOfPod({ metadata: { name: 'x', labels } })).toBe('worker-1')
})

test('a pod that the job no longer has is still known by its name', () => {
  const { replicas, replicaOf } = namesOfReplicas(read(elastic(2)))
  expect(replicas).toEqual(['worker-0', 'worker-1'])
  const { hash } = read(elastic(2))
  expect(replicaOf(`mnist-${hash}-worker-1`)).toBe('worker-1')
  expect(replicaOf(`mnist-${hash}-worker-5`)).toBe('worker-5')
  expect(replicaOf(`mnist-${hash}-debug`)).toBeUndefined()
  expect(replicaOf('other-worker-1')).toBeUndefined()
})

test('what apply did is told by the versions before and after', () => {
  const version = (resourceVersion: string, uid = 'u') => ({ ...elastic(2), metadata: { uid, resourceVersion } })
  expect(wordFor(undefined, version('1'))).toBe('created')
  expect(wordFor(version('1'), version('2'))).toBe('configured')
  expect(wordFor(version('2'), version('2'))).toBe('unchanged')
  expect(wordFor(version('1', 'old'), version('2'))).toBe('created')
})
