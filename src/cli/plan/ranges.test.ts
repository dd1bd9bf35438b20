import { expect, test } from 'vitest'
import { commonText, rangeName, slotRanges } from './ranges.ts'

test.each([
  [[0], 'w-0'],
  [[0, 1, 2], 'w-{0..2}'],
  [[0, 2, 3, 4, 9], 'w-{0,2..4,9}'],
])('%j', (numbers, name) => {
  expect(rangeName('w-', numbers)).toBe(name)
})

test('replicas are gathered by type, in any order', () => {
  const slots = [
    { type: 'worker', index: 2 },
    { type: 'master', index: 0 },
    { type: 'worker', index: 0 },
    { type: 'worker', index: 1 },
  ]
  expect(slotRanges(slots)).toEqual(['worker-{0..2}', 'master-0'])
})

test.each([
  ['equal', ['a b', 'a b'], 'a b'],
  ['a rank', ['run --rank 0 x', 'run --rank 1 x'], 'run --rank {0..1} x'],
  ['a rank of several digits', ['r=9', 'r=10', 'r=11'], 'r={9..11}'],
  ['a number within a word', ['host-0.svc:80', 'host-1.svc:80'], 'host-{0..1}.svc:80'],
  ['a number before a digit', ['a0 8', 'a1 8'], 'a{0..1} 8'],
  ['words', ['do train', 'do test'], 'do t…'],
  ['another number of words', ['a b', 'a'], 'a…'],
  ['numbers out of order', ['p 5', 'p 3'], 'p …'],
])('texts that differ in %s', (_, texts, common) => {
  expect(commonText(texts, '…')).toBe(common)
})
