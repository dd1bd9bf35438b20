// A PyTorchTrainingJob of any size, and the pods it would have.
import type { Pod } from '../gen/kubernetes-types.ts'
import type { TrainingJob } from '../src/api/types.ts'
import type { Decision, Observed } from '../src/core/decision.ts'
import { FULL_CLUSTER } from '../src/core/plan.ts'
import { type Instant, toTimestamp } from '../src/lib/time.ts'

export const CREATED: Instant = Date.UTC(2026, 0, 1)

export function buildJob(replicas: number): TrainingJob {
  const resources = { requests: { cpu: '4', memory: '16Gi' }, limits: { 'nvidia.com/gpu': '1' } }
  const container = { name: 'train', image: 'train:1', command: ['python', 'train.py', '--epochs', '10'], resources }
  const template = { spec: { containers: [container] } }
  const role = (type: string, count: number): object => ({
    type,
    replicas: count,
    restartPolicy: 'OnFailure',
    template,
  })
  return {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'PyTorchTrainingJob',
    metadata: {
      name: 'bench',
      namespace: 'default',
      uid: '6b1f0c52-0000-4000-8000-000000000001',
      generation: 1,
      creationTimestamp: toTimestamp(CREATED),
    },
    spec: { replicaSpecs: [role('master', 1), ...(replicas > 1 ? [role('worker', replicas - 1)] : [])] },
  } as unknown as TrainingJob
}

export const NOTHING: Observed = { status: undefined, pods: [], services: [], nodes: new Map(), cluster: FULL_CLUSTER }

/** The world after a decision was carried out and all its pods run. */
export function carryOut(decision: Decision): Observed {
  const created = decision.actions.flatMap((action) => (action.verb === 'create' ? [action] : []))
  const stored = created.map(({ kind, object }, index) => {
    const metadata = { ...object.metadata, uid: `u-${index}`, creationTimestamp: toTimestamp(CREATED) }
    return { kind, object: { ...object, metadata } }
  })
  const of = (kind: string) => stored.filter((made) => made.kind === kind).map(({ object }) => object)
  return {
    ...NOTHING,
    status: decision.status,
    pods: of('Pod').map((pod) => run(pod as unknown as Pod)),
    services: of('Service') as unknown as Observed['services'],
    podGroup: of('PodGroup')[0],
    nodes: new Map([['node', { ready: true, outOfService: false }]]),
  }
}

function run(pod: Pod): Pod {
  const startedAt = toTimestamp(CREATED + 2_000)
  const state = {
    name: 'train',
    image: 'train:1',
    imageID: '',
    ready: true,
    restartCount: 0,
    state: { running: { startedAt } },
  }
  return {
    ...pod,
    spec: { ...pod.spec!, nodeName: 'node' },
    status: { phase: 'Running', startTime: startedAt, containerStatuses: [state] },
  }
}

export function failLast(observed: Observed): Observed {
  const last = observed.pods.at(-1)!
  const terminated = { exitCode: 1, startedAt: toTimestamp(CREATED + 2_000), finishedAt: toTimestamp(CREATED + 9_000) }
  const [container] = last.status!.containerStatuses!
  const status = {
    ...last.status,
    phase: 'Failed',
    containerStatuses: [{ ...container!, ready: false, state: { terminated } }],
  }
  return { ...observed, pods: [...observed.pods.slice(0, -1), { ...last, status }] }
}
