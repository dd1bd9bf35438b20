// The sizes that a queue's resource shapes allow, as T9k's administrators write them.
import { expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { readPod } from '../../src/scheduler/facts/read-pod.ts'
import { readProfiles } from '../../src/scheduler/facts/resource-shapes.ts'
import { StagedCluster } from './staged-cluster.ts'

const profiles = readProfiles({
  data: {
    'config.yaml': `
profiles:
- name: users
  rules:
  - apiGroups: ['*']
    resources: [pods]
    resourceShape:
      requests: {cpu: 2}
      limits: {memory: 4Gi, nvidia.com/gpu: 1}
- name: jobs-only
  rules:
  - apiGroups: [batch.tensorstack.dev]
    resources: [pytorchtrainingjobs]
    resourceShape: {requests: {cpu: 1}}
`,
  },
})

type Container = NonNullable<Pod['spec']>['containers'][number]
function whyNot(profile: string, ...resources: Array<Container['resources']>) {
  const containers = resources.map((each, i) => ({ name: `c${i}`, resources: each }))
  const pod: Pod = { metadata: { name: 'p', uid: 'p' }, spec: { containers } }
  const { limits, requests, undeclared } = readPod(pod, undefined, false)!.facts
  const rules = profiles.get(profile)
  const cluster = new StagedCluster().node('n', { cpu: 99, memory: 2 ** 40, 'nvidia.com/gpu': 9 })
  cluster.queue('q', {}, rules && { shapes: { profile, rules } })
  return cluster.pod('p', 'q', {}, { requests, limits, undeclared }).decide().waits.p
}
const fits = { requests: { cpu: '2' }, limits: { memory: '4Gi', 'nvidia.com/gpu': '1' } }

test('a pod within the shape comes in', () => {
  expect(whyNot('users', fits)).toBeUndefined()
})

test.each([
  ['a request', [{ ...fits, requests: { cpu: '2500m' } }], 'requests of 2 CPU a pod (profile users), it has 2.5'],
  ['a limit', [{ ...fits, limits: { memory: '5Gi' } }], 'limits of 4Gi memory a pod (profile users), it has 5Gi'],
  [
    'containers together',
    [fits, { requests: { cpu: '1' }, limits: { memory: '1' } }],
    'requests of 2 CPU a pod (profile users), it has 3',
  ],
  [
    'what is not said of the CPU',
    [{ limits: { memory: '1Gi' } }],
    'requests of 2 CPU a pod (profile users), and every container has to say its requests.cpu: one does not',
  ],
  [
    'what is not said of the memory',
    [{ requests: { cpu: '1' } }],
    'limits of 4Gi memory a pod (profile users), and every container has to say its limits.memory: one does not',
  ],
])('too large: %s', (_, resources, words) => {
  expect(whyNot('users', ...resources)).toEqual({
    reason: 'ShapeExceeded',
    message: `queue q allows ${words}; 1st of 1 in queue q`,
  })
})

test('a profile that is not there, or speaks of other things than pods, limits nothing', () => {
  expect(whyNot('nobody', {})).toBeUndefined()
  expect(whyNot('jobs-only', {})).toBeUndefined()
})

test.each([
  '',
  'profiles: 3',
  'profiles: [3, {name: x}, {name: y, rules: 1}]',
  '[]',
  'profiles: [{rules: [{resources: [pods]}]}]',
])('what has another form limits nothing: %s', (text) => {
  for (const rules of readProfiles({ data: { 'config.yaml': text } }).values()) expect(rules).toEqual([])
})
