import { describe, expect, test } from 'vitest'
import { attemptsOf, conditionOf, generic, play, podsOf, pytorch, tensorflow, tfjob } from './jobs.ts'

const never = { exitAfter: 'never' }

describe('who decides', () => {
  test.each([
    ['TensorFlow: the chief', tensorflow([{ type: 'worker', replicas: 2 }, { type: 'chief' }]), 'chief-0'],
    ['TensorFlow without chief: worker-0', tensorflow([{ type: 'ps' }, { type: 'worker', replicas: 2 }]), 'worker-0'],
    ['PyTorch: index 0 of the first type', pytorch([{ type: 'ps' }, { type: 'worker', replicas: 2 }]), 'ps-0'],
    ['TFJob: the chief', tfjob({ Worker: { replicas: 2 }, Chief: {} }), 'chief-0'],
    ['TFJob: the master', tfjob({ Worker: { replicas: 2 }, master: {} }), 'master-0'],
    ['TFJob without chief: worker-0', tfjob({ PS: {}, Worker: { replicas: 2 } }), 'worker-0'],
  ])('%s', (_, job, decider) => {
    const ended = play(job, { defaults: never, replicas: { [decider]: { exitAfter: '10s' } } })
    expect(ended.phase).toBe('Succeeded')
    const failed = play(job, { defaults: never, replicas: { [decider]: { exitAfter: '10s', exitCode: 1 } } })
    expect(failed.phase).toBe('Failed')
  })

  test('TFJob AllWorkers waits for all of them', () => {
    const job = tfjob({ Worker: { replicas: 2 } }, { successPolicy: 'AllWorkers' }, 'v1')
    expect(play(job, { defaults: never, replicas: { 'worker-0': { exitAfter: '10s' } } }).phase).toBe('Running')
    expect(play(job).phase).toBe('Succeeded')
  })

  test('TFJob: any replica that failed for good fails it; T9k kinds go on without a non-master', () => {
    const script = { events: [{ at: '10s', replica: 'ps-0', exit: 1 }] }
    expect(play(tfjob({ PS: {}, Worker: {} }), script).phase).toBe('Failed')
    const result = play(tensorflow([{ type: 'worker' }, { type: 'ps' }]), script)
    expect(result.phase).toBe('Succeeded')
    expect(conditionOf(result, 'ReplicaFailure')).toMatchObject({ status: 'True', reason: 'ErrorInPod' })
  })

  test('success is judged before failure', () => {
    const events = [
      { at: '10s', replica: 'worker-0', exit: 0 },
      { at: '10s', replica: 'worker-1', exit: 1 },
    ]
    expect(play(tfjob({ Worker: { replicas: 2 } }), { events }).phase).toBe('Succeeded')
    const job = generic([{ type: 'worker', replicas: 2 }], { success: [{ worker: [0] }], failure: [{ worker: [1] }] })
    expect(play(job, { events }).phase).toBe('Succeeded')
  })
})

describe("GenericJob's rules", () => {
  const job = (success: object[], failure: object[] = []) =>
    generic([{ type: 'a', replicas: 3 }, { type: 'b' }], { success, failure })

  test.each([
    { rules: [{ a: [0, 1], b: [0] }], exits: ['a-0', 'a-1'], phase: 'Running' },
    { rules: [{ a: [0, 1], b: [0] }], exits: ['a-0', 'a-1', 'b-0'], phase: 'Succeeded' },
    { rules: [{ a: ['0-2'] }], exits: ['a-0', 'a-1'], phase: 'Running' },
    { rules: [{ a: ['*'] }], exits: ['a-0', 'a-1', 'a-2'], phase: 'Succeeded' },
    { rules: [{ a: ['2'] }, { b: [0] }], exits: ['a-2'], phase: 'Succeeded' },
  ])('$rules after $exits: $phase', ({ rules, exits, phase }) => {
    const replicas = Object.fromEntries(exits.map((key) => [key, { exitAfter: '5s' }]))
    expect(play(job(rules), { defaults: never, replicas, until: '1h' }).phase).toBe(phase)
  })

  test('a failure rule names the ranks as written', () => {
    const result = play(job([{ a: [0] }], [{ b: [0] }]), {
      defaults: never,
      replicas: { 'b-0': { exitAfter: '5s', exitCode: 127 } },
    })
    expect(result.phase).toBe('Failed')
    for (const type of ['Running', 'Failed', 'Completed']) {
      expect(conditionOf(result, type).message).toBe('The job is failed with rule: {"b":["0"]}')
    }
    expect(conditionOf(result, 'ReplicaFailure').message).toMatch(
      /^Pod\[job-[0-9a-f]{5}-b-0\] exited with error code 127$/,
    )
  })

  test('no success rule reachable any more: failed', () => {
    const result = play(job([{ a: [0, 1] }, { a: [1], b: [0] }]), {
      defaults: never,
      replicas: { 'a-1': { exitAfter: '5s', exitCode: 1 } },
    })
    expect(result.phase).toBe('Failed')
  })

  test('one of two rules still reachable: it goes on', () => {
    const result = play(job([{ a: [0] }, { b: [0] }]), {
      defaults: never,
      replicas: { 'a-0': { exitAfter: '5s', exitCode: 1 } },
      until: '1h',
    })
    expect(result.phase).toBe('Running')
  })

  test('under Always a success decides when it is seen, else the replica runs on', () => {
    const always = { policy: 'Always', limit: 9 }
    const two = generic([{ type: 'a', replicas: 2, restartPolicy: always }], { success: [{ a: [0, 1] }] })
    const apart = play(two, {
      defaults: never,
      events: [
        { at: '10s', replica: 'a-0', exit: 0 },
        { at: '20s', replica: 'a-1', exit: 0 },
      ],
      until: '1h',
    })
    expect(apart.phase).toBe('Running')
    const together = play(two, {
      defaults: never,
      events: [
        { at: '10s', replica: 'a-0', exit: 0 },
        { at: '10s', replica: 'a-1', exit: 0 },
      ],
    })
    expect(together.phase).toBe('Succeeded')
    expect(attemptsOf(together, 'a-0')).toBe(1)
  })
})

test.each(['Running', 'All', 'None'])(
  'TFJob: what was active at its success stays succeeded after clean-up %s',
  (policy) => {
    const job = tfjob({ PS: {}, Worker: { replicas: 3 } }, { cleanPodPolicy: policy })
    const { status } = play(job, { defaults: never, replicas: { 'worker-0': { exitAfter: '10s' } } })
    expect(status.replicaStatuses).toEqual({ PS: { succeeded: 1 }, Worker: { succeeded: 3 } })
  },
)

describe('deadline', () => {
  const job = (spec: object) =>
    pytorch([{ type: 'master' }, { type: 'worker' }], { runPolicy: { activeDeadlineSeconds: 30, ...spec } })

  test('fails the job and removes what has not ended, whatever the policy', () => {
    const result = play(job({}), { replicas: { 'worker-0': { exitAfter: '5s' }, 'master-0': never } })
    expect(result.phase).toBe('Failed')
    expect(result.status.completionTime).toBe('2026-01-01T00:00:30Z')
    expect(podsOf(result)).toEqual(['worker-0'])
    expect(conditionOf(result, 'Failed')).toMatchObject({ status: 'True', reason: 'DeadlineExceeded' })
    expect(result.status.aggregate).toMatchObject({ succeeded: 1, deleted: 1 })
  })

  test('ended pods follow the clean-up policy', () => {
    const result = play(job({ cleanUpPolicy: 'all' }), {
      replicas: { 'worker-0': { exitAfter: '5s' }, 'master-0': never },
    })
    expect(podsOf(result)).toEqual([])
  })

  test('the clock stands while paused', () => {
    const result = play(job({}), {
      defaults: never,
      events: [
        { at: '10s', pause: true },
        { at: '100s', pause: false },
      ],
    })
    expect(result.status.completionTime).toBe('2026-01-01T00:02:00Z')
  })

  test('the clock waits for a gang', () => {
    const gang = pytorch([{ type: 'master' }], {
      runPolicy: { activeDeadlineSeconds: 30 },
      scheduler: { t9kScheduler: { queue: 'q' } },
    })
    const result = play(gang, {
      defaults: never,
      events: [
        { at: '0s', capacity: 0 },
        { at: '100s', capacity: 1 },
      ],
    })
    const at = Date.parse(result.status.completionTime) - Date.parse('2026-01-01T00:00:00Z')
    expect(at / 1000).toBeGreaterThanOrEqual(130)
    expect(at / 1000).toBeLessThanOrEqual(132)
  })

  test('can be changed while the job runs', () => {
    const result = play(job({}), {
      defaults: never,
      events: [{ at: '10s', patch: { spec: { runPolicy: { activeDeadlineSeconds: 60 } } } }],
    })
    expect(result.status.completionTime).toBe('2026-01-01T00:01:00Z')
  })
})

describe('clean-up', () => {
  const script = {
    defaults: never,
    replicas: { 'master-0': { exitAfter: '30s' }, 'worker-0': { exitAfter: '5s', exitCode: 1 } },
  }
  test.each([
    ['None', ['master-0', 'worker-0', 'worker-1']],
    ['none', ['master-0', 'worker-0', 'worker-1']],
    ['Unfinished', ['master-0', 'worker-0']],
    ['uNFINISHED', ['master-0', 'worker-0']],
    ['All', []],
  ])('%s keeps %j', (cleanUpPolicy, kept) => {
    const result = play(
      pytorch([{ type: 'master' }, { type: 'worker', replicas: 2 }], { runPolicy: { cleanUpPolicy } }),
      script,
    )
    expect(podsOf(result)).toEqual(kept)
    expect(result.status.aggregate).toMatchObject({ succeeded: 1, failed: 1 })
  })

  test.each([
    ['v1beta2', undefined, []],
    ['v1', undefined, ['ps-0']],
    ['v1beta2', 'None', ['ps-0']],
    ['v1', 'Running', []],
  ])('TFJob %s with cleanPodPolicy %s leaves %j of the parameter servers', (version, cleanPodPolicy, kept) => {
    const result = play(tfjob({ Chief: {}, PS: {} }, cleanPodPolicy ? { cleanPodPolicy } : {}, version), {
      replicas: { 'ps-0': never },
    })
    expect(podsOf(result).filter((name) => name.startsWith('ps'))).toEqual(kept)
    const services = result.objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name)
    expect(services.includes('job-ps-0')).toBe(kept.length > 0)
  })
})

describe('after the end', () => {
  test('the TTL removes the job and all it owns', () => {
    const result = play(pytorch([{ type: 'master' }], { runPolicy: { ttlSecondsAfterFinished: 60 } }))
    expect(result.phase).toBe('Deleted')
    expect(result.objects).toEqual([])
  })

  test('without a TTL it stays', () => {
    expect(play(pytorch([{ type: 'master' }])).phase).toBe('Succeeded')
  })

  test.each([
    ['a finished pod that vanishes', { at: '100s', garbageCollect: 'master-0' }],
    ['a finished pod that is deleted', { at: '100s', delete: true, replica: 'master-0' }],
    ['a pause', { at: '100s', pause: true }],
    ['a controller that starts again', { at: '61s', controller: 'crash' }],
  ])('a finished job never runs again: %s', (_, event) => {
    const result = play(pytorch([{ type: 'master', restartPolicy: 'Always' }]), { events: [event] })
    expect(result.phase).toBe('Succeeded')
    expect(attemptsOf(result, 'master-0')).toBe(1)
  })

  test('a replica whose success is recorded is not run again because its pod vanished', () => {
    const result = play(pytorch([{ type: 'master' }, { type: 'worker', restartPolicy: 'OnFailure' }]), {
      replicas: { 'worker-0': { exitAfter: '5s' } },
      events: [{ at: '20s', garbageCollect: 'worker-0' }],
    })
    expect(attemptsOf(result, 'worker-0')).toBe(1)
    expect(result.status.aggregate.succeeded).toBe(2)
  })
})
