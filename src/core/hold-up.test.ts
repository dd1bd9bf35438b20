import { expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { holdUpOf, spellUnschedulable } from './hold-up.ts'

const waiting = (reason: string, message?: string): Pod => ({
  status: {
    conditions: [{ type: 'PodScheduled', status: 'True' }],
    containerStatuses: [
      {
        name: 'c',
        image: 'nope:1',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { waiting: { reason, message } },
      },
    ],
  },
})

test.each([
  [
    '0/6 nodes are available: 4 Insufficient memory, 2 node(s) had untolerated taint {gpu: only}. preemption: 0/6 nodes are available: 4 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.',
    '0/6 nodes fit: 4 too little memory, 2 tainted gpu=only',
  ],
  [
    "0/3 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) were unschedulable.",
    '0/3 nodes fit: 1 too little cpu, 1 not selected, 1 cordoned',
  ],
  [
    '0/2 nodes are available: 1 Too many pods, 1 Insufficient nvidia.com/gpu. no new claims: no.',
    '0/2 nodes fit: 1 full of pods, 1 too little nvidia.com/gpu',
  ],
  [
    "0/1 nodes are available: 1 node(s) had {node.kubernetes.io/unreachable: }, that the pod didn't tolerate.",
    '0/1 nodes fit: 1 tainted node.kubernetes.io/unreachable',
  ],
  ['0/1 nodes are available: 1 node(s) had a bad day.', '0/1 nodes fit: 1 had a bad day'],
  ['0/2 nodes are available: persistentvolumeclaim "a" not found. not found', 'the claim a does not exist'],
  ['0/1 nodes are available: 1 rejection in Unreserve.', '0/1 nodes fit: 1 without room for the rest of its gang'],
  ['0/0 nodes are available: no nodes.', '0/0 nodes fit: no nodes'],
  ['needs 2 CPU, 1 of 8 free', 'needs 2 CPU, 1 of 8 free'],
  ['', ''],
])('%s', (message, words) => {
  expect(spellUnschedulable(message)).toBe(words)
})

test.each([
  ['ErrImagePull', 'failed to resolve reference "nope:1": nope:1: not found', ': there is no such image'],
  ['ImagePullBackOff', 'Back-off pulling image "nope:1": ErrImagePull: nope:1: not found', ': there is no such image'],
  ['ErrImagePull', 'pull access denied, repository requires authorization', ': the registry refuses access'],
  ['ErrImagePull', 'dial tcp: lookup registry.invalid: no such host', ': the registry cannot be reached'],
  ['ImagePullBackOff', 'Back-off pulling image "nope:1"', ''],
])('%s with %s', (reason, message, cause) => {
  expect(holdUpOf(waiting(reason, message))).toEqual({
    reason: 'ImageNotPulled',
    message: `image nope:1 cannot be pulled${cause}`,
  })
})

test.each([
  ['InvalidImageName', 'x', 'ImageNotPulled', 'nope:1 is not the name of an image'],
  ['ErrImageNeverPull', 'x', 'ImageNotPulled', 'image nope:1 is not on the node, and imagePullPolicy is Never'],
  ['CreateContainerConfigError', 'configmap "a" not found', 'CannotStart', 'configmap "a" not found'],
  ['CreateContainerError', undefined, 'CannotStart', 'CreateContainerError'],
])('%s', (reason, message, word, words) => {
  expect(holdUpOf(waiting(reason, message))).toEqual({ reason: word, message: words })
})

test.each([
  [{ exitCode: 1, reason: 'Error' }, 'container mesh ends again and again: exit 1'],
  [{ exitCode: 0, reason: 'Completed' }, 'container mesh ends again and again: exit 0'],
  [{ exitCode: 128, reason: 'StartError', message: 'no such volume' }, 'container mesh cannot start: no such volume'],
])('a sidecar before the first container that goes %o', (terminated, message) => {
  const pod = waiting('PodInitializing')
  const back = 'back-off 40s restarting failed container=mesh pod=p_default(u)'
  const state = { waiting: { reason: 'CrashLoopBackOff', message: back } }
  const mesh = {
    name: 'mesh',
    image: 'm',
    imageID: '',
    ready: false,
    restartCount: 3,
    state,
    lastState: { terminated },
  }
  pod.status!.initContainerStatuses = [mesh]
  expect(holdUpOf(pod)).toEqual({ reason: 'CannotStart', message })
})

test('a pod on its way is not held up', () => {
  expect(holdUpOf(waiting('ContainerCreating'))).toBeUndefined()
  expect(holdUpOf({})).toBeUndefined()
  expect(holdUpOf(undefined)).toBeUndefined()
})

test('a pod that no node takes says so', () => {
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }]
  expect(holdUpOf({ status: { conditions } })).toEqual({ reason: 'Unschedulable', message: 'Unschedulable' })
})
