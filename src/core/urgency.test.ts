import { expect, test } from 'vitest'
import type { JobStatus, ReplicaStatus } from '../api/types.ts'
import { isUrgent, onlySuccesses, worthOf } from './urgency.ts'

const none = { creating: 0, pending: 0, running: 0, succeeded: 0, failed: 0, unknown: 0, deleted: 0 }
const pending: JobStatus = { phase: 'Pending', aggregate: { ...none, creating: 2 } }
const entry = (phase: 'Running' | 'Succeeded', uid = 'u') => ({ name: 'p', phase, uid })
const tasks = (phase: 'Running' | 'Succeeded') => [{ type: 'worker', replicaStatus: [entry(phase)] }]

test.each<[string, JobStatus, JobStatus, string]>([
  ['another phase', pending, { ...pending, phase: 'Running' }, 'turn'],
  ['one that runs', pending, { ...pending, aggregate: { ...none, creating: 1, running: 1 } }, 'count'],
  ['one that is placed', pending, { ...pending, aggregate: { ...none, creating: 1, pending: 1 } }, 'detail'],
  ['a pod that has a uid', pending, { ...pending, tasks: tasks('Running'), replicas: 1 }, 'detail'],
  ['another word', pending, { ...pending, conditions: [{ type: 'Running', status: 'False', message: 'm' }] }, 'count'],
  ['anything after the end', { phase: 'Succeeded' }, { phase: 'Succeeded', aggregate: none }, 'detail'],
])('%s is worth a %s', (_, before, after, worth) => {
  expect(worthOf(before, after)).toBe(worth)
})

test('an end is urgent as long as something follows from it', () => {
  const before: JobStatus = { phase: 'Running', tasks: tasks('Running') }
  expect(isUrgent(before, { ...before, tasks: tasks('Succeeded') })).toBe(true)
  expect(isUrgent({ ...before, phase: 'Succeeded' }, { phase: 'Succeeded', tasks: tasks('Succeeded') })).toBe(false)
})

test('what stops or starts pods is urgent, that they run is not', () => {
  expect(isUrgent(pending, { ...pending, phase: 'Paused' })).toBe(true)
  expect(isUrgent(pending, { ...pending, phase: 'Running' })).toBe(false)
})

test('further successes are told from anything that must be stored at once', () => {
  const of = (...phases: ReplicaStatus['phase'][]): JobStatus => ({
    phase: 'Running',
    tasks: [{ type: 'worker', replicaStatus: phases.map((phase, i) => ({ name: `p${i}`, phase, uid: `u${i}` })) }],
  })
  expect(onlySuccesses(of('Running', 'Running'), of('Succeeded', 'Running'))).toBe(true)
  expect(onlySuccesses(of('Succeeded', 'Running'), of('Succeeded', 'Succeeded'))).toBe(true)
  expect(onlySuccesses(of('Running', 'Running'), of('Running', 'Running'))).toBe(false)
  expect(onlySuccesses(of('Running', 'Running'), of('Failed', 'Running'))).toBe(false)
  expect(onlySuccesses(of('Running', 'Running'), of('Failed', 'Succeeded'))).toBe(false)
  expect(onlySuccesses(of('Failed', 'Running'), of('Running', 'Succeeded'))).toBe(false)
  expect(onlySuccesses(of('Running', 'Running'), { ...of('Succeeded', 'Running'), backoffCount: 1 })).toBe(false)
})
