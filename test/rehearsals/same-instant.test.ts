// What happens at the same instant is observed together, in one look.
import { expect, test } from 'vitest'
import { attemptsOf, play, pytorch, startsOf, tensorflow, tfjob } from './jobs.ts'

const never = { exitAfter: 'never' }

test.each([
  ['a success is not undone by a pause', { replica: 'a-0', exit: 0 }, { pause: true }, 'Succeeded', 1],
  ['nor is a failure that is final', { replica: 'a-0', exit: 1 }, { pause: true }, 'Failed', 1],
  [
    'an end of its own comes before an eviction',
    { replica: 'a-0', exit: 1 },
    { replica: 'a-0', evict: true },
    'Failed',
    1,
  ],
  ['a pause taken back at once stops nobody', { pause: true }, { pause: false }, 'Running', 1],
])('%s', (_, first, second, phase, attempts) => {
  const events = [
    { at: '10s', ...first },
    { at: '10s', ...second },
  ]
  const result = play(pytorch([{ type: 'a' }]), { defaults: never, events, until: '1h' })
  expect(result.phase).toBe(phase)
  expect(attemptsOf(result, 'a-0')).toBe(attempts)
})

test.each([
  ['chief done, worker failed', tfjob({ Chief: {}, Worker: {} }), 'worker-0'],
  ['workers done, PS failed', tfjob({ PS: {}, Worker: { replicas: 2 } }, {}, 'v1'), 'ps-0'],
])('TFJob succeeds: %s', (_, job, failing) => {
  expect(play(job, { replicas: { [failing]: { exitCode: 1 } } }).phase).toBe('Succeeded')
})

test.each([
  ['w-0', 'm-0'],
  ['m-0', 'w-0'],
])('the last restart goes to the lower rank: %s, %s', (...order) => {
  const restartPolicy = 'OnFailure'
  const replicas = [
    { type: 'm', restartPolicy },
    { type: 'w', restartPolicy },
  ]
  const result = play(pytorch(replicas, { runPolicy: { backoffLimit: 1 } }), {
    events: order.map((replica) => ({ at: '10s', replica, exit: 1 })),
  })
  expect(result.phase).toBe('Succeeded')
  expect([attemptsOf(result, 'm-0'), attemptsOf(result, 'w-0')]).toEqual([2, 1])
})

test('the chief is placed first, wherever the manifest names it', () => {
  const job = tensorflow([{ type: 'worker', replicas: 2 }, { type: 'chief' }])
  const result = play(job, { defaults: never, events: [{ at: '0s', capacity: 1 }], until: '1m' })
  expect([startsOf(result, 'chief-0'), startsOf(result, 'worker-0')]).toEqual([[2], [null]])
})
