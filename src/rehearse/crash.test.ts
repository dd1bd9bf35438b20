import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TrainingJob } from '../api/types.ts'
import { castOf } from './cast.ts'
import { describeDifferences } from './compare-endings.ts'
import { readScript } from './read-script.ts'
import { type RehearsalResult, rehearse, type Script, type ScriptEvent } from './rehearse.ts'
import { simulate } from './simulation.ts'

const template = { spec: { containers: [{ name: 'tensorflow', image: 'i', command: ['train'] }] } }
const group = 'batch.tensorstack.dev/v1beta1'

const jobs: TrainingJob[] = [
  {
    apiVersion: group,
    kind: 'PyTorchTrainingJob',
    metadata: { name: 'p' },
    spec: {
      scheduler: { t9kScheduler: { queue: 'q' } },
      runPolicy: { cleanUpPolicy: 'All', restartScope: 'Job' },
      replicaSpecs: [{ type: 'worker', replicas: 3, restartPolicy: 'OnFailure', template }],
    },
  },
  {
    apiVersion: group,
    kind: 'TensorFlowTrainingJob',
    metadata: { name: 't' },
    spec: {
      runPolicy: { cleanUpPolicy: 'Unfinished', activeDeadlineSeconds: 45 },
      replicaSpecs: [{ type: 'worker', replicas: 3, restartPolicy: 'ExitCode', template }],
    },
  },
  {
    apiVersion: group,
    kind: 'GenericJob',
    metadata: { name: 'g' },
    spec: {
      successRules: [{ worker: ['*'] }],
      failureRules: [{ worker: [0] }],
      service: {},
      ttlSecondsAfterFinished: 20,
      replicaSpecs: [{ type: 'worker', replicas: 3, restartPolicy: { policy: 'OnFailure', limit: 2 }, template }],
    },
  },
  {
    apiVersion: 'kubeflow.org/v1beta2',
    kind: 'TFJob',
    metadata: { name: 'k' },
    spec: { backoffLimit: 2, tfReplicaSpecs: { Worker: { replicas: 3, restartPolicy: 'OnFailure', template } } },
  },
] as TrainingJob[]

const anyReplica = fc.constantFrom('worker-0', 'worker-1', 'worker-2')
const anyDeed: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.record({ replica: anyReplica, exit: fc.constantFrom(0, 1, 137) }),
  fc.record({ replica: anyReplica, evict: fc.constant(true) }),
  fc.record({ replica: anyReplica, delete: fc.constant(true) }),
  // One at a time: under restartScope Job the second of two losses is a consequence if it is seen later, and delays less.
  fc.record({ node: fc.constant('lost'), replicas: fc.tuple(anyReplica) }),
  fc.record({ pause: fc.boolean() }),
  fc.record({ garbageCollect: anyReplica }),
  fc.record({ capacity: fc.integer({ min: 1, max: 3 }) }),
)
const anyMoment = fc.integer({ min: 0, max: 40 })

test('whether the write under way was done or lost makes no difference, for any job and any moment', () => {
  let crashes = 0
  const anyEvents = fc.array(fc.tuple(anyMoment, anyDeed), { maxLength: 5 })
  const anyCrashes = fc.uniqueArray(anyMoment, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(...jobs), anyEvents, anyCrashes, (job, events, moments) => {
      const crash = (at: number): ScriptEvent => ({ at: `${at}s`, controller: 'crash' })
      const deeds = events.map(([at, deed]) => ({ at: `${at}s`, ...deed }) as ScriptEvent)
      const script: Script = { defaults: { exitAfter: '30s' }, events: [...moments.map(crash), ...deeds], until: '1h' }
      // Throws where the two differ.
      const result = rehearse(job, script)
      crashes += result.timeline.filter((entry) => entry.event === 'Crashed').length
      // Nor does a crash make any difference to how the job ends.
      const calm = rehearse(job, { ...script, events: deeds })
      expect({ phase: result.phase, replicas: result.replicas.map(({ attempts }) => attempts.length) }).toEqual({
        phase: calm.phase,
        replicas: calm.replicas.map(({ attempts }) => attempts.length),
      })
    }),
    { numRuns: 150 },
  )
  expect(crashes).toBeGreaterThan(100)
}, 300_000)

test('a crash while several lost pods are forced out', () => {
  const lost: ScriptEvent = { at: '5s', node: 'lost', replicas: ['worker-0', 'worker-1', 'worker-2'] }
  const result = rehearse(jobs[1]!, {
    defaults: { exitAfter: '30s' },
    events: [{ at: '5s', controller: 'crash' }, lost],
  })
  expect(result.phase).toBe('Succeeded')
  expect(result.replicas.map(({ attempts }) => attempts.length)).toEqual([2, 2, 2])
})

test('the write under way is done in one run and lost in the other', () => {
  const script = {
    events: [
      { at: '5s', controller: 'crash' },
      { at: '6s', replica: 'worker-0', exit: 1 },
    ],
  }
  const { play } = readScript(script as Script, castOf(jobs[0]!, {}))
  const events = (inFlight: 'done' | 'lost'): string[] =>
    simulate({ ...jobs[0]!, metadata: { name: 'p', uid: 'u' } } as TrainingJob, 0, play, inFlight).timeline.map(
      ({ event }) => event,
    )
  expect(events('done').slice(2, 5)).toEqual(['Failed', 'Restarted', 'Crashed'])
  expect(events('lost').slice(2, 5)).toEqual(['Crashed', 'Failed', 'Restarted'])
})

test('a crash is in the timeline, with what was under way', () => {
  const result = rehearse(jobs[0]!, { events: [{ at: '0s', controller: 'crash' }] })
  expect(result.timeline.find((entry) => entry.event === 'Crashed')).toMatchObject({
    at: 0,
    object: 'job',
    message: 'the controller died while it was to create Service p-1a88e-peers, and started again',
  })
})

test('a crash without a write after it has no effect and says so', () => {
  const result = rehearse(jobs[0]!, { events: [{ at: '300s', controller: 'crash' }] })
  expect(result.timeline.at(-1)).toMatchObject({ event: 'NoEffect' })
})

test('endings that differ are told apart, moments aside', () => {
  const result = (): RehearsalResult => structuredClone({ ...rehearse(jobs[0]!), scene: undefined }) as never
  const other = (change: (result: RehearsalResult) => void): string[] => {
    const changed = result()
    change(changed)
    return describeDifferences(result(), changed)
  }
  expect(other(() => {})).toEqual([])
  expect(other((r) => Object.assign(r.status, { completionTime: '2026-01-01T00:09:00Z' }))).toEqual([])
  expect(other((r) => Object.assign(r, { phase: 'Failed' }))).toEqual(['phase Succeeded or Failed'])
  expect(other((r) => Object.assign(r.status, { backoffCount: 9 }))).toEqual(['another status.backoffCount'])
  expect(other((r) => r.replicas[0]!.attempts.pop())).toEqual(['worker-0 has 1 or 0 attempts'])
  expect(other((r) => Object.assign(r.replicas[0]!.attempts[0]!, { exitCode: 1 }))).toEqual([
    'the attempts of worker-0 end differently',
  ])
  expect(other((r) => r.objects.pop())).toEqual(['other objects are left'])
})

test('how a replica ended after the job is recorded before its pod goes for the sake of its sidecar', () => {
  const sidecar = { name: 'sidecar', image: 'i' }
  const job = {
    ...jobs[0]!,
    spec: {
      replicaSpecs: [
        { type: 'master', template },
        { type: 'worker', template: { spec: { containers: [...template.spec.containers, sidecar] } } },
      ],
    },
  } as TrainingJob
  const { status } = rehearse(job, {
    replicas: { 'worker-0': { exitAfter: '30s', exitCode: 1 } },
    events: [
      { at: '5s', replica: 'master-0', exit: 1 },
      { at: '31s', controller: 'crash' },
    ],
  })
  expect(status).toMatchObject({ tasks: [{}, { replicaStatus: [{ phase: 'Failed' }] }] })
})
