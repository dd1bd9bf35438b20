import { expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { TrainingJob } from '../api/types.ts'
import { buildPlan, FULL_CLUSTER } from './plan.ts'
import { read } from './read.ts'
import { settleReplicas } from './replicas.ts'
import { placesOf } from './slots.ts'
import { reachVerdict } from './verdict.ts'

const template = { spec: { containers: [{ name: 'c', image: 'i' }] } }

/** What is told when the worker, not the master, ends with 0. */
function toldAbout(restartPolicy: string) {
  const job = {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'PyTorchTrainingJob',
    metadata: { name: 'j', uid: 'u' },
    spec: {
      replicaSpecs: [
        { type: 'm', template },
        { type: 'w', template, restartPolicy },
      ],
    },
  } as unknown as TrainingJob
  const model = read(job)
  const places = placesOf(model)
  const worker = buildPlan(model).find(({ metadata }) => metadata.name === places[1]!.podName) as Pod
  const state = { terminated: { exitCode: 0, startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:09Z' } }
  const containerStatuses = [{ name: 'c', image: '', imageID: '', ready: false, restartCount: 0, state }]
  const pod = {
    ...worker,
    metadata: { ...worker.metadata, uid: 'p' },
    status: { phase: 'Succeeded', containerStatuses },
  }
  const observed = { status: {}, pods: [pod], services: [], nodes: new Map(), cluster: FULL_CLUSTER }
  const replicas = settleReplicas(places, {}, new Map([[places[1]!.podName, pod]]), observed, false, 0)
  return reachVerdict(model, {}, replicas, 0).reasons.map(({ event, quiet }) => [event, quiet ?? false])
}

test('a success gets an event only when the replica is run again', () => {
  expect(toldAbout('OnFailure')).toEqual([['ReplicaSucceeded', true]])
  expect(toldAbout('Always')).toEqual([
    ['ReplicaSucceeded', false],
    ['RestartReplica', false],
  ])
})
