import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Gathered } from './gathered.ts'

let handed: string[]
beforeEach(() => {
  handed = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('what comes within a moment is handed on once, and never later than the moment', () => {
  const gathered = new Gathered(
    () => 25,
    (key) => handed.push(key),
  )
  for (const key of ['a', 'b', 'a']) gathered.add(key)
  vi.advanceTimersByTime(24)
  gathered.add('a')
  expect(handed).toEqual([])
  vi.advanceTimersByTime(1)
  expect(handed).toEqual(['a', 'b'])
  gathered.add('a')
  vi.advanceTimersByTime(25)
  expect(handed).toEqual(['a', 'b', 'a'])
})

test('the moment is as long as it is when the first one comes', () => {
  let moment = 25
  const gathered = new Gathered(
    () => moment,
    (key) => handed.push(key),
  )
  gathered.add('a')
  moment = 100
  vi.advanceTimersByTime(25)
  expect(handed).toEqual(['a'])
  gathered.add('b')
  vi.advanceTimersByTime(99)
  expect(handed).toEqual(['a'])
  vi.advanceTimersByTime(1)
  expect(handed).toEqual(['a', 'b'])
})

test('without a moment everything is handed on at once', () => {
  const gathered = new Gathered(
    () => 0,
    (key) => handed.push(key),
  )
  gathered.add('a')
  gathered.add('a')
  expect(handed).toEqual(['a', 'a'])
})

test('when it has stopped nothing comes any more', () => {
  const gathered = new Gathered(
    () => 25,
    (key) => handed.push(key),
  )
  gathered.add('a')
  gathered.stop()
  vi.advanceTimersByTime(100)
  expect(handed).toEqual([])
})
