import { expect, test } from 'vitest'
import { trimPod } from '../trim.ts'
import { amountsOf, describeAmount, quantitiesOf, requestsOf } from './amounts.ts'
import { parseDuration } from './duration.ts'
import { selects } from './label-selector.ts'
import { readNode } from './read-objects.ts'
import { readPod } from './read-pod.ts'

test.each([
  ['3s', 3_000],
  ['1d12h', 129_600_000],
  ['1h30m', 5_400_000],
  ['250ms', 250],
  ['1m1ms', 60_001],
  ['1y1w', 32_140_800_000],
  ['0', undefined],
  ['0s', undefined],
  ['', undefined],
  ['soon', undefined],
])('a duration of %j', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

const labels = { disk: 'fast', zone: 'a' }
test.each([
  [{}, true],
  [{ matchLabels: { disk: 'fast' } }, true],
  [{ matchLabels: { disk: 'fast', zone: 'b' } }, false],
  [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] }, true],
  [{ matchExpressions: [{ key: 'gone', operator: 'In', values: ['a'] }] }, false],
  [{ matchExpressions: [{ key: 'gone', operator: 'NotIn', values: ['a'] }] }, true],
  [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }, false],
  [{ matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, true],
  [{ matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }, false],
  [{ matchExpressions: [{ key: 'zone', operator: 'Resembles', values: ['a'] }] }, false],
])('selector %j', (selector, matches) => {
  expect(selects(selector, labels)).toBe(matches)
})

test('amounts are read, rounded up, and written again', () => {
  const amounts = amountsOf({ cpu: '1500m', memory: '2Gi', 'nvidia.com/gpu': 2, tiny: '1m' })
  expect([...amounts.values()]).toEqual([1500, 2 ** 31, 2, 1])
  expect(quantitiesOf(amounts)).toEqual({ cpu: '1500m', memory: '2Gi', 'nvidia.com/gpu': '2', tiny: '1' })
  expect(['cpu', 'memory', 'nvidia.com/gpu'].map((name) => describeAmount(name, amounts.get(name)!))).toEqual([
    '1.5 CPU',
    '2Gi memory',
    '2 nvidia.com/gpu',
  ])
})

test('a pod asks for all its containers at once, or for its largest init container', () => {
  const container = (cpu: string, limits = {}) => ({ name: 'c', resources: { requests: { cpu }, limits } })
  const spec = { initContainers: [container('3')], containers: [container('1', { memory: '1Ki' }), container('1')] }
  expect(requestsOf({ spec })).toEqual(new Map(Object.entries({ pods: 1, cpu: 3000, memory: 1024 })))
})

test.each([
  [{}, undefined, 'waiting'],
  [{ spec: { schedulerName: 'somebody-else' } }, undefined, undefined],
  [{ spec: { schedulingGates: [{ name: 'g' }] } }, undefined, undefined],
  [{ spec: { nodeName: 'n' } }, undefined, 'placed'],
  [{}, 'n', 'placed'],
  [{ spec: { nodeName: 'n' }, metadata: { deletionTimestamp: 'now' } }, undefined, 'leaving'],
  [{ metadata: { deletionTimestamp: 'now' } }, undefined, undefined],
  [{ spec: { nodeName: 'n' }, status: { phase: 'Succeeded' } }, undefined, 'succeeded'],
  [{ spec: { nodeName: 'n' }, status: { phase: 'Failed' } }, undefined, undefined],
])('pod %j, assumed on %j, is %j', (pod, assumed, state) => {
  const { spec, ...rest } = pod as { spec?: object }
  expect(readPod({ ...rest, spec: { containers: [], ...spec } }, assumed, false)?.facts.state).toBe(state)
})

test.each([
  ['nodeSelector', { nodeSelector: { disk: 'fast' } }],
  ['tolerations', { tolerations: [{ operator: 'Exists' }] }],
  [
    'node affinity',
    {
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [] }] } },
      },
    },
  ],
])('pods with another %s are of another shape, also after what nobody reads was taken off', (_, spec) => {
  const pod = (rest: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { containers: [], ...rest } })
  const shape = (rest: object) => readPod(trimPod(pod(rest)), undefined, false)?.facts.shape
  expect(shape(spec)).not.toBe(shape({}))
  expect(shape(spec)).toBe(shape(structuredClone(spec)))
})

test('of a node only those taints count that keep pods away', () => {
  const taints = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'].map((effect) => ({ key: 'k', effect }))
  expect(readNode({ spec: { taints } }).taints?.map(({ effect }) => effect)).toEqual(['NoSchedule', 'NoExecute'])
})
