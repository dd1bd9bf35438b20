import { expect, test } from 'vitest'
import type { Node, Pod } from '../../gen/kubernetes-types.ts'
import { placePods } from './place.ts'

const node = (name: string, cpu: string, labels = {}): Node => ({
  metadata: { name, labels },
  status: { allocatable: { cpu, memory: '8Gi', pods: '10' }, conditions: [{ type: 'Ready', status: 'True' }] },
})
const pod = (
  name: string,
  cpu: string,
  extra: { at?: string; phase?: string; spec?: object; job?: string } = {},
): Pod => ({
  metadata: {
    name,
    uid: name,
    creationTimestamp: '2026-01-01T00:00:00Z',
    ownerReferences: [{ apiVersion: '', kind: '', uid: '', name: extra.job ?? name, controller: true }],
  },
  spec: { nodeName: extra.at, containers: [{ name: 'c', resources: { requests: { cpu } } }], ...extra.spec },
  status: { phase: extra.phase ?? 'Pending' },
})
const place = (nodes: Node[], pods: Pod[], assumed = new Map<string, string>()) =>
  placePods({ nodes, pods, assumed, isOurs: () => true })
const names = (placement: ReturnType<typeof place>) =>
  placement.bindings.map(({ pod: p, node: n }) => `${p.metadata?.name}@${n}`)

test('pods go where there is room, and no further', () => {
  const placement = place(
    [node('a', '2'), node('b', '1')],
    [pod('p1', '1'), pod('p2', '1'), pod('p3', '1'), pod('p4', '1')],
  )
  expect(names(placement)).toEqual(['p1@a', 'p2@a', 'p3@b'])
  expect(placement.waiting[0]?.pod.metadata?.name).toBe('p4')
})

test('pods that ended hold nothing; placements under way hold what they will', () => {
  expect(names(place([node('a', '1')], [pod('old', '1', { at: 'a', phase: 'Succeeded' }), pod('new', '1')]))).toEqual([
    'new@a',
  ])
  expect(names(place([node('a', '1')], [pod('p1', '1'), pod('p2', '1')], new Map([['p1', 'a']])))).toEqual([])
})

test('says what is missing and who has it', () => {
  const pods = [pod('p1', '4', { at: 'a', job: 'sweep-3' }), pod('p2', '3', { at: 'a', job: 'digits' }), pod('p3', '2')]
  expect(place([node('a', '8')], pods).waiting[0]?.reason).toBe(
    'needs 2 CPU, 1 of 8 free; sweep-3 holds 4, digits holds 3',
  )
  expect(place([node('a', '8')], [pod('p', '9')]).waiting[0]?.reason).toBe('needs 9 CPU, but the machine has 8 in all')
})

test('a nodeSelector is obeyed', () => {
  const selective = pod('p', '1', { spec: { nodeSelector: { disk: 'fast' }, containers: [] } })
  expect(names(place([node('a', '8'), node('b', '8', { disk: 'fast' })], [selective]))).toEqual(['p@b'])
  expect(place([node('a', '8')], [selective]).waiting[0]?.reason).toContain('nodeSelector')
})

test('higher priority goes first', () => {
  const urgent = pod('z', '1', {
    spec: { priority: 5, containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] },
  })
  expect(names(place([node('a', '1')], [pod('a', '1'), urgent]))).toEqual(['z@a'])
})
