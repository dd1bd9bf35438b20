import { expect, test } from 'vitest'
import type { Deployment, Pod, PodStatus } from '../../../gen/kubernetes-types.ts'
import type { KubeObject, TensorBoard, TensorBoardSpec } from '../../api/types.ts'
import { type BoardView, decideBoard } from './decide-board.ts'

const NOW = Date.parse('2026-05-01T10:00:00Z')
const ON_CLUSTER: BoardView = { deployments: true, pods: [] }
const ALONE: BoardView = { deployments: false, pods: [] }

function board(spec: TensorBoardSpec = { trainingLogFilesets: ['t9k://pvc/runs/a'] }, generation = 1): TensorBoard {
  return {
    apiVersion: 'tensorstack.dev/v1beta1',
    kind: 'TensorBoard',
    metadata: { name: 'b', namespace: 'n', uid: 'u', generation },
    spec,
  }
}

/** What the first look makes, as the cluster would show it. */
function made(view: BoardView, of = board()): KubeObject[] {
  return decideBoard(of, view, NOW).actions.map(({ object }) => object)
}

function running(status: PodStatus): BoardView {
  const [pod] = made(ALONE) as Array<Pod & KubeObject>
  return { ...ALONE, pods: [{ ...pod!, metadata: { ...pod!.metadata, uid: 'p' }, status }] }
}

const ready: PodStatus = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }

test('a Deployment behind a Service where the cluster runs Deployments, else a pod by itself', () => {
  expect(made(ON_CLUSTER).map(({ kind }) => kind)).toEqual(['Service', 'Deployment'])
  expect(made(ALONE).map(({ kind }) => kind)).toEqual(['Pod'])
  for (const { metadata } of [...made(ON_CLUSTER), ...made(ALONE)]) {
    expect(metadata).toMatchObject({ name: 'b', namespace: 'n', ownerReferences: [{ uid: 'u', controller: true }] })
  }
})

test('it reads all places, claims read-only, secrets as environment, in its queue, image and resources', () => {
  const spec: TensorBoardSpec = {
    logDir: {
      pvc: [{ name: 'runs', subPath: ['a', 'b'] }],
      s3: { secretRef: { name: 'keys' }, uri: ['s3://bucket/c'] },
    },
    image: 'mine',
    resources: { limits: { cpu: '2' } },
    scheduler: { t9kScheduler: { queue: 'team' } },
  }
  const [pod] = made(ALONE, board(spec)) as Array<Pod & KubeObject>
  const [container] = pod!.spec!.containers
  expect(container).toMatchObject({
    image: 'mine',
    resources: { limits: { cpu: '2' } },
    envFrom: [{ secretRef: { name: 'keys' } }],
    volumeMounts: [{ mountPath: '/logs/runs', readOnly: true }],
  })
  expect(container!.args![0]).toBe('--logdir_spec=0-a:/logs/runs/a,1-b:/logs/runs/b,2-c:s3://bucket/c')
  expect(pod!.spec).toMatchObject({
    schedulerName: 't9k-scheduler',
    volumes: [{ persistentVolumeClaim: { claimName: 'runs' } }],
  })
  expect(pod!.metadata.labels).toMatchObject({ 'scheduler.tensorstack.dev/queue': 'team' })
})

test('it is Running only when it answers, and says since when', () => {
  const starting = decideBoard(board(), running({ phase: 'Running' }), NOW).status
  expect(starting).toMatchObject({
    phase: 'Pending',
    conditions: [{ type: 'Ready', status: 'False', reason: 'Starting' }],
  })
  const first = decideBoard(board(), running(ready), NOW)
  expect(first.actions).toEqual([])
  expect(first.status).toMatchObject({
    phase: 'Running',
    pod: { reference: { name: 'b', uid: 'p' }, phase: 'Running' },
  })
  const later = decideBoard({ ...board(), status: first.status }, running(ready), NOW + 60_000)
  expect(later.status).toEqual(first.status)
})

const RUNTIME = 'failed to create containerd task: exec: "tensorboard": executable file not found in $PATH: unknown'

test.each<[string, PodStatus, string, string]>([
  [
    'a program that is not there',
    { containerStatuses: [container({ waiting: { reason: 'CrashLoopBackOff' } }, 127, 'no program "tensorboard"')] },
    'StartError',
    'no program "tensorboard"',
  ],
  [
    'a program that is not in the image',
    { containerStatuses: [container({ waiting: { reason: 'RunContainerError', message: RUNTIME } })] },
    'StartError',
    'image mine has no program "tensorboard"',
  ],
  [
    'an image that cannot be had',
    { containerStatuses: [container({ waiting: { reason: 'ImagePullBackOff', message: 'mine: not found' } })] },
    'ImageNotPulled',
    'image mine cannot be pulled: there is no such image',
  ],
  [
    'a Secret that is not there',
    { containerStatuses: [container({ waiting: { reason: 'CreateContainerConfigError', message: 'no keys' } })] },
    'CannotStart',
    'no keys',
  ],
  [
    'no room',
    { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no claim runs' }] },
    'Unschedulable',
    'no claim runs',
  ],
])('%s is told', (_, status, reason, message) => {
  const [condition] = decideBoard(board(), running(status), NOW).status.conditions!
  expect(condition).toMatchObject({ status: 'False', reason, message })
})

test('places that are read without credentials are told while it runs', () => {
  const of = board({ logDir: { s3: { uri: ['s3://b/c'] }, http: { url: ['http://h/'] } } })
  const { phase, conditions } = decideBoard(of, running(ready), NOW).status
  expect(phase).toBe('Running')
  const message = expect.stringMatching(/^logDir\.s3 names no secretRef, .*; logDir\.http has no credentials, /)
  expect(conditions![0]).toMatchObject({ status: 'True', reason: 'NoCredentials', message })
  const signed = board({ logDir: { s3: { uri: ['s3://b/c'], secretRef: { name: 'keys' } } } })
  expect(decideBoard(signed, running(ready), NOW).status.conditions![0]).toMatchObject({ reason: 'Serving' })
})

test.each<[TensorBoardSpec, string, string]>([
  [{ trainingLogFilesets: ['t9k://pvc/runs'], suspend: true }, 'Paused', 'Paused'],
  [{ trainingLogFilesets: ['t9k://pvc/runs'], runMode: 'paused' }, 'Paused', 'Paused'],
  [{ trainingLogFilesets: ['nowhere'] }, 'Failed', 'InvalidLogDir'],
])('%j: nothing runs, %s', (spec, phase, reason) => {
  const [, deployment] = made(ON_CLUSTER) as [KubeObject, Deployment & KubeObject]
  const decision = decideBoard(board(spec), { ...ON_CLUSTER, deployment }, NOW)
  expect(decision.actions).toEqual([{ verb: 'delete', kind: 'Deployment', object: deployment }])
  expect(decision.status).toMatchObject({ phase, conditions: [{ reason }] })
})

test('what was made from a former spec, and a pod that has ended, make room for a new one', () => {
  const { pods } = running(ready)
  const changed = decideBoard(board(undefined, 2), { ...ALONE, pods }, NOW)
  expect(changed.actions).toEqual([{ verb: 'delete', kind: 'Pod', object: pods[0] }])
  expect(decideBoard(board(), running({ phase: 'Failed' }), NOW).actions).toMatchObject([
    { verb: 'delete', kind: 'Pod' },
  ])
  const going = [{ ...pods[0]!, metadata: { ...pods[0]!.metadata, deletionTimestamp: '2026-05-01T10:00:00Z' } }]
  expect(decideBoard(board(undefined, 2), { ...ALONE, pods: going }, NOW).actions).toEqual([])
})

test('a name that is taken is told', () => {
  const { status } = decideBoard(board(), { ...ALONE, taken: 'a Pod b is there already' }, NOW)
  expect(status).toMatchObject({
    phase: 'Failed',
    conditions: [{ reason: 'NameTaken', message: 'a Pod b is there already' }],
  })
})

function container(state: object, exitCode?: number, message?: string) {
  const ended = exitCode === undefined ? {} : { lastState: { terminated: { exitCode, reason: 'StartError', message } } }
  return { name: 'tensorboard', image: 'mine', imageID: '', ready: false, restartCount: 0, state, ...ended }
}
