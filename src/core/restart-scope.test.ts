// Under restartScope Job: what follows from a pod that somebody else is deleting.
import { expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { JobStatus, TrainingJob } from '../api/types.ts'
import { decide } from './decide.ts'
import { buildPlan, FULL_CLUSTER } from './plan.ts'
import { read } from './read.ts'

const NOW = Date.UTC(2026, 0, 1, 0, 1)
const second = (s: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, s)).toISOString()

function modelOf(restartScope: string) {
  const template = { spec: { containers: [{ name: 'train', image: 'i' }] } }
  return read({
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'PyTorchTrainingJob',
    metadata: { name: 'job', namespace: 'ns', uid: 'u', generation: 1 },
    spec: {
      runPolicy: { restartScope },
      replicaSpecs: [
        { type: 'm', template },
        { type: 'w', template },
      ],
    },
  } as unknown as TrainingJob)
}

/** The worker's pod is deleted at second 20, with 30 seconds to end; the master fails. */
function drain(restartScope: string, masterFailsAt: number) {
  const model = modelOf(restartScope)
  const observed = {
    services: [],
    nodes: new Map([['n', { ready: true, outOfService: false }]]),
    cluster: FULL_CLUSTER,
  }
  const [master, worker] = buildPlan(model)
    .filter(({ kind }) => kind === 'Pod')
    .map((pod, i) => ({
      ...pod,
      metadata: { ...pod.metadata, uid: `p${i}` },
      spec: { ...(pod as Pod).spec, nodeName: 'n' },
    }))
  const inState = (state: object) => ({ containerStatuses: [{ name: 'train', state }] })
  const running = { phase: 'Running', ...inState({ running: { startedAt: second(0) } }) }
  const failed = inState({ terminated: { exitCode: 1, startedAt: second(0), finishedAt: second(masterFailsAt) } })
  const before = decide(
    model,
    { ...observed, status: undefined, pods: [master, worker].map((pod) => ({ ...pod, status: running })) as Pod[] },
    NOW,
  )
  const leaving = { deletionTimestamp: second(50), deletionGracePeriodSeconds: 30 }
  const pods = [
    { ...master, status: { phase: 'Failed', ...failed } },
    { ...worker, metadata: { ...worker?.metadata, ...leaving }, status: running },
  ]
  return decide(model, { ...observed, status: before.status, pods: pods as Pod[] }, NOW).status as JobStatus
}

test('a failure after the deletion follows from it: all start anew, and nothing is spent', () => {
  const status = drain('Job', 22)
  expect(status).toMatchObject({ phase: 'Running', backoffCount: 0 })
  expect(status.tasks?.map(({ replicaStatus }) => replicaStatus[0])).toMatchObject([
    { uid: 'p0', replaces: 'p0', attempt: 2 },
    { uid: 'p1', replaces: 'p1', attempt: 2 },
  ])
})

test.each([
  ['before the deletion', 'Job', 18],
  ['under restartScope Replica', 'Replica', 22],
])('a failure %s is the replica’s own', (_, scope, at) => {
  expect(drain(scope, at)).toMatchObject({ phase: 'Failed' })
})
