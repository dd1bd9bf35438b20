import { expect, test } from 'vitest'
import { BusyPatience } from './busy-patience.ts'

const AT_REST = { news: 3_000, details: 15_000, end: 500, parts: 25 }

test.each([
  { waiting: 0, now: AT_REST },
  { waiting: 25, now: { news: 6_000, details: 30_000, end: 1_000, parts: 50 } },
  { waiting: 10_000, now: { news: 60_000, details: 60_000, end: 4_000, parts: 200 } },
])('with $waiting jobs that have something to store', ({ waiting, now }) => {
  const patience = new BusyPatience(AT_REST)
  const held = patience.now
  patience.count(waiting)
  expect(held).toEqual(now)
  patience.count(-waiting)
  expect(held).toEqual(AT_REST)
})

test('without any to begin with nothing ever waits', () => {
  const patience = new BusyPatience()
  patience.count(10_000)
  expect(patience.now).toEqual({ news: 0, details: 0, end: 0, parts: 0 })
})
