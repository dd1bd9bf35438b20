import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { Deadlines } from './deadlines.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('every key comes once, at its last given moment, in order', () => {
  const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.option(fc.nat(200_000)))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      vi.useFakeTimers()
      const start = Date.now()
      const fired: Array<[string, number]> = []
      const deadlines = new Deadlines((key) => fired.push([key, Date.now() - start]))
      const wanted = new Map<string, number>()
      for (const [key, at] of steps) {
        if (at === null) {
          deadlines.cancel(key)
          wanted.delete(key)
        } else {
          deadlines.set(key, start + at)
          wanted.set(key, at)
        }
      }
      vi.advanceTimersByTime(200_001)
      expect(new Map(fired)).toEqual(wanted)
      expect(fired).toHaveLength(wanted.size)
      expect(fired.map(([, at]) => at)).toEqual(fired.map(([, at]) => at).sort((x, y) => x - y))
      expect(vi.getTimerCount()).toBe(0)
    }),
  )
})

test('a clock that jumps ahead, as after sleep, is noticed within a minute', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let now = 0
  const fired: string[] = []
  const deadlines = new Deadlines(
    (key) => fired.push(key),
    () => now,
  )
  deadlines.set('a', 8 * 3_600_000)
  now = 9 * 3_600_000
  vi.advanceTimersByTime(60_000)
  expect(fired).toEqual(['a'])
})
