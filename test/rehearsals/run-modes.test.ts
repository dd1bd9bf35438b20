import { describe, expect, test } from 'vitest'
import { attemptsOf, conditionOf, generic, play, podsOf, pytorch, startsOf, tfjob } from './jobs.ts'

const never = { exitAfter: 'never' }
const resumeSpecs = [{ type: 'worker', command: ['resume'], skipInitContainer: true }]
const withInit = {
  template: {
    spec: {
      initContainers: [{ name: 'i', image: 'i' }],
      containers: [{ name: 'train', image: 'i', command: ['run'], args: ['a'] }],
    },
  },
}

const commandOf = (result: ReturnType<typeof play>, pod: string) => {
  const found = result.objects.find(
    ({ kind, metadata }) => kind === 'Pod' && metadata.name?.endsWith(pod),
  ) as never as {
    spec: { containers: Array<{ command?: string[]; args?: string[] }>; initContainers?: unknown[] }
  }
  return { ...found.spec.containers[0], init: found.spec.initContainers?.length ?? 0 }
}

describe('pause', () => {
  test('stops the pods, keeps the counters, goes on where it was', () => {
    const job = pytorch([{ type: 'master' }, { type: 'worker', restartPolicy: 'OnFailure' }])
    const events = [
      { at: '10s', replica: 'worker-0', exit: 1 },
      { at: '20s', pause: true },
    ]
    const paused = play(job, { events })
    expect(paused.phase).toBe('Paused')
    expect(podsOf(paused)).toEqual([])
    expect(paused.status).toMatchObject({ backoffCount: 1, aggregate: { deleted: 2, creating: 0 } })
    expect(conditionOf(paused, 'Paused').status).toBe('True')
    expect(conditionOf(paused, 'Running')).toMatchObject({ status: 'False', reason: 'Paused' })

    const resumed = play(job, { events: [...events, { at: '50s', pause: false }] })
    expect(resumed.phase).toBe('Succeeded')
    expect(resumed.status).toMatchObject({ backoffCount: 1, startTime: '2026-01-01T00:00:00Z' })
    expect(conditionOf(resumed, 'Paused').status).toBe('False')
    expect(startsOf(resumed, 'master-0')).toEqual([2, 52])
  })

  test('what is switched in both spellings is switched in both', () => {
    const job = pytorch([{ type: 'master' }], { runMode: { pause: { enable: false, enabled: false } } })
    const events = [{ at: '20s', pause: true }]
    expect(play(job, { events }).phase).toBe('Paused')
    expect(play(job, { events: [...events, { at: '50s', pause: false }] }).phase).toBe('Succeeded')
  })

  test('Resuming until everybody runs again', () => {
    const result = play(pytorch([{ type: 'master' }]), {
      events: [
        { at: '20s', pause: true },
        { at: '50s', pause: false },
      ],
      until: '51s',
    })
    expect(result.phase).toBe('Resuming')
  })

  test('a job created paused makes nothing, and is Resuming when it goes', () => {
    const job = pytorch([{ type: 'master' }], { runMode: { pause: { enabled: true } } })
    const waiting = play(job, { until: '10s' })
    expect(waiting.phase).toBe('Paused')
    expect(waiting.objects.map(({ kind }) => kind)).toEqual(['PyTorchTrainingJob'])
    expect(waiting.status.startTime).toBeUndefined()
    const gone = play(job, { events: [{ at: '20s', pause: false }] })
    expect(gone.phase).toBe('Succeeded')
    expect(gone.timeline.map(({ event }) => event)).toContain('Resuming')
  })

  test('resumeSpecs shape all pods after a pause, restarts too; what they leave out is the template’s', () => {
    const job = pytorch(
      [
        { type: 'master', ...withInit },
        { type: 'worker', restartPolicy: 'OnFailure', ...withInit },
      ],
      { runMode: { pause: { enable: false, resumeSpecs } } },
    )
    const before = play(job, { defaults: never, until: '10s' })
    expect(commandOf(before, 'worker-0')).toMatchObject({ command: ['run'], args: ['a'], init: 1 })
    const events = [
      { at: '20s', pause: true },
      { at: '30s', pause: false },
      { at: '40s', replica: 'worker-0', exit: 1 },
    ]
    const after = play(job, { defaults: never, events, until: '60s' })
    expect(attemptsOf(after, 'worker-0')).toBe(3)
    expect(commandOf(after, 'worker-0')).toMatchObject({ command: ['resume'], args: ['a'], init: 0 })
    expect(commandOf(after, 'master-0')).toMatchObject({ command: ['run'], args: ['a'], init: 1 })
  })

  test('finished replicas stay finished over a pause', () => {
    const result = play(pytorch([{ type: 'master' }, { type: 'worker' }]), {
      replicas: { 'worker-0': { exitAfter: '5s' } },
      events: [
        { at: '20s', pause: true },
        { at: '50s', pause: false },
      ],
    })
    expect(attemptsOf(result, 'worker-0')).toBe(1)
    expect(result.phase).toBe('Succeeded')
  })

  test('the gang gives its place back and queues anew', () => {
    const job = pytorch([{ type: 'master' }], { scheduler: { t9kScheduler: { queue: 'q' } } })
    expect(play(job, { defaults: never, until: '10s' }).objects.some(({ kind }) => kind === 'PodGroup')).toBe(true)
    const paused = play(job, { events: [{ at: '20s', pause: true }] })
    expect(paused.objects.some(({ kind }) => kind === 'PodGroup')).toBe(false)
    expect(
      play(job, {
        events: [
          { at: '20s', pause: true },
          { at: '50s', pause: false },
        ],
      }).phase,
    ).toBe('Succeeded')
  })

  test('TFJob suspend takes Services too; conditions are Kubeflow’s', () => {
    const job = tfjob({ Chief: {}, Worker: {} }, {}, 'v1')
    const paused = play(job, { events: [{ at: '20s', pause: true }] })
    expect(paused.objects.map(({ kind }) => kind)).toEqual(['TFJob'])
    expect(conditionOf(paused, 'Suspended')).toMatchObject({
      status: 'True',
      reason: 'TFJobSuspended',
      message: 'TFJob job is suspended.',
    })
    expect(conditionOf(paused, 'Running')).toMatchObject({ status: 'False', reason: 'TFJobSuspended' })
    expect(paused.phase).toBe('Paused')
    const resumed = play(job, {
      events: [
        { at: '20s', pause: true },
        { at: '50s', pause: false },
      ],
    })
    expect(conditionOf(resumed, 'Suspended')).toMatchObject({ status: 'False', reason: 'TFJobResumed' })
    expect(resumed.phase).toBe('Succeeded')
    expect(paused.status.startTime).toBe('2026-01-01T00:00:00Z')
    expect(resumed.status.startTime).toBe('2026-01-01T00:00:50Z')
  })
})

describe('debug', () => {
  test('replaces command and args, over torchrun; default sleep inf; only the named types are special', () => {
    const job = pytorch(
      [
        { type: 'master', ...withInit },
        { type: 'worker', ...withInit },
      ],
      {
        runMode: {
          debug: { enabled: true, replicaSpecs: [{ type: 'worker', skipInitContainer: true, command: ['sh'] }] },
        },
        torchrunConfig: { enabled: true },
      },
    )
    const result = play(job, { defaults: never, until: '10s' })
    expect(commandOf(result, 'master-0')).toMatchObject({ command: ['sleep', 'inf'], init: 1 })
    expect(commandOf(result, 'master-0').args).toBeUndefined()
    expect(commandOf(result, 'worker-0')).toMatchObject({ command: ['sh'], init: 0 })
    expect(result.phase).toBe('Running')
  })

  test('pause wins over debug', () => {
    const job = pytorch([{ type: 'master' }], { runMode: { debug: { enable: true }, pause: { enable: true } } })
    expect(play(job, { until: '10s' }).phase).toBe('Paused')
  })
})

describe('elastic', () => {
  const elastic = (
    min: number,
    max: number,
    expected: number,
    replicas: object[] = [{ type: 'worker', template: withInit.template }],
    spec: object = {},
  ) =>
    pytorch(replicas, {
      elastic: { enable: true, minReplicas: min, maxReplicas: max, expectedReplicas: expected },
      torchrunConfig: { enable: true },
      ...spec,
    })

  test('expectedReplicas is how many there are; growing and shrinking restarts nobody', () => {
    const result = play(elastic(1, 4, 2), {
      defaults: never,
      events: [
        { at: '10s', scale: 4 },
        { at: '20s', scale: 3 },
      ],
      until: '40s',
    })
    expect(podsOf(result)).toEqual(['worker-0', 'worker-1', 'worker-2'])
    expect(result.status).toMatchObject({
      replicas: 3,
      backoffCount: 0,
      phase: 'Running',
      selector: expect.stringContaining('job-uid='),
    })
    expect(['worker-0', 'worker-3'].map((key) => attemptsOf(result, key))).toEqual([1, 1])
  })

  test('beyond the bounds is refused and changes nothing', () => {
    const result = play(elastic(1, 4, 2), { defaults: never, events: [{ at: '10s', scale: 9 }], until: '20s' })
    expect(podsOf(result)).toHaveLength(2)
    expect(result.timeline.some(({ message }) => message.includes('maxReplicas'))).toBe(true)
  })

  test('weights share the replicas over the types', () => {
    const both = [
      { type: 'a', scalingWeight: 1, template: withInit.template },
      { type: 'b', scalingWeight: 3, template: withInit.template },
    ]
    const result = play(elastic(1, 10, 8, both), { defaults: never, until: '10s' })
    expect(podsOf(result).filter((name) => name.startsWith('a'))).toHaveLength(2)
    expect(podsOf(result).filter((name) => name.startsWith('b'))).toHaveLength(6)
  })

  test('Running as soon as minReplicas run; the rest stays Pending, the spec is not touched', () => {
    const result = play(elastic(2, 4, 4), { defaults: never, events: [{ at: '0s', capacity: 2 }], until: '30s' })
    expect(result.phase).toBe('Running')
    expect(result.status.aggregate).toMatchObject({ running: 2, creating: 2 })
  })

  test('the gang needs minReplicas only', () => {
    const result = play(elastic(2, 4, 4, undefined, { scheduler: { t9kScheduler: { Queue: 'q' } } }), {
      defaults: never,
      until: '10s',
    })
    const group = result.objects.find(({ kind }) => kind === 'PodGroup') as never as { spec: object }
    expect(group.spec).toEqual({ minMember: 2, queue: 'q', priority: 10 })
  })

  test('without torchrun elastic has no effect', () => {
    const job = pytorch([{ type: 'worker', replicas: 3 }], {
      elastic: { enable: true, minReplicas: 1, maxReplicas: 4, expectedReplicas: 2 },
    })
    expect(podsOf(play(job, { defaults: never, until: '10s' }))).toHaveLength(3)
  })
})

describe('several containers', () => {
  const two = {
    template: {
      spec: {
        containers: [
          { name: 'main', image: 'i' },
          { name: 'side', image: 'i' },
        ],
      },
    },
  }

  test('a replica ends with its training container', () => {
    const result = play(generic([{ type: 'a', ...two }], { success: [{ a: [0] }] }), {
      defaults: never,
      events: [{ at: '10s', replica: 'a-0', exit: 0 }],
    })
    expect(result.phase).toBe('Succeeded')
  })

  test('another container that fails decides nothing while the training container runs', () => {
    const events = [{ at: '10s', replica: 'a-0', container: 'side', exit: 1 }]
    expect(
      play(generic([{ type: 'a', ...two }], { success: [{ a: [0] }] }), { defaults: never, events, until: '30s' })
        .phase,
    ).toBe('Running')
  })
})

describe('losses', () => {
  test.each([
    ['evicted', { at: '20s', replica: 'master-0', evict: true }],
    ['deleted', { at: '20s', replica: 'master-0', delete: true }],
    ['its node is lost', { at: '20s', node: 'lost', replicas: ['master-0'] }],
  ])('%s: replaced under Never, no budget spent', (_, event) => {
    const result = play(pytorch([{ type: 'master' }, { type: 'worker' }], { runPolicy: { backoffLimit: 0 } }), {
      events: [event],
    })
    expect(attemptsOf(result, 'master-0')).toBe(2)
    expect(result.phase).toBe('Succeeded')
    expect(result.status).toMatchObject({ backoffCount: 0 })
    expect(result.timeline.some(({ object, event: what }) => object === 'master-0' && what === 'Lost')).toBe(true)
  })
})
