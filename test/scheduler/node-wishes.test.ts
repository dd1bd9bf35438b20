// Which nodes a pod may use, by Kubernetes' rules, and what is said where there is none.
import { expect, test } from 'vitest'
import type { NodeTaint, PodFacts } from '../../src/scheduler/place/snapshot.ts'
import { StagedCluster } from './staged-cluster.ts'

const only: NodeTaint = { key: 'gpu', value: 'only', effect: 'NoSchedule' }
const wish = (key: string, operator: string, ...values: string[]) => ({ matchExpressions: [{ key, operator, values }] })
const three = (): StagedCluster =>
  new StagedCluster()
    .node('a', { cpu: 4 }, { labels: { zone: 'x', rank: '1' } })
    .node('b', { cpu: 4 }, { labels: { zone: 'y', rank: '10' } })
    .node('c', { cpu: 4 }, { labels: { rank: '20' } })
    .queue('q')
/** Where a pod goes; each has a node to itself. */
const chosen = (facts: Partial<PodFacts>): string[] => {
  const cluster = three()
  for (const name of ['p', 'q', 'r']) cluster.pod(name, 'q', { cpu: 4 }, facts)
  return cluster.decide().bound.map((bound) => bound.split('@')[1]!)
}

test.each<[string, PodFacts['affinity'], string[]]>([
  ['In', [wish('zone', 'In', 'x', 'z')], ['a']],
  ['NotIn, also where there is no such label', [wish('zone', 'NotIn', 'x')], ['b', 'c']],
  ['Exists', [wish('zone', 'Exists')], ['a', 'b']],
  ['DoesNotExist', [wish('zone', 'DoesNotExist')], ['c']],
  ['Gt counts', [wish('rank', 'Gt', '9')], ['b', 'c']],
  ['Lt counts', [wish('rank', 'Lt', '10')], ['a']],
  ['Gt of what is no number', [wish('zone', 'Gt', '1')], []],
  ['one of several terms', [wish('zone', 'In', 'x'), wish('rank', 'In', '20')], ['a', 'c']],
  [
    'all of a term',
    [
      {
        matchExpressions: [...wish('zone', 'Exists').matchExpressions, { key: 'rank', operator: 'In', values: ['10'] }],
      },
    ],
    ['b'],
  ],
  ['by name', [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['c'] }] }], ['c']],
  ['a term that asks for nothing', [{}], []],
  ['no term at all', [], []],
])('affinity: %s', (_, affinity, nodes) => {
  expect(chosen({ affinity })).toEqual(nodes)
})

test.each<[string, PodFacts['tolerations'], boolean]>([
  ['nothing', undefined, false],
  ['its value', [{ key: 'gpu', operator: 'Equal', value: 'only' }], true],
  ['its value, without saying how', [{ key: 'gpu', value: 'only', effect: 'NoSchedule' }], true],
  ['another value', [{ key: 'gpu', value: 'some' }], false],
  ['its key', [{ key: 'gpu', operator: 'Exists' }], true],
  ['another effect', [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }], false],
  ['everything', [{ operator: 'Exists' }], true],
  ['another key', [{ key: 'cpu', operator: 'Exists' }], false],
])('a pod that tolerates %s', (_, tolerations, comes) => {
  const cluster = new StagedCluster().node('n', { cpu: 4 }, { taints: [only] }).queue('q')
  const { bound, waits } = cluster.pod('p', 'q', { cpu: 1 }, { tolerations }).decide()
  expect(bound).toEqual(comes ? ['p@n'] : [])
  expect(waits.p).toEqual(
    comes
      ? undefined
      : {
          reason: 'NoMatchingNode',
          message: 'does not tolerate the taint gpu=only:NoSchedule of node n; 1st of 1 in queue q',
        },
  )
})

test('only the nodes it may use are counted, and nobody leaves a node that would not help', () => {
  const cluster = three().queue('high', {}, { priority: 5 })
  cluster
    .pod('x', 'q', { cpu: 4 }, { node: 'a' })
    .pod('y', 'q', { cpu: 3 }, { node: 'b' })
    .pod('z', 'high', { cpu: 4 }, { node: 'c' })
    .pod('p', 'high', { cpu: 4 }, { affinity: [wish('rank', 'Gt', '1')] })
  expect(cluster.decide().evicted).toEqual(['y'])
  const waiting = three()
    .pod('x', 'q', { cpu: 3 }, { node: 'a' })
    .pod('p', 'q', { cpu: 2 }, { affinity: [wish('zone', 'In', 'x')] })
  expect(waiting.decide().waits.p?.message).toBe('needs 2 CPU, 1 of 4 free; x holds 3; 1st of 1 in queue q')
})

test('pods that ask for the same of other nodes do not spoil each other', () => {
  const cluster = new StagedCluster()
    .node('a', { cpu: 1 })
    .node('b', { cpu: 1 }, { taints: [only] })
    .queue('q')
  cluster.pod('x', 'q', { cpu: 1 }, { node: 'a' })
  cluster.pod('plain', 'q', { cpu: 1 }).pod('tolerant', 'q', { cpu: 1 }, { tolerations: [{ operator: 'Exists' }] })
  expect(cluster.decide().bound).toEqual(['tolerant@b'])
})

test('what nobody offers is named', () => {
  const told = three()
    .pod('p', 'q', { cpu: 1 }, { affinity: [wish('zone', 'In', 'nowhere')], nodeSelector: { zone: 'x' } })
    .decide()
  expect(told.waits.p?.message).toBe(
    'none of 3 nodes matches its nodeSelector and its node affinity and is ready; 1st of 1 in queue q',
  )
})
