import { expect, test } from 'vitest'
import { decidePlacement, type Gang } from './place-pods.ts'

function waiting(count: number, group?: string, from = 0) {
  return Array.from({ length: count }, (_, i) => ({ name: `p${from + i}`, order: from + i, ...(group && { group }) }))
}

function placed(pods: ReturnType<typeof waiting>, free: number, gang?: Gang): string[] {
  return decidePlacement(pods, free, new Map(gang && [['g', gang]])).map((pod) => pod.name)
}

test('as many as there is room for, in order of their turn', () => {
  expect(placed(waiting(4).reverse(), 2)).toEqual(['p0', 'p1'])
  expect(placed(waiting(4), Number.POSITIVE_INFINITY)).toHaveLength(4)
  expect(placed(waiting(4), 0)).toEqual([])
})

test.each([
  { why: 'all fit', pods: 4, free: 4, gang: { minMember: 4, placed: 0, started: false }, count: 4 },
  { why: 'one place is missing', pods: 4, free: 3, gang: { minMember: 4, placed: 0, started: false }, count: 0 },
  { why: 'one pod is missing', pods: 3, free: 9, gang: { minMember: 4, placed: 0, started: false }, count: 0 },
  { why: 'the minimum fits, not all', pods: 6, free: 4, gang: { minMember: 3, placed: 0, started: false }, count: 4 },
  { why: 'one replaces another', pods: 1, free: 1, gang: { minMember: 4, placed: 3, started: true }, count: 1 },
  { why: 'more than the minimum, later', pods: 2, free: 1, gang: { minMember: 4, placed: 4, started: true }, count: 1 },
  {
    why: 'all again but for one whose pod is gone',
    pods: 3,
    free: 3,
    gang: { minMember: 4, placed: 0, started: true },
    count: 3,
  },
  {
    why: 'all again, but there is no room',
    pods: 4,
    free: 3,
    gang: { minMember: 4, placed: 0, started: true },
    count: 0,
  },
  { why: 'its PodGroup is not there yet', pods: 4, free: 9, gang: undefined, count: 0 },
])('a gang: $why', ({ pods, free, gang, count }) => {
  expect(placed(waiting(pods, 'g'), free, gang)).toHaveLength(count)
})

test('a gang that must wait does not hold up the others', () => {
  const pods = [...waiting(3, 'g'), ...waiting(2, undefined, 3)]
  expect(placed(pods, 2, { minMember: 3, placed: 0, started: false })).toEqual(['p3', 'p4'])
})
