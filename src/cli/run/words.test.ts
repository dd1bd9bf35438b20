import { expect, test } from 'vitest'
import { ago, clock, counted, duration, span } from './words.ts'

test('times read as people write them', () => {
  expect([0, 7_900, 61_000, 3_723_000].map(clock)).toEqual(['0:00', '0:07', '1:01', '1:02:03'])
  expect([200, 4_400, 72_000, 7_500_000].map((time) => span(time, true))).toEqual(['0.2s', '4s', '1m12s', '2h05m'])
  expect([-500, 200].map((time) => span(time, false))).toEqual(['0s', '0s'])
  expect([400, 19_200, 72_000, 7_500_000].map(duration)).toEqual(['0.4 s', '19 s', '1 min 12 s', '2 h 5 min'])
  expect([10, 1_000, 125_000, 7_300_000, 200_000_000].map(ago)).toEqual([
    'just now',
    '1 second ago',
    '2 minutes ago',
    '2 hours ago',
    '2 days ago',
  ])
  expect([counted(1, 'worker'), counted(0, 'worker')]).toEqual(['1 worker', '0 workers'])
})
