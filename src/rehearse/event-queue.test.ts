import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventQueue } from './event-queue.ts'

test('whatever order it is filled in, it gives by time, turn and order', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ at: fc.nat(5), turn: fc.nat(3) })), (entries) => {
      const queue = new EventQueue()
      const taken: number[] = []
      for (const [i, entry] of entries.entries()) queue.put({ ...entry, happen: () => taken.push(i) })
      for (let next = queue.take(); next; next = queue.take()) next.happen()
      const sorted = entries
        .map((entry, i) => ({ ...entry, i }))
        .sort((a, b) => a.at - b.at || a.turn - b.turn || a.i - b.i)
      expect(taken).toEqual(sorted.map(({ i }) => i))
    }),
  )
})

test('what is put at infinity never happens', () => {
  const queue = new EventQueue()
  queue.put({ at: Number.POSITIVE_INFINITY, turn: 0, happen: () => {} })
  expect(queue.nextAt).toBeUndefined()
  expect(queue.take()).toBeUndefined()
})
