import { expect, test } from 'vitest'
import type { AnyJob } from '../home/running-jobs.ts'
import { decideStart } from './decide-start.ts'

const job = (status: object, replicas = 1, metadata: object = {}): AnyJob =>
  ({
    kind: 'GenericJob',
    metadata: { name: 'j', ...metadata },
    spec: { replicaSpecs: [{ replicas }] },
    status,
  }) as never
const wanted = job({})
const now = Date.parse('2026-11-16T09:14:00Z')

test('what becomes of a job that is there already', () => {
  const running = job({ phase: 'Running' })
  const done = job({ phase: 'Failed', completionTime: '2026-11-16T09:12:00Z' })
  expect(decideStart(wanted, undefined, false, now)).toEqual({ do: 'create' })
  expect(decideStart(wanted, running, false, now)).toEqual({ do: 'attach', job: running })
  expect(decideStart(wanted, running, true, now)).toEqual({ do: 'replace', old: running })
  expect(decideStart(wanted, done, false, now)).toEqual({
    do: 'refuse',
    because: 'job j exists and has Failed 2 minutes ago; a finished job never runs again.',
  })
  expect(decideStart(wanted, job({}, 2), false, now)).toEqual({
    do: 'refuse',
    because: 'job j exists, is Pending, and differs from the manifest in spec.replicaSpecs[0].replicas.',
  })
  expect(decideStart(wanted, job({}, 1, { deletionTimestamp: 'x' }), false, now)).toEqual({
    do: 'refuse',
    because: 'job j is being deleted',
  })
})
