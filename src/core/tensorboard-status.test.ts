import { expect, test } from 'vitest'
import type { DependentStatus, TensorBoard, TensorBoardStatus } from '../api/types.ts'
import type { Observed } from './decision.ts'
import { FULL_CLUSTER } from './plan.ts'
import { read } from './read.ts'
import { explainTensorBoard, tensorboardStatus } from './tensorboard-status.ts'

const model = read({
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'j', namespace: 'n', uid: 'u' },
  spec: {
    tensorboardSpec: { trainingLogFilesets: ['t9k://pvc/runs'] },
    replicaSpecs: [{ type: 'master', template: { spec: { containers: [{ name: 'pytorch', image: 'i' }] } } }],
  },
})

function statusOf(status: TensorBoardStatus, tensorboards = true): DependentStatus {
  const metadata = { name: 'j-12345', namespace: 'n', uid: 'b' }
  const board: TensorBoard = { apiVersion: 'tensorstack.dev/v1beta1', kind: 'TensorBoard', metadata, spec: {}, status }
  const cluster = { ...FULL_CLUSTER, tensorboards }
  const observed: Observed = {
    status: undefined,
    pods: [],
    services: [],
    nodes: new Map(),
    tensorboard: board,
    cluster,
  }
  return tensorboardStatus(model, observed, {})!
}

const notReady = (reason: string, message: string) =>
  statusOf({ phase: 'Pending', conditions: [{ type: 'Ready', status: 'False', reason, message }] })

test('what keeps a board from being ready is told in its own words, and only trouble is a warning', () => {
  expect(notReady('StartError', 'no program "tensorboard"')).toMatchObject({ type: 'Warning', ready: false })
  expect(notReady('StartError', 'no program "tensorboard"').note).toMatch(
    /^TensorBoard \[j-\w{5}\] is not ready: no program "tensorboard"$/,
  )
  expect(notReady('Starting', 'it is starting').type).toBe('Normal')
  expect(notReady('Paused', 'it is suspended').type).toBe('Normal')
  expect(statusOf({ phase: 'Failed' }).type).toBe('Warning')
  expect(statusOf({ phase: 'Running' })).toMatchObject({ type: 'Normal', ready: true, reason: 'DependentReady' })
})

test('one that is ready and reads places without credentials says so, once', () => {
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'NoCredentials',
    message: 'logDir.s3 names no secretRef',
  } as const
  const tensorboard = statusOf({ phase: 'Running', conditions: [ready] })
  expect(tensorboard).toMatchObject({ type: 'Warning', ready: true, reason: 'DependentReady' })
  expect(tensorboard.note).toMatch(/^TensorBoard \[j-\w{5}\] is ready, but logDir\.s3 names no secretRef$/)
  expect(explainTensorBoard({}, { tensorboard })).toMatchObject([{ event: 'TensorBoardWithoutCredentials' }])
  expect(explainTensorBoard({ tensorboard }, { tensorboard })).toEqual([])
})

test('trouble is told once for each cause', () => {
  const tensorboard = notReady('StartError', 'no program')
  const told = [{ type: 'Warning', event: 'TensorBoardNotReady', message: tensorboard.note }]
  expect(explainTensorBoard({}, { tensorboard })).toMatchObject(told)
  expect(explainTensorBoard({ tensorboard }, { tensorboard })).toEqual([])
  expect(explainTensorBoard({ tensorboard: notReady('X', 'another') }, { tensorboard })).toMatchObject(told)
  expect(explainTensorBoard({ tensorboard }, { tensorboard: statusOf({ phase: 'Running' }) })).toEqual([])
})
