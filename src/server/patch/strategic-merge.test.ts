import { expect, test } from 'vitest'
import { kubernetesSchema } from '../schema/kubernetes-schemas.ts'
import { applyStrategicMerge } from './strategic-merge.ts'

const schema = kubernetesSchema('io.k8s.api.core.v1.Pod')
const merge = (target: unknown, patch: unknown) => applyStrategicMerge(schema, target, patch)
const containers = (...names: string[]) => ({ spec: { containers: names.map((name) => ({ name })) } })

test.each([
  [
    'an item by its key',
    containers('a', 'b'),
    { spec: { containers: [{ name: 'b', image: 'x' }] } },
    { spec: { containers: [{ name: 'a' }, { name: 'b', image: 'x' }] } },
  ],
  ['a new item comes first', containers('a'), { spec: { containers: [{ name: 'b' }] } }, containers('b', 'a')],
  [
    'an item deleted',
    containers('a', 'b'),
    { spec: { containers: [{ name: 'a', $patch: 'delete' }] } },
    containers('b'),
  ],
  [
    'all items replaced',
    containers('a', 'b'),
    { spec: { containers: [{ $patch: 'replace' }, { name: 'c' }] } },
    containers('c'),
  ],
  [
    'an order given',
    containers('a', 'b'),
    { spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] } },
    containers('b', 'a'),
  ],
  [
    'others keep their place',
    containers('a', 'x', 'b'),
    { spec: { '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }], containers: [] } },
    containers('a', 'x', 'b'),
  ],
  [
    'a list without a key is replaced',
    { spec: { containers: [{ name: 'a', args: ['1', '2'] }] } },
    { spec: { containers: [{ name: 'a', args: ['3'] }] } },
    { spec: { containers: [{ name: 'a', args: ['3'] }] } },
  ],
  [
    'null removes',
    { metadata: { labels: { a: '1', b: '2' } } },
    { metadata: { labels: { a: null } } },
    { metadata: { labels: { b: '2' } } },
  ],
  [
    'a map replaced',
    { metadata: { labels: { a: '1' } } },
    { metadata: { labels: { $patch: 'replace', b: '2' } } },
    { metadata: { labels: { b: '2' } } },
  ],
  [
    'a word taken from a list',
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
    { metadata: { finalizers: ['b'] } },
  ],
  [
    'only retained keys stay',
    { spec: { securityContext: { runAsUser: 1, runAsGroup: 2 } } },
    { spec: { securityContext: { $retainKeys: ['runAsUser'], runAsUser: 3 } } },
    { spec: { securityContext: { runAsUser: 3 } } },
  ],
])('%s', (_, target, patch, expected) => {
  expect(merge(target, patch)).toEqual(expected)
})

test('an item without its key is refused', () => {
  expect(() => merge(containers('a'), { spec: { containers: [{ image: 'x' }] } })).toThrow(
    'map: map[image:x] does not contain declared merge key: name',
  )
})
