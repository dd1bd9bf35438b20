import { expect, test } from 'vitest'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { buildLostStatus, buildPodStatus, type ContainerReport, type PodReport } from './build-status.ts'

const now = Date.parse('2026-11-16T09:12:30.400Z')
const startedAt = Date.parse('2026-11-16T09:12:05.118Z')
const pod: Pod = { metadata: { name: 'p', uid: 'u' } }
const running = { kind: 'running' as const, startedAt, supervisor: 7 }
const ended = (exitCode: number) => ({
  kind: 'ended' as const,
  supervisor: 7,
  end: { exitCode, reason: exitCode ? 'Error' : 'Completed', startedAt, finishedAt: startedAt + 1234.7 },
})
const container = (name: string, more: Partial<ContainerReport> = {}): ContainerReport => ({
  name,
  image: 'i',
  role: 'main',
  runs: 1,
  view: running,
  started: true,
  ready: true,
  ...more,
})
const report = (containers: ContainerReport[], more: Partial<PodReport> = {}) =>
  buildPodStatus(
    {
      pod,
      acceptedAt: startedAt,
      containers,
      decision: { start: [], stop: [], initialized: true, backOff: {} },
      ...more,
    },
    now,
  )
const condition = (status: ReturnType<typeof report>, type: string) =>
  status.conditions!.find((each) => each.type === type)

test('times of processes keep their milliseconds, by which it is told who ended first', () => {
  const status = report([container('c', { view: ended(1) })])
  expect(status.containerStatuses![0]!.state!.terminated).toEqual({
    exitCode: 1,
    reason: 'Error',
    startedAt: '2026-11-16T09:12:05.118Z',
    finishedAt: '2026-11-16T09:12:06.352Z',
    containerID: 'process://u/c/1',
  })
  expect(status.startTime).toBe('2026-11-16T09:12:05Z')
})

test('a condition that has not changed keeps its time, one that others set stays', () => {
  const old = '2026-11-16T09:00:00Z'
  const conditions = [
    { type: 'Ready', status: 'True', lastTransitionTime: old },
    { type: 'Initialized', status: 'False', lastTransitionTime: old },
    { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', lastTransitionTime: old },
  ]
  const status = report([container('c')], { pod: { ...pod, status: { conditions } } })
  expect(condition(status, 'Ready')!.lastTransitionTime).toBe(old)
  expect(condition(status, 'Initialized')).toEqual({
    type: 'Initialized',
    status: 'True',
    lastTransitionTime: '2026-11-16T09:12:30Z',
  })
  expect(condition(status, 'DisruptionTarget')).toEqual(conditions[2])
})

test('a container that is started again after a while waits, and how it ended is its last state', () => {
  const decision = { start: [], stop: [], initialized: false, backOff: { side: 20_000 } }
  const sidecar = container('side', { role: 'sidecar', runs: 2, view: ended(3), started: false })
  const named = { metadata: { name: 'p', namespace: 'n', uid: 'u' } }
  const status = report([sidecar, container('c', { runs: 0, view: undefined })], { decision, pod: named })
  const message = 'back-off 20s restarting failed container=side pod=p_n(u)'
  expect(status.initContainerStatuses![0]).toMatchObject({
    restartCount: 1,
    state: { waiting: { reason: 'CrashLoopBackOff', message } },
    lastState: { terminated: { exitCode: 3, containerID: 'process://u/side/2' } },
  })
})

test('a pod is ready when all its containers are, and says which are not', () => {
  const status = report([container('b'), container('a', { ready: false })])
  expect(status.containerStatuses!.map(({ name, ready }) => [name, ready])).toEqual([
    ['a', false],
    ['b', true],
  ])
  expect(condition(status, 'Ready')).toMatchObject({
    status: 'False',
    reason: 'ContainersNotReady',
    message: 'containers with unready status: [a]',
  })
})

test.each([
  ['Succeeded', 0, 'PodCompleted'],
  ['Failed', 1, 'PodFailed'],
] as const)('of a pod that has %s nothing is ready any more', (outcome, code, reason) => {
  const decision = { start: [], stop: [], initialized: true, backOff: {}, outcome }
  const status = report([container('c', { view: ended(code) })], { decision })
  expect(status.phase).toBe(outcome)
  expect(condition(status, 'Ready')).toMatchObject({ status: 'False', reason })
  expect(condition(status, 'ContainersReady')).toMatchObject({ status: 'False', reason })
})

test('a pod whose machine was restarted is marked as disrupted', () => {
  const status = report([container('c')], { disruption: 'the machine was restarted' })
  expect(condition(status, 'DisruptionTarget')).toMatchObject({ status: 'True', reason: 'TerminationByKubelet' })
})

test('only a pod that was once running can be lost', () => {
  const state = (state: object) => ({ name: 'c', image: '', imageID: '', ready: true, restartCount: 0, state })
  expect(buildLostStatus({ status: { containerStatuses: [state({ waiting: {} })] } }, now)).toBeUndefined()
  expect(buildLostStatus({}, now)).toBeUndefined()
  const lost = buildLostStatus(
    { status: { containerStatuses: [state({ running: {} }), state({ terminated: { exitCode: 0 } })] } },
    now,
  )!
  expect(lost.phase).toBe('Failed')
  expect(lost.containerStatuses!.map(({ state }) => state!.terminated!.exitCode)).toEqual([137, 0])
})
