import { expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { Role } from './job-model.ts'
import { lookAt } from './look.ts'

const role = { trainingContainer: 0, template: { spec: { containers: [{ name: 'main' }, { name: 'side' }] } } } as Role
const nodes = new Map([
  ['up', { ready: true, outOfService: false }],
  ['silent', { ready: false, outOfService: false }],
])
const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`
const ended = (exitCode: number, second: number) => ({
  name: 'main',
  state: { terminated: { exitCode, startedAt: at(0), finishedAt: at(second) } },
})
const runs = (name: string) => ({ name, state: { running: { startedAt: at(0) } } })
const disruption = { type: 'DisruptionTarget', status: 'True', lastTransitionTime: at(20), message: 'preempted' }

test.each([
  ['no pod', undefined, { is: 'absent' }],
  ['not placed', { spec: {}, status: { phase: 'Pending' } }, { is: 'unplaced' }],
  ['placed', { spec: { nodeName: 'up' }, status: { phase: 'Pending' } }, { is: 'pending' }],
  [
    'running',
    { spec: { nodeName: 'up' }, status: { phase: 'Running', containerStatuses: [runs('main')] } },
    { is: 'running' },
  ],
  ['unknown', { spec: { nodeName: 'up' }, status: { phase: 'Unknown' } }, { is: 'unknown' }],
  [
    'ended with a sidecar still running',
    { spec: { nodeName: 'up' }, status: { phase: 'Running', containerStatuses: [ended(0, 9), runs('side')] } },
    { is: 'ended', exitCode: 0, othersRun: true, ranFor: 9 },
  ],
  [
    'exit 0 of the training container in a pod that failed by its sidecar',
    {
      spec: { nodeName: 'up' },
      status: {
        phase: 'Failed',
        containerStatuses: [ended(0, 9), { name: 'side', state: { terminated: { exitCode: 1 } } }],
      },
    },
    { is: 'ended', exitCode: 0 },
  ],
  [
    'an init container failed first',
    {
      spec: { nodeName: 'up' },
      status: { phase: 'Failed', initContainerStatuses: [{ name: 'i', state: { terminated: { exitCode: 3 } } }] },
    },
    { is: 'ended', exitCode: 3, why: 'container i failed first' },
  ],
  [
    'failed before it was disrupted',
    {
      spec: { nodeName: 'up' },
      status: { phase: 'Failed', conditions: [disruption], containerStatuses: [ended(1, 10)] },
    },
    { is: 'ended', exitCode: 1 },
  ],
  [
    'killed by its disruption',
    {
      spec: { nodeName: 'up' },
      status: { phase: 'Failed', conditions: [disruption], containerStatuses: [ended(137, 21)] },
    },
    { is: 'lost', why: 'preempted' },
  ],
  [
    'evicted for its own limits',
    { spec: { nodeName: 'up' }, status: { phase: 'Failed', reason: 'Evicted', message: 'used too much' } },
    { is: 'ended', exitCode: undefined, why: 'used too much' },
  ],
  [
    'turned away by the kubelet',
    { spec: { nodeName: 'up' }, status: { phase: 'Failed', reason: 'OutOfcpu' } },
    { is: 'lost' },
  ],
  [
    'node gone',
    { spec: { nodeName: 'gone' }, status: { phase: 'Running', containerStatuses: [runs('main')] } },
    { is: 'lost', why: 'node gone is gone' },
  ],
  [
    'ended before its node went',
    { spec: { nodeName: 'gone' }, status: { phase: 'Succeeded', containerStatuses: [ended(0, 5)] } },
    { is: 'ended', exitCode: 0 },
  ],
  [
    'failed on a silent node',
    { spec: { nodeName: 'silent' }, status: { phase: 'Failed' } },
    { is: 'lost', why: 'node silent is not ready' },
  ],
  [
    'running on a silent node',
    { spec: { nodeName: 'silent' }, status: { phase: 'Running', containerStatuses: [runs('main')] } },
    { is: 'running' },
  ],
  [
    'stopped by a deletion',
    {
      metadata: { deletionTimestamp: at(40), deletionGracePeriodSeconds: 30 },
      spec: { nodeName: 'up' },
      status: { phase: 'Failed', containerStatuses: [ended(143, 11)] },
    },
    { is: 'leaving' },
  ],
  [
    'ended before it was deleted',
    {
      metadata: { deletionTimestamp: at(40), deletionGracePeriodSeconds: 30 },
      spec: { nodeName: 'up' },
      status: { phase: 'Succeeded', containerStatuses: [ended(0, 9)] },
    },
    { is: 'ended', exitCode: 0 },
  ],
])('%s', (_, pod, look) => {
  expect(lookAt(pod as Pod | undefined, role, nodes)).toMatchObject(look)
})
