// The record and the pods come by different ways: either may be older than the other.
import { expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { JobStatus, TrainingJob } from '../api/types.ts'
import { decide } from './decide.ts'
import { buildPlan, FULL_CLUSTER } from './plan.ts'
import { read } from './read.ts'

const template = { spec: { containers: [{ name: 'train', image: 'i' }] } }
const job = {
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'job', namespace: 'ns', uid: 'u', generation: 1 },
  spec: {
    replicaSpecs: [
      { type: 'm', template },
      { type: 'w', restartPolicy: 'OnFailure', template },
    ],
  },
} as unknown as TrainingJob

const model = read(job)
const made = buildPlan(model).filter(({ kind }) => kind === 'Pod') as Pod[]
const NOW = Date.UTC(2026, 0, 1)

function pod(index: number, uid: string, attempt: number, exitCode?: number): Pod {
  const fresh = made[index]!
  const terminated = { exitCode: exitCode ?? 0, startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:05Z' }
  const state = exitCode === undefined ? { running: { startedAt: '2026-01-01T00:00:00Z' } } : { terminated }
  return {
    ...fresh,
    metadata: { ...fresh.metadata, uid, annotations: { 'trainyard.dev/attempt': String(attempt) } },
    spec: { ...fresh.spec!, nodeName: 'n' },
    status: {
      phase: exitCode === undefined ? 'Running' : exitCode === 0 ? 'Succeeded' : 'Failed',
      containerStatuses: [{ name: 'train', image: '', imageID: '', ready: true, restartCount: 0, state }],
    },
  }
}

const observed = (status: unknown, pods: Pod[]) => ({
  status,
  pods,
  services: [],
  nodes: new Map([['n', { ready: true, outOfService: false }]]),
  cluster: FULL_CLUSTER,
})
const deedsOn = (decision: ReturnType<typeof decide>, name: string) =>
  decision.actions.filter(
    (a) => (a.verb === 'create' && a.object.metadata.name === name) || (a.verb === 'delete' && a.name === name),
  )
const workerOf = (decision: ReturnType<typeof decide>) => (decision.status as JobStatus).tasks![1]!.replicaStatus[0]!

const worker = made[1]!.metadata!.name!
const granted = decide(
  model,
  observed(decide(model, observed(undefined, []), NOW).status, [pod(0, 'm1', 1), pod(1, 'w1', 1, 1)]),
  NOW,
)

test('a failure is counted with the mark that keeps it from being counted again', () => {
  expect(workerOf(granted)).toMatchObject({ uid: 'w1', replaces: 'w1', attempt: 2, restartCount: 1 })
  const again = decide(model, observed(granted.status, [pod(0, 'm1', 1), pod(1, 'w1', 1, 1)]), NOW)
  expect((again.status as JobStatus).backoffCount).toBe(1)
})

test('an old pod seen again after its successor was recorded is not counted and nothing is made anew', () => {
  const later = decide(model, observed(granted.status, [pod(0, 'm1', 1), pod(1, 'w2', 2)]), NOW)
  expect(workerOf(later)).toMatchObject({ uid: 'w2', replaces: 'w1', attempt: 2 })
  const stale = decide(model, observed(later.status, [pod(0, 'm1', 1), pod(1, 'w1', 1, 1)]), NOW)
  expect((stale.status as JobStatus).backoffCount).toBe(1)
  expect(workerOf(stale)).toMatchObject({ uid: 'w2', attempt: 2 })
  expect(deedsOn(stale, worker)).toEqual([{ verb: 'delete', kind: 'Pod', name: worker, uid: 'w1', replica: 'w-0' }])
})

test('a pod that is further than the record is left alone', () => {
  const ahead = decide(model, observed(granted.status, [pod(0, 'm1', 1), pod(1, 'w3', 3)]), NOW)
  expect(deedsOn(ahead, worker)).toEqual([])
})

test('a finished job’s stray pod goes, under any clean-up policy', () => {
  const done = decide(model, observed(granted.status, [pod(0, 'm1', 1, 0), pod(1, 'w2', 2)]), NOW)
  expect((done.status as JobStatus).phase).toBe('Succeeded')
  expect(deedsOn(done, worker)).toEqual([])
  const stray = decide(model, observed(done.status, [pod(0, 'm1', 1, 0), pod(1, 'w9', 3)]), NOW)
  expect(deedsOn(stray, worker)).toEqual([{ verb: 'delete', kind: 'Pod', name: worker, uid: 'w9' }])
})

// A job that was made smaller forgets the replicas it gave up; their pods may still be there when it is made larger again.
const smaller = (status: object): JobStatus => {
  const { tasks, ...rest } = status as JobStatus
  return { ...rest, tasks: tasks!.map((task) => (task.type === 'w' ? { ...task, replicaStatus: [] } : task)) }
}

test('a replica that comes back goes on with the pod it still has, whichever attempt that is', () => {
  const back = decide(model, observed(smaller(granted.status), [pod(0, 'm1', 1), pod(1, 'w2', 2)]), NOW)
  expect(workerOf(back)).toMatchObject({ uid: 'w2', phase: 'Running', attempt: 2 })
  expect(deedsOn(back, worker)).toEqual([])
})

test.each([1, 2])('a pod of attempt %i that its replica left behind is awaited, and nobody’s loss', (attempt) => {
  const left = pod(1, 'w1', attempt)
  Object.assign(left.metadata!, { deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 })
  const first = decide(model, observed(smaller(granted.status), [pod(0, 'm1', 1), left]), NOW)
  const waiting = decide(model, observed(first.status, [pod(0, 'm1', 1), left]), NOW)
  expect([...deedsOn(first, worker), ...deedsOn(waiting, worker)]).toEqual([])
  const gone = decide(model, observed(waiting.status, [pod(0, 'm1', 1)]), NOW)
  expect(deedsOn(gone, worker)).toMatchObject([{ verb: 'create', kind: 'Pod' }])
  expect(gone.reasons.map(({ event }) => event)).not.toContain('ReplicaLost')
  expect(workerOf(gone).setbacks).toBeUndefined()
})
