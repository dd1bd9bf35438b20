import { expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { JobStatus, KubeObject, TrainingJob } from '../api/types.ts'
import { decide } from './decide.ts'
import type { Observed } from './decision.ts'
import { FULL_CLUSTER } from './plan.ts'
import { read } from './read.ts'

const job = {
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'pair', namespace: 'default', uid: 'u-1', generation: 1 },
  spec: {
    scheduler: { t9kScheduler: { queue: 'q' } },
    replicaSpecs: [{ type: 'worker', replicas: 2, template: { spec: { containers: [{ name: 'c', image: 'i' }] } } }],
  },
} as unknown as TrainingJob
const model = read(job)

function look(status: unknown, group?: { status: string; reason: string; message: string }): Observed {
  const conditions = group ? [{ type: 'GroupScheduled', ...group }] : []
  const podGroup = {
    kind: 'PodGroup',
    metadata: { name: 'pair', uid: 'g' },
    spec: { priority: 10, minMember: 2 },
    status: { conditions },
  }
  return {
    status,
    pods: [],
    services: [],
    nodes: new Map(),
    cluster: FULL_CLUSTER,
    podGroup: podGroup as object as KubeObject,
  }
}
const gangOf = (status: object) => (status as JobStatus).conditions?.find(({ type }) => type === 'GangScheduling')
const waits = { status: 'False', reason: 'QueueClosed', message: 'queue q is closed' }

test('a gang that never had to wait is not spoken of', () => {
  const placed = { status: 'True', reason: 'PodGroupScheduled', message: 'placed' }
  const { status, reasons } = decide(model, look(undefined, placed), 0)
  expect(gangOf(status)).toBeUndefined()
  expect(reasons.map(({ event }) => event)).not.toContain('GangScheduled')
})

test('why it waits is taken from its PodGroup, told once per reason, and over when it is placed', () => {
  const first = decide(model, look(undefined, waits), 0)
  expect(gangOf(first.status)).toMatchObject(waits)
  expect(first.reasons).toContainEqual(
    expect.objectContaining({ object: 'job', type: 'Warning', event: 'QueueClosed', message: 'queue q is closed' }),
  )
  const reworded = decide(model, look(first.status, { ...waits, message: 'still closed' }), 1_000)
  expect(gangOf(reworded.status)?.message).toBe('still closed')
  expect(reworded.reasons.map(({ event }) => event)).not.toContain('QueueClosed')
  const placed = { status: 'True', reason: 'PodGroupScheduled', message: 'placed' }
  const last = decide(model, look(reworded.status, placed), 2_000)
  expect(gangOf(last.status)).toMatchObject({ status: 'True', reason: 'PodGroupScheduled' })
  expect(last.reasons.map(({ event }) => event)).toContain('GangScheduled')
})

test('a gang does not wait for replicas of which no pod will ever be seen again', () => {
  const { status } = decide(model, { ...look(undefined), podGroup: undefined }, 0)
  const before = status as JobStatus
  const replicaStatus = before.tasks![0]!.replicaStatus.map((entry, i) => {
    return i === 1 ? { ...entry, uid: 'gone', phase: 'Succeeded' as const } : entry
  })
  const resumed = { ...before, tasks: [{ ...before.tasks![0]!, replicaStatus }] }
  const { actions } = decide(model, { ...look(resumed), podGroup: undefined }, 1_000)
  const group = actions.find((action) => action.verb === 'create' && action.kind === 'PodGroup')
  expect(group).toMatchObject({ object: { spec: { minMember: 1 } } })
})

test('the clock of the deadline waits for the gang, also for the one that is made anew after a pause', () => {
  const placed = { status: 'True', reason: 'PodGroupScheduled', message: 'placed' }
  const started = decide(model, look(undefined, waits), 0)
  expect(started.status).not.toHaveProperty('activeSince')
  const [pod] = started.actions.flatMap((action) =>
    action.verb === 'create' && action.kind === 'Pod' ? action.object : [],
  )
  const onNode = { ...pod, metadata: { ...pod?.metadata, uid: 'p' }, spec: { ...(pod as Pod).spec, nodeName: 'n' } }
  const running = decide(model, { ...look(started.status, placed), pods: [onNode as Pod] }, 10_000)
  expect(running.status).toHaveProperty('activeSince')

  const leaving = { ...onNode, metadata: { ...onNode.metadata, deletionTimestamp: '1970-01-01T00:01:00Z' } } as Pod
  const paused = decide({ ...model, paused: true }, { ...look(running.status), pods: [leaving] }, 20_000)
  const resumed = decide(model, { ...look(paused.status, waits), pods: [leaving] }, 30_000)
  expect(resumed.status).toMatchObject({ phase: 'Resuming', activeSeconds: 10 })
  expect(resumed.status).not.toHaveProperty('activeSince')
})
