import { describe, expect, test } from 'vitest'
import { attemptsOf, conditionOf, generic, play, pytorch, startsOf, tensorflow, tfjob } from './jobs.ts'

const twoWith = (restartPolicy: string, runPolicy: object = {}) =>
  pytorch([{ type: 'master' }, { type: 'worker', replicas: 2, restartPolicy }], { runPolicy })

describe('restart policies', () => {
  test.each([
    { policy: 'Never', exit: 1, attempts: 1 },
    { policy: 'Never', exit: 137, attempts: 1 },
    { policy: 'OnFailure', exit: 1, attempts: 2 },
    { policy: 'OnFailure', exit: 0, attempts: 1 },
    { policy: 'Always', exit: 0, attempts: 2 },
    { policy: 'Always', exit: 3, attempts: 2 },
    { policy: 'ExitCode', exit: 1, attempts: 1 },
    { policy: 'ExitCode', exit: 128, attempts: 1 },
    { policy: 'ExitCode', exit: 130, attempts: 2 },
    { policy: 'ExitCode', exit: 137, attempts: 2 },
    { policy: 'ExitCode', exit: 138, attempts: 2 },
    { policy: 'ExitCode', exit: 139, attempts: 1 },
    { policy: 'ExitCode', exit: 143, attempts: 2 },
    { policy: 'ExitCode', exit: 255, attempts: 1 },
  ])('$policy after exit $exit: $attempts attempts', ({ policy, exit, attempts }) => {
    const result = play(twoWith(policy), { events: [{ at: '20s', replica: 'worker-1', exit }] })
    expect(attemptsOf(result, 'worker-1')).toBe(attempts)
    expect(result.phase).toBe('Succeeded')
    expect(result.status.backoffCount).toBe(attempts - 1)
  })

  test.each([128, 134, 139, 255])('TFJob edition v1 restarts exit %i, v1beta2 does not', (exit) => {
    const script = { events: [{ at: '20s', replica: 'worker-1', exit }] }
    const workers = { Worker: { replicas: 2, restartPolicy: 'ExitCode' } }
    expect(play(tfjob(workers, {}, 'v1'), script).phase).toBe('Succeeded')
    expect(play(tfjob(workers), script).phase).toBe('Failed')
  })
})

describe('budgets', () => {
  const dying = { replicas: { 'worker-0': { exitAfter: '1s', exitCode: 1 } }, defaults: { exitAfter: '1000s' } }

  test('the job has one budget, 3 by default; used up, the last outcome stands and the job goes on', () => {
    const result = play(twoWith('OnFailure'), dying)
    expect(attemptsOf(result, 'worker-0')).toBe(4)
    expect(result.status.backoffCount).toBe(3)
    expect(result.phase).toBe('Succeeded')
    expect(result.status.tasks[1].restartCount).toBe(3)
    expect(result.status.tasks[1].replicaStatus[0]).toMatchObject({ phase: 'Failed', restartCount: 3 })
    expect(result.status.aggregate).toMatchObject({ succeeded: 2, failed: 1 })
  })

  test('a master out of budget fails the job', () => {
    const job = tensorflow([{ type: 'chief', restartPolicy: 'OnFailure' }, { type: 'worker' }], {
      runPolicy: { backoffLimit: 1 },
    })
    const result = play(job, { replicas: { 'chief-0': { exitAfter: '1s', exitCode: 7 } } })
    expect(result.phase).toBe('Failed')
    expect(attemptsOf(result, 'chief-0')).toBe(2)
    expect(conditionOf(result, 'Failed').message).toContain('failed with exit code 7')
  })

  test("Always' restarts after a success spend the budget too", () => {
    const result = play(twoWith('Always', { backoffLimit: 2 }), {
      replicas: { 'worker-0': { exitAfter: '1s' } },
      defaults: { exitAfter: '1000s' },
    })
    expect(attemptsOf(result, 'worker-0')).toBe(3)
    expect(result.status.backoffCount).toBe(2)
    expect(result.status.tasks[1].replicaStatus[0].phase).toBe('Succeeded')
  })

  test("GenericJob's limit is per replica", () => {
    const job = generic([{ type: 'a', replicas: 2, restartPolicy: { policy: 'OnFailure', limit: 2 } }, { type: 'b' }], {
      success: [{ b: [0] }],
    })
    const result = play(job, {
      defaults: { exitAfter: '1000s' },
      replicas: { 'a-0': { exitAfter: '1s', exitCode: 1 }, 'a-1': { exitAfter: '1s', exitCode: 1 } },
    })
    expect([attemptsOf(result, 'a-0'), attemptsOf(result, 'a-1')]).toEqual([3, 3])
    expect(result.status.tasks[0].restartCount).toBe(4)
    expect(result.phase).toBe('Succeeded')
  })

  test('GenericJob: OnFailure with limit 0, its default, is no restart', () => {
    const result = play(generic([{ type: 'a' }], { success: [{ a: [0] }], failure: [{ a: [0] }] }), {
      defaults: { exitCode: 1 },
    })
    expect(attemptsOf(result, 'a-0')).toBe(1)
    expect(result.phase).toBe('Failed')
  })

  test('TFJob: a restart beyond the budget fails the job, whoever needs it', () => {
    const job = tfjob({ Chief: {}, PS: { restartPolicy: 'OnFailure' } }, { backoffLimit: 1 })
    const result = play(job, {
      defaults: { exitAfter: '1000s' },
      replicas: { 'ps-0': { exitAfter: '1s', exitCode: 1 } },
    })
    expect(result.phase).toBe('Failed')
    expect(attemptsOf(result, 'ps-0')).toBe(2)
    expect(conditionOf(result, 'Failed').message).toContain('has reached the specified backoff limit')
  })

  test('TFJob without backoffLimit restarts for ever', () => {
    const job = tfjob({ Chief: {}, Worker: { restartPolicy: 'OnFailure' } })
    const result = play(job, {
      defaults: { exitAfter: '600s' },
      replicas: { 'worker-0': { exitAfter: '1s', exitCode: 1 } },
    })
    expect(result.phase).toBe('Succeeded')
    expect(attemptsOf(result, 'worker-0')).toBeGreaterThan(5)
  })

  test('a raised backoffLimit counts for later failures, not for final ones', () => {
    const result = play(twoWith('OnFailure', { backoffLimit: 0 }), {
      events: [
        { at: '10s', replica: 'worker-0', exit: 1 },
        { at: '20s', patch: { spec: { runPolicy: { backoffLimit: 5 } } } },
        { at: '30s', replica: 'worker-1', exit: 1 },
      ],
    })
    expect([attemptsOf(result, 'worker-0'), attemptsOf(result, 'worker-1')]).toEqual([1, 2])
  })
})

describe('delays', () => {
  test('none, then 1, 2, 4 … seconds', () => {
    const result = play(twoWith('OnFailure', { backoffLimit: 6 }), {
      defaults: { scheduleAfter: '0s', startAfter: '0s', exitAfter: '1000s' },
      replicas: { 'worker-0': { exitAfter: '10s', exitCode: 1 } },
    })
    const starts = startsOf(result, 'worker-0') as number[]
    expect(starts.map((at, i) => at - (starts[i - 1] ?? at) - (i > 0 ? 10 : 0))).toEqual([0, 0, 1, 2, 4, 8, 16])
  })

  test('losses are delayed as failures are, and back to none after ten minutes', () => {
    const result = play(twoWith('Never'), {
      defaults: { scheduleAfter: '0s', startAfter: '0s', exitAfter: '3000s' },
      events: [
        { at: '10s', replica: 'worker-0', evict: true },
        { at: '20s', replica: 'worker-0', delete: true },
        { at: '30s', replica: 'worker-0', delete: true },
        { at: '632s', replica: 'worker-0', delete: true },
        { at: '1300s', replica: 'worker-0', delete: true },
      ],
    })
    expect(startsOf(result, 'worker-0')).toEqual([0, 10, 21, 32, 632, 1300])
    expect(result.status.backoffCount).toBe(0)
  })

  test('meanwhile the replica counts as creating, and the condition says until when', () => {
    const result = play(twoWith('OnFailure', { backoffLimit: 9 }), {
      defaults: { exitAfter: 'never' },
      replicas: { 'worker-0': { exitAfter: '1s', exitCode: 1 } },
      until: '29s',
    })
    expect(result.status.aggregate).toMatchObject({ creating: 1, running: 2 })
    expect(conditionOf(result, 'Running').message).toContain('worker-0 is started again at 2026-01-01T00:00')
    expect(result.phase).toBe('Running')
  })
})

describe('restartScope: Job', () => {
  const whole = (spec: object = {}) =>
    pytorch(
      [
        { type: 'master', restartPolicy: 'OnFailure' },
        { type: 'worker', replicas: 2, restartPolicy: 'OnFailure' },
      ],
      {
        runPolicy: { restartScope: 'Job', ...spec },
      },
    )

  test('one failure restarts everybody and spends one', () => {
    const result = play(whole(), { events: [{ at: '20s', replica: 'worker-1', exit: 1 }] })
    expect(['master-0', 'worker-0', 'worker-1'].map((key) => attemptsOf(result, key))).toEqual([2, 2, 2])
    expect(result.status.backoffCount).toBe(1)
    expect(result.phase).toBe('Succeeded')
  })

  test('failures of others at the same time are consequences', () => {
    const result = play(whole(), {
      events: [
        { at: '20s', replica: 'worker-1', exit: 1 },
        { at: '20s', replica: 'worker-0', exit: 1 },
      ],
    })
    expect(result.status.backoffCount).toBe(1)
    expect(attemptsOf(result, 'worker-0')).toBe(2)
  })

  test.each([
    ['a failure that is restarted', { replica: 'worker-1', exit: 137 }, 1],
    ['a loss', { replica: 'worker-1', evict: true }, 0],
  ])('%s makes consequences also of failures that would be final', (_, first, spent) => {
    const replicas = ['master', 'worker'].map((type) => ({ type, replicas: 2, restartPolicy: 'ExitCode' }))
    const job = pytorch(replicas, { runPolicy: { restartScope: 'Job' } })
    const events = [first, { replica: 'master-0', exit: 1 }, { replica: 'worker-0', exit: 1 }]
    const result = play(job, { events: events.map((event) => ({ at: '20s', ...event })) })
    expect(result.replicas.map(({ attempts }) => attempts.length)).toEqual([2, 2, 2, 2])
    expect(result).toMatchObject({ phase: 'Succeeded', status: { backoffCount: spent } })
  })

  test('failures that are seen together with a loss spend nothing', () => {
    const events = [
      { at: '20s', replica: 'worker-0', delete: true },
      { at: '20s', replica: 'worker-1', exit: 1 },
    ]
    const result = play(whole({ backoffLimit: 0 }), { events })
    expect(['master-0', 'worker-0', 'worker-1'].map((key) => attemptsOf(result, key))).toEqual([2, 2, 2])
    expect(result).toMatchObject({ phase: 'Succeeded', status: { backoffCount: 0 } })
  })

  test('who has succeeded stays so', () => {
    const result = play(whole(), {
      replicas: { 'worker-0': { exitAfter: '5s' } },
      events: [{ at: '20s', replica: 'worker-1', exit: 1 }],
    })
    expect(attemptsOf(result, 'worker-0')).toBe(1)
    expect(attemptsOf(result, 'master-0')).toBe(2)
  })

  test('a success under Always is no failure: only its own replica runs again', () => {
    const always = { type: 'worker', replicas: 2, restartPolicy: 'Always' }
    const job = pytorch([{ type: 'master' }, always], { runPolicy: { restartScope: 'Job' } })
    const success = { at: '20s', replica: 'worker-1', exit: 0 }
    const alone = play(job, { events: [success], until: '40s' })
    expect(['master-0', 'worker-0', 'worker-1'].map((key) => attemptsOf(alone, key))).toEqual([1, 1, 2])
    expect(alone.status.backoffCount).toBe(1)
    const withFailure = play(job, { events: [success, { at: '20s', replica: 'worker-0', exit: 1 }], until: '40s' })
    expect(['master-0', 'worker-0', 'worker-1'].map((key) => attemptsOf(withFailure, key))).toEqual([2, 2, 2])
    expect(withFailure.status.backoffCount).toBe(1)
  })

  test('a lost replica restarts everybody and spends nothing', () => {
    const result = play(whole(), { events: [{ at: '20s', replica: 'worker-1', evict: true }] })
    expect(['master-0', 'worker-0', 'worker-1'].map((key) => attemptsOf(result, key))).toEqual([2, 2, 2])
    expect(result.status.backoffCount).toBe(0)
  })

  test('a failure that may not be restarted is judged as under Replica', () => {
    const job = pytorch([{ type: 'master', restartPolicy: 'OnFailure' }, { type: 'worker' }], {
      runPolicy: { restartScope: 'Job' },
    })
    const result = play(job, { events: [{ at: '20s', replica: 'worker-0', exit: 1 }] })
    expect(attemptsOf(result, 'master-0')).toBe(1)
    expect(result.phase).toBe('Succeeded')
  })
})
