import { expect, test } from 'vitest'
import type { AnyJob } from '../../home/running-jobs.ts'
import { refusalOf } from './refusal.ts'

const quota = 'exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2'
const told = (kind: string, type: string, message: string, status = 'True'): string | undefined =>
  refusalOf({
    kind,
    status: {
      conditions: [
        { type: 'Running', status: 'True' },
        { type, status, message },
      ],
    },
  } as AnyJob)

test.each([
  ['GenericJob', `Pod a-4a97f-master-0 could not be created: pods "a-4a97f-master-0" is forbidden: ${quota}`],
  ['TFJob', `Error creating: pods "a-worker-0" is forbidden: ${quota}`],
])('of a refusal that a %s tells of, the reason', (kind, message) => {
  expect(told(kind, 'CreationRefused', message)).toBe(quota)
})

test('of a pod that is invalid, which field of it', () => {
  const message =
    'Pod a-4a97f-w-0 could not be created: Pod "a-4a97f-w-0" is invalid: spec.containers[0].image: Required value'
  expect(told('GenericJob', 'CreationRefused', message)).toBe('spec.containers[0].image: Required value')
})

test('a name that is taken', () => {
  const message = "Pod a-worker-0 exists already and is not this job's; it is left alone and waited for"
  expect(told('TFJob', 'NameTaken', message)).toBe(message)
})

test('nothing is refused, or no longer', () => {
  expect(told('GenericJob', 'CreationRefused', '-', 'False')).toBeUndefined()
  expect(refusalOf({ kind: 'TFJob', status: { conditions: null } } as unknown as AnyJob)).toBeUndefined()
  expect(refusalOf({ kind: 'GenericJob' } as AnyJob)).toBeUndefined()
})
