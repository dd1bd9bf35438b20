import { expect, test } from 'vitest'
import type { Node, Pod } from '../../gen/kubernetes-types.ts'
import type { TrainingJob } from '../api/types.ts'
import { decide } from '../core/decide.ts'
import type { Observed } from '../core/decision.ts'
import { read } from '../core/read.ts'
import type { KubeObject } from '../kube/index.ts'
import { nodeStateOf, trimNode, trimPod, trimService } from './trim.ts'

const template = { spec: { containers: [{ name: 'tensorflow', image: 'x' }] } }
const job = {
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'TensorFlowTrainingJob',
  metadata: { namespace: 'n', name: 'j', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { replicaSpecs: [{ type: 'worker', replicas: 2, template, restartPolicy: 'OnFailure' }] },
} as TrainingJob

function ended(pod: Pod, exitCode: number): Pod {
  const terminated = { exitCode, startedAt: '2026-01-01T00:00:01Z', finishedAt: '2026-01-01T00:00:02Z' }
  const containerStatuses = [
    { name: 'tensorflow', image: 'x', imageID: '', ready: false, restartCount: 0, state: { terminated } },
  ]
  return { ...pod, status: { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses } }
}

/** What the API made of the objects a decision wanted. */
function created(actions: ReturnType<typeof decide>['actions'], round: number): KubeObject[] {
  return actions.flatMap((action) =>
    action.verb === 'create'
      ? [{ ...action.object, metadata: { ...action.object.metadata, uid: `${action.object.metadata.name}-${round}` } }]
      : [],
  )
}

test('decisions are the same whether they see whole objects or trimmed ones', () => {
  const model = read(job)
  const empty: Observed = {
    status: undefined,
    pods: [],
    services: [],
    nodes: new Map(),
    cluster: { gangScheduler: undefined, tensorboards: false, forceDeleteAfter: 300 },
  }
  let now = Date.parse('2026-01-01T00:00:03Z')
  const first = decide(model, empty, now)
  const objects = created(first.actions, -1)
  let services = objects.filter(({ kind }) => kind === 'Service')
  let pods = objects.filter(({ kind }) => kind === 'Pod') as Array<Pod & KubeObject>
  let status: unknown = first.status
  // Worker 1 fails and is restarted twice, then the master succeeds.
  for (const [round, code] of [1, 1, 0].entries()) {
    now += 10_000
    pods = pods.map((pod, i) => (i === (code === 0 ? 0 : 1) ? { ...pod, ...ended(pod, code) } : pod))
    for (let pass = 0; pass < 4; pass++) {
      const whole = decide(model, { ...empty, status, pods, services: services as Observed['services'] }, now)
      const seen = { pods: pods.map(trimPod), services: services.map(trimService) as Observed['services'] }
      expect(decide(model, { ...empty, status, ...seen }, now)).toEqual(whole)
      status = whole.status
      const gone = new Set(whole.actions.flatMap((action) => (action.verb === 'delete' ? [action.uid] : [])))
      const made = created(whole.actions, 10 * round + pass)
      services = [...services, ...made.filter(({ kind }) => kind === 'Service')]
      const left = pods.filter(({ metadata }) => !gone.has(metadata.uid ?? ''))
      pods = [...left, ...(made.filter(({ kind }) => kind === 'Pod') as Array<Pod & KubeObject>)]
    }
  }
  expect(status).toMatchObject({ phase: 'Succeeded', backoffCount: 2 })
})

test.each([
  ['ready', { conditions: [{ type: 'Ready', status: 'True' }] }, undefined, { ready: true, outOfService: false }],
  [
    'not ready',
    { conditions: [{ type: 'Ready', status: 'Unknown' }] },
    undefined,
    { ready: false, outOfService: false },
  ],
  ['silent about itself', {}, undefined, { ready: true, outOfService: false }],
  [
    'out of service',
    { conditions: [{ type: 'Ready', status: 'False' }] },
    [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }],
    { ready: false, outOfService: true },
  ],
])('a node that is %s', (_, status, taints, state) => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'x' }, spec: { taints }, status } as Node &
    KubeObject
  expect(nodeStateOf(trimNode(node))).toEqual(state)
})
