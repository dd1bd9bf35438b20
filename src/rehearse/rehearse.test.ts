import { describe, expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { JobStatus, TFJobSpec, TrainingJob } from '../api/types.ts'
import { RehearsalError, type RehearsalResult, rehearse, type Script } from './rehearse.ts'

const containers = [{ name: 'train', image: 'i', command: ['train'] }]
const template = { spec: { containers } }

function pytorch(spec: object = {}, restartPolicy = 'OnFailure'): TrainingJob {
  const replicaSpecs = [
    { type: 'master', restartPolicy, template },
    { type: 'worker', replicas: 3, restartPolicy, template },
  ]
  const kind = 'PyTorchTrainingJob'
  return {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind,
    metadata: { name: 'j' },
    spec: { replicaSpecs, ...spec },
  } as TrainingJob
}

function tfjob(runPolicy: object = {}): TrainingJob {
  const template = { spec: { containers: [{ name: 'tensorflow', image: 'i' }] } }
  const tfReplicaSpecs = {
    PS: { template },
    Evaluator: { template },
    Worker: { replicas: 2, template },
    Chief: { template },
  }
  const spec = { runPolicy, tfReplicaSpecs }
  return { apiVersion: 'kubeflow.org/v1', kind: 'TFJob', metadata: { name: 't' }, spec } as unknown as TrainingJob
}

const elastic = pytorch({
  replicaSpecs: [{ type: 'node', template: { spec: { containers: [{ name: 'train', image: 'i', args: ['a'] }] } } }],
  torchrunConfig: { enabled: true },
  elastic: { enabled: true, minReplicas: 2, maxReplicas: 5, expectedReplicas: 3 },
})

function attemptsOf(result: RehearsalResult, replica: string) {
  return result.replicas.find(({ type, index }) => `${type}-${index}` === replica)?.attempts ?? []
}

function linesOf(result: RehearsalResult, object?: string): string[] {
  const entries = result.timeline.filter((entry) => object === undefined || entry.object === object)
  return entries.map(({ at, event }) => `${at} ${event}`)
}

function kindsOf(result: RehearsalResult): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(result.objects, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
  )
}

const status = (result: RehearsalResult): JobStatus => result.status as JobStatus

describe('the clock', () => {
  test('scheduleAfter counts from creation, startAfter from placement, exitAfter from start', () => {
    const defaults = { scheduleAfter: '3s', startAfter: '4s', exitAfter: '5s' }
    const result = rehearse(pytorch(), { defaults })
    expect(attemptsOf(result, 'master-0')).toMatchObject([
      { startedAt: 7, endedAt: 12, phase: 'Succeeded', exitCode: 0 },
    ])
    expect(result.phase).toBe('Succeeded')
  })

  test('exitAfter counts anew for each attempt', () => {
    const result = rehearse(pytorch(), { replicas: { 'worker-1': { exitAfter: '10s', exitCode: 1 } } })
    expect(attemptsOf(result, 'worker-1').slice(0, 2)).toMatchObject([
      { startedAt: 2, endedAt: 12, phase: 'Failed', exitCode: 1 },
      { startedAt: 14, endedAt: 24, phase: 'Failed', exitCode: 1 },
    ])
  })

  test('a job not ended by then keeps its phase', () => {
    const never = { defaults: { exitAfter: 'never' } }
    expect(rehearse(pytorch(), never).phase).toBe('Running')
    expect(rehearse(pytorch(), { until: '1s' }).phase).toBe('Pending')
    expect(rehearse(pytorch(), { ...never, until: '1s' }).timeline).toHaveLength(1)
  })

  test('nothing is random: the same rehearsal gives the same answer', () => {
    const script: Script = { events: [{ at: '5s', replica: 'worker-1', exit: 1 }] }
    expect(rehearse(pytorch(), script)).toEqual(rehearse(pytorch(), script))
  })
})

describe('what the script does to pods', () => {
  test('exit', () => {
    const result = rehearse(pytorch(), { events: [{ at: '10s', replica: 'worker-1', exit: 137 }] })
    expect(linesOf(result, 'worker-1')).toEqual(['10 Failed', '10 Restarted'])
    expect(attemptsOf(result, 'worker-1')).toMatchObject([{ endedAt: 10, exitCode: 137 }, { startedAt: 12 }])
    expect(status(result).backoffCount).toBe(1)
  })

  test('exit of another container leaves the replica alone', () => {
    const two = { spec: { containers: [...containers, { name: 'side', image: 'i' }] } }
    const job = pytorch({ replicaSpecs: [{ type: 'master', template: two }] })
    const result = rehearse(job, { events: [{ at: '10s', replica: 'master-0', exit: 1, container: 'side' }] })
    expect(result.phase).toBe('Succeeded')
    expect(attemptsOf(result, 'master-0')).toMatchObject([{ endedAt: 62, exitCode: 0 }])
    const again: Script = {
      events: [
        { at: '10s', replica: 'master-0', exit: 1, container: 'side' },
        { at: '11s', replica: 'master-0', exit: 1, container: 'side' },
      ],
    }
    expect(linesOf(rehearse(job, again), 'master-0')).toContain('11 NoEffect')
  })

  test('a replica ends with its training container while others run on', () => {
    const two = { spec: { containers: [...containers, { name: 'side', image: 'i' }] } }
    const result = rehearse(pytorch({ replicaSpecs: [{ type: 'master', template: two }] }, 'Never'))
    expect(result.phase).toBe('Succeeded')
    expect(attemptsOf(result, 'master-0')).toMatchObject([{ endedAt: 62, phase: 'Succeeded', exitCode: 0 }])
  })

  test('evict: the pod has failed, without its own fault', () => {
    const result = rehearse(pytorch({}, 'Never'), { events: [{ at: '10s', replica: 'worker-1', evict: true }] })
    expect(attemptsOf(result, 'worker-1')).toMatchObject([{ endedAt: 10, phase: 'Failed' }, { startedAt: 12 }])
    expect(linesOf(result, 'worker-1')).toContain('10 Lost')
    expect(status(result).backoffCount ?? 0).toBe(0)
  })

  test('delete: the pod is gone at once and replaced', () => {
    const result = rehearse(pytorch({}, 'Never'), { events: [{ at: '10s', replica: 'worker-1', delete: true }] })
    expect(attemptsOf(result, 'worker-1')).toMatchObject([{ endedAt: 10, exitCode: null }, { startedAt: 12 }])
  })

  test('a lost node holds its pods until they are forced out', () => {
    const result = rehearse(pytorch({}, 'Never'), {
      events: [{ at: '10s', node: 'lost', replicas: ['worker-1', 'worker-2'] }],
    })
    expect(linesOf(result).filter((line) => line === '10 ForceDeleted')).toHaveLength(2)
    expect(attemptsOf(result, 'worker-1')).toMatchObject([{ endedAt: 10 }, { startedAt: 12, phase: 'Succeeded' }])
    expect(attemptsOf(result, 'worker-0')).toHaveLength(1)
  })

  test('garbageCollect: a finished pod vanishes, and its replica is not run again', () => {
    const script: Script = { defaults: { exitAfter: '100s' }, replicas: { 'worker-1': { exitAfter: '10s' } } }
    const result = rehearse(pytorch(), { ...script, events: [{ at: '20s', garbageCollect: 'worker-1' }] })
    expect(attemptsOf(result, 'worker-1')).toHaveLength(1)
    expect(kindsOf(result).Pod).toBe(3)
    expect(status(result).aggregate).toMatchObject({ succeeded: 4 })
  })

  test.each([
    { at: '1s', replica: 'worker-1', exit: 1 },
    { at: '1s', replica: 'worker-1', evict: true },
    { at: '1s', replica: 'worker-1', delete: true },
    { at: '1s', node: 'lost', replicas: ['worker-1'] },
    { at: '20s', garbageCollect: 'worker-1' },
    { at: '70s', replica: 'worker-1', exit: 1 },
  ] as NonNullable<Script['events']>)('%j has no effect and says so', (event) => {
    const result = rehearse(pytorch(), { events: [event] })
    const plain = rehearse(pytorch())
    expect(result.replicas).toEqual(plain.replicas)
    const [note] = result.timeline.filter((entry) => entry.event === 'NoEffect')
    expect(note).toMatchObject({ at: Number.parseInt(event.at, 10), object: 'worker-1' })
    expect(note!.message).toContain('without effect')
  })

  test('what happens at the same instant is observed together: a success at the moment of a failure decides', () => {
    const script: Script = {
      defaults: { exitAfter: '10s' },
      replicas: { 'worker-1': { exitAfter: '10s', exitCode: 1 } },
    }
    const result = rehearse(pytorch(), script)
    expect(result.phase).toBe('Succeeded')
    expect(status(result).backoffCount ?? 0).toBe(0)
  })

  test('a pod that starts at the instant of an event is hit by it; an exit of its own is not', () => {
    expect(
      attemptsOf(rehearse(pytorch(), { events: [{ at: '2s', replica: 'worker-1', exit: 3 }] }), 'worker-1')[0],
    ).toMatchObject({
      startedAt: 2,
      endedAt: 2,
      exitCode: 3,
    })
    const script: Script = { events: [{ at: '62s', replica: 'worker-1', exit: 3 }] }
    expect(attemptsOf(rehearse(pytorch(), script), 'worker-1')[0]).toMatchObject({ endedAt: 62, exitCode: 3 })
  })
})

describe('what the script does to the job', () => {
  const pauses: Script = {
    events: [
      { at: '10s', pause: true },
      { at: '20s', pause: false },
    ],
  }

  test.each([
    ['as the manifest spells it', { pause: { enabled: false } }, { enabled: false }],
    ['enable, where it says nothing', undefined, { enable: false }],
    [
      'beside what else there is',
      { pause: { enable: false, resumeSpecs: [{ type: 'worker' }] } },
      { enable: false, resumeSpecs: [{ type: 'worker', skipInitContainer: false }] },
    ],
  ])('pause is set %s', (_, runMode, pause) => {
    const result = rehearse(pytorch(runMode ? { runMode } : {}), pauses)
    expect(linesOf(result, 'job')).toEqual(expect.arrayContaining(['10 Paused', '20 Resuming', '22 Running']))
    const spec = (result.objects[0] as TrainingJob).spec as { runMode: { pause: object } }
    expect(spec.runMode.pause).toEqual(pause)
    expect(attemptsOf(result, 'worker-1')).toMatchObject([{ endedAt: 10 }, { startedAt: 22, endedAt: 82 }])
  })

  test('TFJob is suspended', () => {
    const result = rehearse(tfjob(), pauses)
    expect((result.objects[0] as { spec?: { runPolicy?: object } }).spec?.runPolicy).toMatchObject({ suspend: false })
    expect(linesOf(result, 'job')).toEqual(expect.arrayContaining(['10 Paused', '20 Resuming']))
    expect(result.phase).toBe('Succeeded')
  })

  test('scale', () => {
    const result = rehearse(elastic, {
      defaults: { exitAfter: '100s' },
      events: [
        { at: '10s', scale: 5 },
        { at: '20s', scale: 2 },
      ],
    })
    expect(attemptsOf(result, 'node-4')).toMatchObject([{ startedAt: 12, endedAt: 20 }])
    expect(attemptsOf(result, 'node-2')).toMatchObject([{ startedAt: 2, endedAt: 20 }])
    expect(attemptsOf(result, 'node-1')).toMatchObject([{ startedAt: 2, endedAt: 102 }])
  })

  test.each([
    [elastic, { at: '10s', scale: 6 }, /scale: 6: spec\.elastic\.expectedReplicas: 6 is more than maxReplicas/],
    [pytorch(), { at: '10s', scale: 4 }, /scale: 4: the job is not elastic/],
    [tfjob(), { at: '10s', scale: 4 }, /scale: 4: a TFJob cannot be scaled/],
    [pytorch(), { at: '10s', patch: { spec: { replicaSpecs: [] } } }, /patch: spec\.replicaSpecs: /],
    [pytorch(), { at: '10s', patch: { spec: null } }, /patch: spec: /],
    [
      pytorch(),
      { at: '10s', patch: { spec: { scheduler: { t9kScheduler: { queue: 'q' } } } } },
      /patch: spec\.scheduler\.t9kScheduler\.queue: may not change/,
    ],
    [
      pytorch(),
      { at: '10s', patch: { spec: { runPolicy: { activeDeadlineSeconds: 0 } } } },
      /patch: spec\.runPolicy\.activeDeadlineSeconds: /,
    ],
  ] as Array<[TrainingJob, NonNullable<Script['events']>[number], RegExp]>)(
    'a refusal changes nothing: %#',
    (job, event, message) => {
      const result = rehearse(job, { events: [event] })
      const plain = rehearse(job)
      expect(result.timeline.filter((entry) => entry.event === 'Refused')).toMatchObject([
        { at: 10, object: 'job', message: expect.stringMatching(message) },
      ])
      expect({ ...result, timeline: [] }).toEqual({ ...plain, timeline: [] })
    },
  )

  test('patch: what may change, changes', () => {
    const failing: Script = { replicas: { 'master-0': { exitAfter: '5s', exitCode: 1 } } }
    const before = rehearse(pytorch(), failing)
    const patch = { spec: { runPolicy: { backoffLimit: 5 } } }
    const after = rehearse(pytorch(), { ...failing, events: [{ at: '6s', patch }] })
    expect(attemptsOf(before, 'master-0')).toHaveLength(4)
    expect(attemptsOf(after, 'master-0')).toHaveLength(6)
    expect(after.objects[0]!.metadata.generation).toBe(2)
  })

  test('a patch of the metadata is no new generation', () => {
    const result = rehearse(pytorch(), { events: [{ at: '6s', patch: { metadata: { labels: { a: 'b' } } } }] })
    expect(result.objects[0]!.metadata).toMatchObject({ labels: { a: 'b' }, generation: 1 })
  })

  test('a TTL deletes the job and everything it owned', () => {
    const result = rehearse(pytorch({ runPolicy: { ttlSecondsAfterFinished: 30 } }))
    expect(result).toMatchObject({ phase: 'Deleted', objects: [], status: { phase: 'Succeeded' } })
    expect(result.timeline.at(-1)).toMatchObject({ at: 92, object: 'job', event: 'Deleted' })
  })
})

describe('capacity', () => {
  test('so many pods at a time; ended ones free their place', () => {
    const result = rehearse(pytorch({}, 'Never'), {
      defaults: { exitAfter: '10s' },
      replicas: { 'master-0': { exitAfter: '100s' } },
      events: [{ at: '0s', capacity: 2 }],
    })
    const started = ['master-0', 'worker-0', 'worker-1', 'worker-2'].map(
      (name) => attemptsOf(result, name)[0]!.startedAt,
    )
    expect(started).toEqual([2, 2, 13, 24])
  })

  test('lowering it evicts nobody', () => {
    const result = rehearse(pytorch(), { events: [{ at: '10s', capacity: 1 }] })
    expect(result.replicas.flatMap(({ attempts }) => attempts)).toHaveLength(4)
    expect(result.replicas.every(({ attempts }) => attempts[0]!.endedAt === 62)).toBe(true)
  })

  test('pods that find no room say so', () => {
    const result = rehearse(pytorch(), { until: '10s', events: [{ at: '0s', capacity: 1 }] })
    const pods = result.objects.filter(({ kind }) => kind === 'Pod') as Pod[]
    const unplaced = pods.filter((pod) =>
      pod.status?.conditions?.some((c) => c.type === 'PodScheduled' && c.status === 'False'),
    )
    expect(unplaced).toHaveLength(3)
    expect(status(result).aggregate).toMatchObject({ running: 1, creating: 3 })
  })

  test('TFJob: chief, worker, ps, evaluator', () => {
    const result = rehearse(tfjob({ cleanPodPolicy: 'None' }), {
      defaults: { exitAfter: '10s' },
      replicas: { 'chief-0': { exitAfter: '200s' } },
      events: [{ at: '0s', capacity: 2 }],
    })
    const order = result.replicas
      .map(({ type, index, attempts }) => ({ name: `${type}-${index}`, at: attempts[0]!.startedAt }))
      .sort((a, b) => a.at! - b.at!)
    expect(order.map(({ name }) => name)).toEqual(['chief-0', 'worker-0', 'worker-1', 'ps-0', 'evaluator-0'])
  })

  test('the deciding replica comes first even where it is not the first written', () => {
    const spec = { containers: [{ name: 'tensorflow', image: 'i' }] }
    const replicaSpecs = ['ps', 'worker', 'chief'].map((type) => ({ type, template: { spec } }))
    const job = { ...pytorch(), kind: 'TensorFlowTrainingJob', spec: { replicaSpecs } } as TrainingJob
    const result = rehearse(job, { events: [{ at: '0s', capacity: 1 }] })
    expect(attemptsOf(result, 'chief-0')).toMatchObject([{ startedAt: 2 }])
    expect(attemptsOf(result, 'ps-0')).toMatchObject([{ startedAt: 63 }])
  })

  test('a gang waits until all of it fits at once', () => {
    const job = pytorch({ scheduler: { t9kScheduler: { queue: 'default' } } })
    const result = rehearse(job, {
      events: [
        { at: '0s', capacity: 3 },
        { at: '30s', capacity: 4 },
      ],
    })
    expect(result.replicas.map(({ attempts }) => attempts[0]!.startedAt)).toEqual([31, 31, 31, 31])
  })

  test('a gang that gets smaller may fit', () => {
    const job = tfjob({ schedulingPolicy: {} })
    const { template } = (job.spec as TFJobSpec).tfReplicaSpecs.Chief!
    const tfReplicaSpecs = { Worker: { replicas: 3, template } }
    const dynamic = { ...job, spec: { ...job.spec, enableDynamicWorker: true, tfReplicaSpecs } } as TrainingJob
    const result = rehearse(dynamic, {
      events: [
        { at: '0s', capacity: 2 },
        { at: '10s', patch: { spec: { tfReplicaSpecs: { Worker: { replicas: 2 } } } } },
      ],
    })
    expect(result.replicas.map(({ attempts }) => attempts[0]!.startedAt)).toEqual([11, 11, null])
  })

  test('an elastic gang waits for its minimum only', () => {
    const job = {
      ...elastic,
      spec: { ...elastic.spec, scheduler: { t9kScheduler: { queue: 'default' } } },
    } as TrainingJob
    const result = rehearse(job, { events: [{ at: '0s', capacity: 2 }] })
    expect(result.replicas.map(({ attempts }) => attempts[0]!.startedAt)).toEqual([2, 2, 63])
  })
})

test('pods are told as Kubernetes tells them', () => {
  const podOf = (until: string): Pod => rehearse(pytorch(), { until }).objects.find(({ kind }) => kind === 'Pod') as Pod
  const conditions = (pod: Pod): string[] => pod.status!.conditions!.map(({ type, status }) => `${type}=${status}`)
  expect(podOf('0s').status).toEqual({ phase: 'Pending' })
  expect(podOf('1s')).toMatchObject({ spec: { nodeName: 'node-1' }, status: { phase: 'Pending' } })
  expect(podOf('1s').status!.containerStatuses![0]!.state).toEqual({ waiting: { reason: 'ContainerCreating' } })
  expect(conditions(podOf('1s'))).toContain('PodScheduled=True')
  expect(podOf('2s').status!.containerStatuses![0]).toMatchObject({
    ready: true,
    state: { running: { startedAt: '2026-01-01T00:00:02Z' } },
  })
  expect(conditions(podOf('2s'))).toContain('Ready=True')
  expect(podOf('62s').status).toMatchObject({
    phase: 'Succeeded',
    containerStatuses: [
      {
        ready: false,
        state: {
          terminated: {
            exitCode: 0,
            reason: 'Completed',
            startedAt: '2026-01-01T00:00:02Z',
            finishedAt: '2026-01-01T00:01:02Z',
          },
        },
      },
    ],
  })
})

test.each([
  [{ ...pytorch(), metadata: { name: 'Not A Name' } }, {}, /metadata\.name: /],
  [{ ...pytorch(), metadata: undefined }, {}, /metadata/],
  [{ ...pytorch(), metadata: 'x' }, {}, /metadata/],
  [null, {}, /is not an object/],
  [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }, {}, /a ConfigMap is no training job/],
  [pytorch(), 5, /must be a map/],
  [pytorch(), { events: [{ at: '1s', replica: 'ps-0', exit: 1 }] }, /events\[0\]\.replica: the job has no ps-0/],
] as unknown as Array<[TrainingJob, Script, RegExp]>)('what is impossible is refused: %#', (job, script, message) => {
  expect(() => rehearse(job, script)).toThrow(RehearsalError)
  expect(() => rehearse(job, script)).toThrow(message)
})

test('what has no end in sight is not played for ever', () => {
  const replicaSpecs = [{ type: 'worker', restartPolicy: 'OnFailure', template }]
  const job = pytorch({ replicaSpecs, runPolicy: { backoffLimit: 1_000_000 } })
  const result = rehearse(job, { defaults: { exitAfter: '1s', exitCode: 1 }, until: '365d' })
  expect(result.phase).toBe('Running')
  expect(result.timeline.at(-1)).toMatchObject({ object: 'job', event: 'Stopped' })
}, 60_000)

test('the first pods are the beginning of the job, even where there is only one', () => {
  const result = rehearse(pytorch({ replicaSpecs: [{ type: 'worker', template }] }))
  expect(result.timeline[0]).toEqual({
    at: 0,
    object: 'job',
    event: 'Created',
    reason: 'NewReplica',
    message: '1 pod and 1 service',
  })
})

test('a thousand replicas', () => {
  const replicaSpecs = [{ type: 'worker', replicas: 1000, restartPolicy: 'OnFailure', template }]
  const result = rehearse(pytorch({ replicaSpecs }), { events: [{ at: '10s', replica: 'worker-999', exit: 1 }] })
  expect(result.phase).toBe('Succeeded')
  expect(result.replicas.flatMap(({ attempts }) => attempts)).toHaveLength(1001)
})
