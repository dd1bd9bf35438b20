import { expect, test } from 'vitest'
import type { PodStatus } from '../../gen/kubernetes-types.ts'
import type { JobStatus, KubeObject } from '../api/types.ts'
import { decide } from './decide.ts'
import type { Action, Observed } from './decision.ts'
import { type GangScheduler, standingOf } from './gangs.ts'
import { FULL_CLUSTER } from './plan.ts'
import { read } from './read.ts'

const NOW = Date.parse('2026-05-01T10:00:00Z')
const model = read({
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'j', namespace: 'n', uid: 'u' },
  spec: {
    scheduler: { t9kScheduler: { queue: 'team', priority: 7 } },
    replicaSpecs: [
      { type: 'master', replicas: 3, template: { spec: { containers: [{ name: 'pytorch', image: 'i' }] } } },
    ],
  },
})

function created(gangScheduler: GangScheduler | undefined, podGroup?: KubeObject): Action[] {
  const cluster = { ...FULL_CLUSTER, gangScheduler }
  const observed = { status: {}, pods: [], services: [], nodes: new Map(), podGroup, cluster }
  return decide(model, observed, NOW).actions
}

function objectsOf(scheduler: GangScheduler | undefined, kind: string): Array<KubeObject & Record<string, unknown>> {
  return created(scheduler).flatMap((action) =>
    action.verb === 'create' && action.kind === kind ? [action.object] : [],
  ) as never
}

test.each([
  ['t9k', 'scheduler.tensorstack.dev/v1beta1', { minMember: 3, queue: 'team', priority: 7 }],
  ['volcano', 'scheduling.volcano.sh/v1beta1', { minMember: 3, queue: 'team' }],
  ['coscheduling', 'scheduling.x-k8s.io/v1alpha1', { minMember: 3 }],
] as const)('%s gets one group of its own kind, named as the job', (scheduler, apiVersion, spec) => {
  expect(objectsOf(scheduler, 'PodGroup')).toMatchObject([{ apiVersion, metadata: { name: 'j' }, spec }])
  expect(objectsOf(scheduler, 'PodGroup')[0]!.spec).toEqual(spec)
})

test.each([
  [
    't9k',
    't9k-scheduler',
    { labels: { 'scheduler.tensorstack.dev/group-name': 'j', 'scheduler.tensorstack.dev/queue': 'team' } },
  ],
  ['volcano', 'volcano', { annotations: { 'scheduling.k8s.io/group-name': 'j' } }],
  ['coscheduling', 'scheduler-plugins-scheduler', { labels: { 'scheduling.x-k8s.io/pod-group': 'j' } }],
  [
    'kueue',
    undefined,
    {
      labels: { 'kueue.x-k8s.io/queue-name': 'team', 'kueue.x-k8s.io/pod-group-name': 'j' },
      annotations: { 'kueue.x-k8s.io/pod-group-total-count': '3' },
    },
  ],
] as const)('the pods of a gang say to %s where they belong', (scheduler, schedulerName, metadata) => {
  const pods = objectsOf(scheduler, 'Pod')
  expect(pods).toHaveLength(3)
  for (const pod of pods) {
    expect(pod).toMatchObject({ metadata })
    expect((pod.spec as { schedulerName?: string }).schedulerName).toBe(schedulerName)
  }
})

test('Kueue needs no group, and no scheduler gets none', () => {
  expect(objectsOf('kueue', 'PodGroup')).toEqual([])
  expect(objectsOf(undefined, 'PodGroup')).toEqual([])
  expect(objectsOf(undefined, 'Pod')[0]!.metadata.labels).not.toHaveProperty('kueue.x-k8s.io/pod-group-name')
})

test('a group that is as it should be is left alone, whatever its scheduler put in; another size is set right', () => {
  const [group] = objectsOf('volcano', 'PodGroup')
  const there = { ...group!, spec: { ...(group!.spec as object), queue: 'moved', minResources: { cpu: '3' } } }
  expect(created('volcano', there).filter((action) => 'kind' in action && action.kind === 'PodGroup')).toEqual([])
  const small = { ...group!, metadata: { ...group!.metadata, uid: 'g' }, spec: { minMember: 1, queue: 'team' } }
  expect(created('volcano', small)).toContainEqual({
    verb: 'patch',
    kind: 'PodGroup',
    name: 'j',
    uid: 'g',
    patch: { spec: { minMember: 3 } },
  })
})

test.each<[GangScheduler, object, object | undefined]>([
  ['t9k', { conditions: [{ type: 'GroupScheduled', status: 'True', reason: 'R', message: 'm' }] }, { placed: true }],
  ['t9k', {}, undefined],
  ['volcano', { phase: 'Running' }, { placed: true }],
  [
    'volcano',
    {
      phase: 'Pending',
      conditions: [{ type: 'Unschedulable', status: 'True', reason: 'NotEnoughResources', message: '3/3 tasks' }],
    },
    { placed: false, reason: 'NotEnoughResources', message: '3/3 tasks' },
  ],
  ['volcano', {}, undefined],
  ['coscheduling', { phase: 'Scheduling' }, { placed: false, reason: 'Scheduling' }],
  ['coscheduling', { phase: 'Scheduled' }, { placed: true }],
  ['coscheduling', {}, undefined],
])('what %s says of a group: %j', (scheduler, status, standing) => {
  const group = { apiVersion: 'v', kind: 'PodGroup', metadata: {}, status }
  if (standing) expect(standingOf(scheduler, group)).toMatchObject(standing)
  else expect(standingOf(scheduler, group)).toBeUndefined()
})

test.each<[GangScheduler, boolean]>([
  ['t9k', false],
  ['volcano', false],
  ['coscheduling', true],
  ['kueue', true],
])('where %s does not say why a group waits, its pods do: %s', (scheduler, told) => {
  // What coscheduling was seen to say: one pod knows the cause.
  const words = ['optimistic rejection in PostFilter', 'Insufficient cpu', 'rejection in Unreserve']
  const waits = (i: number): PodStatus => {
    const message = `0/1 nodes are available: 1 ${words[i]}.`
    return { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', message }] }
  }
  const pods = objectsOf(scheduler, 'Pod').map((pod, i) => ({
    ...pod,
    metadata: { ...pod.metadata, namespace: 'n', uid: `p${i}`, creationTimestamp: '2026-05-01T09:59:00Z' },
    status: waits(i),
  }))
  const cluster = { ...FULL_CLUSTER, gangScheduler: scheduler }
  const observed = { status: {}, pods, services: [], nodes: new Map(), cluster } as unknown as Observed
  const { status } = decide(model, observed, NOW)
  const held = (status as JobStatus).conditions?.find(({ type }) => type === 'HeldUp')
  expect(held?.message).toBe(told ? 'master-0, master-1, master-2: 0/1 nodes fit: 1 too little cpu' : undefined)
})

test('a cause that was told stays while the pods only say that they were turned away', () => {
  const turnedAway = '0/1 nodes are available: 1 rejection in Unreserve.'
  const status = (message: string): PodStatus => ({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', message }],
  })
  const heldUp = (before: JobStatus, ...messages: string[]): JobStatus => {
    const pods = objectsOf('coscheduling', 'Pod').map((pod, i) => ({
      ...pod,
      metadata: { ...pod.metadata, namespace: 'n', uid: `p${i}`, creationTimestamp: '2026-05-01T09:59:00Z' },
      status: status(messages[i] ?? turnedAway),
    }))
    const cluster = { ...FULL_CLUSTER, gangScheduler: 'coscheduling' as const }
    const observed = { status: before, pods, services: [], nodes: new Map(), cluster } as unknown as Observed
    return decide(model, observed, NOW).status as JobStatus
  }
  const messageOf = (status: JobStatus) => status.conditions?.find(({ type }) => type === 'HeldUp')?.message
  const cause = heldUp({}, '0/1 nodes are available: 1 Insufficient cpu.')
  expect(messageOf(heldUp(cause))).toBe('master-0, master-1, master-2: 0/1 nodes fit: 1 too little cpu')
  expect(messageOf(heldUp({}))).toMatch(/without room for the rest of its gang$/)
  expect(messageOf(heldUp(cause, '0/1 nodes are available: 1 Insufficient memory.'))).toMatch(/too little memory$/)
})
