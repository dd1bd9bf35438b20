import { expect, test } from 'vitest'
import { formatAge } from './duration.ts'

const S = 1000
const M = 60 * S
const H = 60 * M
const D = 24 * H

test.each([
  [0, '0s'],
  [119 * S, '119s'],
  [120 * S, '2m'],
  [150 * S, '2m30s'],
  [10 * M, '10m'],
  [179 * M, '179m'],
  [3 * H, '3h'],
  [3 * H + 5 * M, '3h5m'],
  [8 * H, '8h'],
  [47 * H, '47h'],
  [2 * D, '2d'],
  [2 * D + H, '2d1h'],
  [8 * D, '8d'],
  [729 * D, '729d'],
  [731 * D, '2y1d'],
  [-5 * S, '<invalid>'],
])('%i ms is %s', (age, text) => {
  expect(formatAge(age)).toBe(text)
})
