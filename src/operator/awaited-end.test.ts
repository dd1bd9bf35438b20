import { expect, test } from 'vitest'
import type { Decision } from '../core/decision.ts'
import { type AtHand, AwaitedEnd } from './awaited-end.ts'

function decided(phase: Decision['phase'], leavesRunning = false): AtHand {
  const decision = { status: { phase }, phase, changed: true, urgent: true, actions: [], reasons: [] }
  return { decision: { ...decision, ...(leavesRunning && { leavesRunning }) } as Decision, resourceVersion: '1' }
}

const early = decided('Succeeded', true)

test('a success waits for the other replicas, but not for long', () => {
  const end = new AwaitedEnd(() => 300)
  expect(end.consider(early, 1000)).toBe(1300)
  expect(end.consider(early, 1200)).toBe(1300)
  expect(end.consider(early, 1300)).toBe(early)
})

test('it is told at once when the others have ended too', () => {
  const end = new AwaitedEnd(() => 300)
  end.consider(early, 1000)
  const whole = decided('Succeeded')
  expect(end.consider(whole, 1100)).toBe(whole)
})

test('it counts even if its pod has gone meanwhile', () => {
  const end = new AwaitedEnd(() => 300)
  end.consider(early, 1000)
  expect(end.consider(decided('Running'), 1100)).toMatchObject({ decision: early.decision })
  const next = decided('Running')
  expect(end.consider(next, 1200)).toBe(next)
})

test('without patience nothing waits', () => {
  expect(new AwaitedEnd(() => 0).consider(early, 1000)).toBe(early)
})

test('the success of a replica waits too, and the job is told with it', () => {
  const end = new AwaitedEnd(() => 300)
  const one = decided('Running', true)
  expect(end.consider(one, 1000)).toBe(1300)
  expect(end.consider(early, 1200)).toBe(1300)
  const whole = decided('Succeeded')
  expect(end.consider(whole, 1250)).toBe(whole)
})

test('the success of a replica is told in time if the others run on', () => {
  const end = new AwaitedEnd(() => 300)
  const one = decided('Running', true)
  end.consider(one, 1000)
  const two = decided('Running', true)
  expect(end.consider(two, 1300)).toBe(two)
})

test('the success of the job stays, whatever other replicas do meanwhile', () => {
  const end = new AwaitedEnd(() => 300)
  end.consider(early, 1000)
  expect(end.consider(decided('Running', true), 1100)).toBe(1300)
  expect(end.consider(decided('Running'), 1200)).toMatchObject({ decision: early.decision })
})
