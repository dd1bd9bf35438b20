import { expect, test } from 'vitest'
import { stopSignalOf } from './stop-signal.ts'

test.each([
  [undefined, 15],
  ['SIGTERM', 15],
  ['SIGINT', 2],
  ['SIGUSR1', 10],
  ['SIGRTMIN', 34],
  ['SIGRTMIN+3', 37],
  ['SIGRTMAX-1', 63],
  ['SIGRTMIN+31', 15],
  ['SIGNONE', 15],
])('stopSignal %s is signal %i', (name, signal) => {
  expect(stopSignalOf(name)).toBe(signal)
})
