import { expect, test } from 'vitest'
import { amountOf, formatCount, formatMemory, podNeeds } from './quantities.ts'

test.each([
  ['500m', 0.5],
  [2, 2],
  ['1.5', 1.5],
  ['1e3', 1000],
  ['64Gi', 64 * 2 ** 30],
  ['1k', 1000],
  ['100u', 0.0001],
  ['lots', undefined],
  ['1Gib', undefined],
  [undefined, undefined],
])('%j', (text, amount) => {
  if (amount === undefined) expect(amountOf(text)).toBeUndefined()
  else expect(amountOf(text)).toBeCloseTo(amount, 9)
})

test('a pod asks for its containers together, or for its hungriest init container', () => {
  const container = (limits: object, requests?: object) => ({ name: 'c', resources: { limits, requests } }) as never
  const spec = {
    initContainers: [container({ cpu: '4', memory: '1Gi' }), container({ cpu: '1' })],
    containers: [
      container({ cpu: '2', memory: '2Gi', 'nvidia.com/gpu': 1 }, { cpu: '500m' }),
      container({ memory: '1Gi' }),
    ],
  }
  expect(podNeeds(spec)).toEqual({ cpu: 4, memory: 3 * 2 ** 30, gpu: 1 })
  expect(podNeeds({ containers: [{ name: 'c' }] })).toEqual({})
})

test('amounts in few characters', () => {
  expect([formatCount(0.1 + 0.2, '-'), formatCount(undefined, '-')]).toEqual(['0.3', '-'])
  expect([0, 900, 2 ** 20 * 512, 1.5 * 2 ** 30, 64 * 60 * 2 ** 30].map((bytes) => formatMemory(bytes, '-'))).toEqual([
    '0',
    '900',
    '512Mi',
    '1.5Gi',
    '3.8Ti',
  ])
})
