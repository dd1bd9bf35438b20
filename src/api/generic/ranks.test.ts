import { expect, test } from 'vitest'
import { validate } from '../validate.ts'
import { expandRank, rankProblem } from './ranks.ts'

test.each<[number | string, number[] | string]>([
  [2, [2]],
  ['2', [2]],
  ['1-3', [1, 2, 3]],
  ['*', [0, 1, 2, 3]],
  ['3-1', 'malformed'],
  ['a', 'malformed'],
  [4, 'out of range'],
  ['2-4', 'out of range'],
])('%j of four replicas', (element, ranks) => {
  expect(expandRank(element, 4)).toEqual(ranks)
  expect(rankProblem(element, 4)).toBe(typeof ranks === 'string' ? ranks : undefined)
})

test.each([1e9, 2e15])('a rule on all of %d replicas is not spelled out', (replicas) => {
  const template = { spec: { containers: [{ name: 'main', image: 'i' }] } }
  const { issues } = validate({
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'GenericJob',
    metadata: { name: 'many' },
    spec: {
      successRules: [{ worker: ['*'] }],
      failureRules: [{ worker: ['0-9'] }],
      replicaSpecs: [{ type: 'worker', replicas, template }],
    },
  })
  expect(issues.map(({ path }) => path.join('.'))).toEqual(['spec.replicaSpecs.0.replicas'])
})
