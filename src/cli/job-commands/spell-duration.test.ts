import { expect, test } from 'vitest'
import { spellAge, spellDuration, spellWait } from './spell-duration.ts'

const s = 1000
const m = 60 * s
const h = 60 * m

test.each([
  [-5, '0s'],
  [73 * s, '73s'],
  [5 * m + 41 * s, '5m41s'],
  [6 * m, '6m'],
  [14 * m + 9 * s, '14m'],
  [3 * h + 20 * m, '3h20m'],
  [30 * h, '30h'],
  [50 * h, '2d2h'],
  [240 * h, '10d'],
])('%i ms ago is %s', (ms, text) => expect(spellAge(ms)).toBe(text))

test.each([
  [0, '0s'],
  [18_600, '19s'],
  [72 * s, '1m12s'],
  [2 * h + 5 * m, '2h5m'],
  [49 * h, '2d1h'],
])('%i ms take %s', (ms, text) => expect(spellDuration(ms)).toBe(text))

test('a wait has a tenth of a second', () => {
  expect(spellWait(1_420)).toBe('1.4 s')
  expect(spellWait(90_000)).toBe('1m30s')
})
