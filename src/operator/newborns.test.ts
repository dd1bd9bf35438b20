import { expect, test } from 'vitest'
import type { TrainingJob } from '../api/types.ts'
import type { Observed } from '../core/decision.ts'
import { toTimestamp } from '../lib/time.ts'
import { Newborns } from './newborns.ts'

const START = Date.UTC(2026, 0, 1)

function jobOf(bornAfter: number, status?: object): TrainingJob {
  return { metadata: { creationTimestamp: toTimestamp(START + bornAfter) }, status } as unknown as TrainingJob
}

function newbornsSince(serverTime: number | undefined, leads = () => true, clocksApart?: number): Newborns {
  const newborns = new Newborns(leads, clocksApart)
  newborns.beginTerm(serverTime)
  return newborns
}

const nothing = { pods: [] } as unknown as Observed
const onePod = { pods: [{}] } as unknown as Observed

test('a job born well into our term is newborn', () => {
  expect(newbornsSince(START).has(jobOf(10_000), nothing)).toBe(true)
})

test('where there is one clock, a job born in the next second is', () => {
  expect(newbornsSince(START, () => true, 0).has(jobOf(1000), nothing)).toBe(true)
  expect(newbornsSince(START, () => true, 0).has(jobOf(0), nothing)).toBe(false)
})

test.each([
  ['before our term', newbornsSince(START), jobOf(-1000), nothing],
  ['at its beginning, when what we see may be old', newbornsSince(START), jobOf(4000), nothing],
  ['in a term that began nobody knows when', newbornsSince(undefined), jobOf(10_000), nothing],
  ['in a term that has not begun', new Newborns(() => true), jobOf(10_000), nothing],
  ['in a term that is over', newbornsSince(START, () => false), jobOf(10_000), nothing],
  ['with a status', newbornsSince(START), jobOf(10_000, {}), nothing],
  ['with a pod', newbornsSince(START), jobOf(10_000), onePod],
  ['nobody knows when', newbornsSince(START), { metadata: {} } as unknown as TrainingJob, nothing],
])('not one born %s', (_, newborns, job, observed) => {
  expect(newborns.has(job, observed)).toBe(false)
})
