import { expect, test } from 'vitest'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { PodGroup, Queue } from '../../api/queue/queue-object.ts'
import { buildGroupStatus } from './group-status.ts'
import { buildQueueStatus } from './queue-status.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const pod = (phase: string, nodeName?: string, role = ''): Pod => ({
  metadata: { labels: { 'scheduler.tensorstack.dev/role': role } },
  spec: { nodeName, containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }] },
  status: { phase },
})
const group = (spec: PodGroup['spec'], status?: PodGroup['status']): PodGroup => ({
  apiVersion: '',
  kind: 'PodGroup',
  metadata: { name: 'g' },
  spec,
  status,
})
const waits = { reason: 'QueueClosed', message: 'queue q is closed' }
const verdicts = (status: ReturnType<typeof buildGroupStatus>) =>
  status?.conditions?.map(({ type, status: is, reason }) => `${type} ${is} ${reason}`)

test('nothing is said of a group before somebody has looked at it', () => {
  expect(buildGroupStatus(group({ minMember: 2 }), [pod('Pending')], undefined, NOW)).toBeUndefined()
})

test('a group that waits says why, and whether its pods are there', () => {
  const status = buildGroupStatus(group({ minMember: 2 }), [pod('Pending')], waits, NOW)
  expect(verdicts(status)).toEqual([
    'GroupScheduled False QueueClosed',
    'SufficientGroupMember False InsufficientMemberPods',
  ])
  expect(status).toMatchObject({ pending: 1, running: 0, allocated: {} })
})

test('a group is placed when all it needs is on nodes, every role for itself', () => {
  const roles = [{ name: 'ps', minMember: 1 }]
  const placed = [pod('Running', 'n'), pod('Running', 'n')]
  expect(verdicts(buildGroupStatus(group({ minMember: 2 }), placed, undefined, NOW))?.[0]).toBe(
    'GroupScheduled True PodGroupScheduled',
  )
  expect(buildGroupStatus(group({ minMember: 2, roles }), placed, undefined, NOW)).toBeUndefined()
  const withRole = [pod('Running', 'n', 'ps'), pod('Running', 'n')]
  const status = buildGroupStatus(group({ minMember: 2, roles }), withRole, undefined, NOW)
  expect(status).toMatchObject({ running: 2, allocated: { cpu: '4', pods: '2' } })
})

test('it stays placed while part of it runs or all of it has ended, and is no longer when all was removed', () => {
  const before = buildGroupStatus(group({ minMember: 2 }), [pod('Running', 'n'), pod('Running', 'n')], undefined, NOW)
  const later = (pods: Pod[]) => verdicts(buildGroupStatus(group({ minMember: 2 }, before), pods, waits, NOW))?.[0]
  expect(later([pod('Running', 'n'), pod('Pending')])).toBe('GroupScheduled True PodGroupScheduled')
  expect(later([pod('Succeeded', 'n'), pod('Failed', 'n')])).toBe('GroupScheduled True PodGroupScheduled')
  expect(later([pod('Pending'), pod('Pending')])).toBe('GroupScheduled False QueueClosed')
})

test('every turn of a condition has a number and a time of its own', () => {
  const first = buildGroupStatus(group({ minMember: 1 }), [pod('Pending')], waits, NOW)
  const again = buildGroupStatus(
    group({ minMember: 1 }, first),
    [pod('Pending')],
    { ...waits, message: 'still' },
    NOW + 5_000,
  )
  expect(again?.conditions?.[0]).toMatchObject({ transitionID: '1', lastTransitionTime: '2026-11-16T12:00:00Z' })
  const turned = buildGroupStatus(group({ minMember: 1 }, again), [pod('Running', 'n')], undefined, NOW + 9_000)
  expect(turned?.conditions?.[0]).toMatchObject({ transitionID: '2', lastTransitionTime: '2026-11-16T12:00:09Z' })
})

test('a queue says what it uses, whether it is open, and when it is nearly full', () => {
  const queue = (spec: Queue['spec'], uid = 'u'): Queue => ({
    apiVersion: '',
    kind: 'Queue',
    metadata: { name: 'q', namespace: 't9k-system', uid },
    spec,
  })
  const of = (spec: Queue['spec'], pods: Pod[]) => buildQueueStatus(queue(spec), queue(spec), 3, pods, NOW)
  const used = [pod('Running', 'n'), pod('Succeeded', 'n'), pod('Pending')]
  expect(of({ requests: { cpu: 4 } }, used)).toMatchObject({
    allocated: { cpu: '2', pods: '1' },
    podGroups: { total: 3 },
    pods: { pending: 1, running: 1, succeeded: 1, failed: 0, unknown: 0 },
    conditions: [
      { type: 'QueueClosed', status: 'False', reason: 'QueueOpen', message: 'Queue is open' },
      { type: 'ResourcePressure', status: 'False', reason: 'QueueHasNoResourcePressure' },
    ],
  })
  expect(of({ closed: true, quota: { requests: { cpu: 2 } } }, used).conditions).toMatchObject([
    { type: 'QueueClosed', status: 'True', reason: 'QueueClosed' },
    { type: 'ResourcePressure', status: 'True', reason: 'QueueHasResourcePressure' },
  ])
  const overruled = buildQueueStatus(queue({}, 'other'), queue({}), 3, used, NOW)
  expect(overruled).toMatchObject({ allocated: {}, podGroups: { total: 0 } })
  expect(overruled.conditions?.[0]).toMatchObject({ type: 'Overruled', status: 'True', reason: 'NameTaken' })
})
