import { expect, test } from 'vitest'
import { timeoutOf } from './timeout.ts'

test.each([
  ['5', 5_000],
  ['0.5', 500],
  ['0', 0],
  ['90s', 90_000],
  ['1h30m', 5_400_000],
  ['250ms', 250],
  ['24d', 2_073_600_000],
])('%s', (text, millis) => {
  expect(timeoutOf(text)).toEqual({ millis, text })
})

test.each(['', 'soon', '-1s', '5 m', '1e3'])('%j is no duration', (text) => {
  expect(() => timeoutOf(text)).toThrow(`--timeout ${text}: a duration such as 90s, 5m or 1h30m`)
})

test('longer than a timer can be', () => {
  expect(() => timeoutOf('25d')).toThrow('--timeout 25d: at most 24d')
})
