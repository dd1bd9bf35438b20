import { expect, test } from 'vitest'
import { formatQuantity, parseQuantity } from './quantity.ts'

test.each([
  ['1', 1_000_000_000n],
  [2, 2_000_000_000n],
  ['500m', 500_000_000n],
  ['0.5', 500_000_000n],
  ['1.5Gi', 1_610_612_736_000_000_000n],
  ['128Mi', 134_217_728_000_000_000n],
  ['1e3', 1_000_000_000_000n],
  ['1E', 1_000_000_000_000_000_000_000_000_000n],
  ['100u', 100_000n],
  ['7n', 7n],
  ['.5', 500_000_000n],
  ['-1', -1_000_000_000n],
  ['', undefined],
  ['1 Gi', undefined],
  ['ten', undefined],
])('%j', (quantity, expected) => {
  expect(parseQuantity(String(quantity))?.nano).toBe(expected)
})

test.each([
  ['1024Mi', '1Gi'],
  ['1500m', '1500m'],
  ['0.5', '500m'],
  ['2000', '2k'],
  ['1536Mi', '1536Mi'],
  ['1e6', '1e6'],
])('%s is written %s', (quantity, canonical) => {
  expect(formatQuantity(parseQuantity(quantity)!)).toBe(canonical)
})
