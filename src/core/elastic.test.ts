import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allocateReplicas } from './elastic.ts'

test.each([
  { expected: 8, weights: [1, 3], shares: [2, 6] },
  { expected: 7, weights: [1, 3], shares: [2, 5] },
  { expected: 5, weights: [1, 1], shares: [3, 2] },
  { expected: 7, weights: [3, 2], shares: [4, 3] },
  { expected: 3, weights: [1, 1, 1, 1], shares: [1, 1, 1, 0] },
  { expected: 4, weights: [0, 1], shares: [1, 3] },
  { expected: 1, weights: [1, 9], shares: [1, 0] },
  { expected: 2, weights: [0, 0], shares: [2, 0] },
])('$expected over $weights: $shares', ({ expected, weights, shares }) => {
  expect(allocateReplicas(expected, weights)).toEqual(shares)
})

test('all are shared out, none is negative, the first type has one', () => {
  const weights = fc.array(fc.nat(100), { minLength: 1, maxLength: 16 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4096 }), weights, (expected, w) => {
      const shares = allocateReplicas(expected, w)
      expect(shares.reduce((a, b) => a + b, 0)).toBe(expected)
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0)
      expect(shares[0]).toBeGreaterThanOrEqual(1)
    }),
  )
})
