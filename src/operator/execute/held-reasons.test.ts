import { expect, test } from 'vitest'
import type { Reason } from '../../core/decision.ts'
import { HeldReasons } from './held-reasons.ts'

const running: Reason = { object: 'job', type: 'Normal', event: 'Running', message: 'all run', phase: 'Running' }

test('a phase is told once when it is stored', () => {
  const held = new HeldReasons()
  held.hold([running])
  expect(held.release([running], 'Running')).toEqual([running])
  expect(held.release([], 'Running')).toEqual([])
})

test('a phase that was never stored is not told', () => {
  const held = new HeldReasons()
  held.hold([running])
  expect(held.release([], 'Succeeded')).toEqual([])
  expect(held.release([], 'Running')).toEqual([])
})
