// What clusters do to jobs: quotas, nodes that go away, evictions, pods that fit nowhere, images that do not exist,
// sidecars that stay.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { KubeClient, type KubeObject, loadConnection, NODES, PODS, type Resource } from '../../../src/kube/index.ts'
import { trainingJobs } from '../../conformance/manifests.ts'
import { type Actor, eventually, Stage } from '../../conformance/stage.ts'
import { type OperatorAtWork, putOperatorToWork } from '../../operator/operator-at-work.ts'
import { realCluster } from '../../real-cluster.ts'

const QUOTAS: Resource<KubeObject & { spec: object }> = {
  group: '',
  version: 'v1',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
}
let operator: OperatorAtWork
let admin: KubeClient
const stages: Stage[] = []
const nodes: string[] = []

beforeAll(async () => {
  const { kubeconfig } = realCluster()
  admin = new KubeClient(await loadConnection({ kubeconfig }))
  operator = await putOperatorToWork(kubeconfig)
})
afterAll(async () => {
  for (const stage of stages) await stage.close()
  for (const name of nodes) await admin.delete(NODES, { name })
  await operator.stop()
  await admin.close()
})

async function open(): Promise<Stage> {
  const stage = await Stage.open(operator)
  stages.push(stage)
  return stage
}

/** Each kind with two replicas of its own words. */
const KINDS = {
  TensorFlowTrainingJob: (stage: Stage) => trainingJobs(stage).tensorflow({ worker: 2 }),
  PyTorchTrainingJob: (stage: Stage) => trainingJobs(stage).pytorch({ worker: 2 }),
  GenericJob: (stage: Stage) => trainingJobs(stage).generic({ worker: 2 }),
  TFJob: (stage: Stage) => trainingJobs(stage).tfjob({ Worker: 2 }),
}

async function condition(job: Actor, type: string): Promise<string> {
  const found = (await job.status()).conditions?.find((each) => each.type === type)
  return found ? `${found.status} ${found.reason}: ${found.message}` : 'none'
}

async function has(job: Actor, type: string, words: RegExp): Promise<void> {
  await eventually(`${job.name} says ${type} ${words}`, async () => expect(await condition(job, type)).toMatch(words))
}

async function writeStatus({ metadata }: Pod, status: object): Promise<void> {
  const at = { namespace: metadata?.namespace, name: metadata?.name ?? '' }
  await admin.patch(PODS, at, { type: 'merge', body: { status } }, { subresource: 'status' })
}

async function bind({ metadata }: Pod, node: string): Promise<void> {
  const path = `/api/v1/namespaces/${metadata?.namespace}/pods/${metadata?.name}/binding`
  const target = { apiVersion: 'v1', kind: 'Node', name: node }
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: metadata?.name }, target }
  await admin.raw({ method: 'POST', path, body })
}

async function addNode(): Promise<string> {
  const name = `trouble-${randomBytes(3).toString('hex')}`
  await admin.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name } })
  return name
}

test.each(Object.entries(KINDS))(
  '%s: a quota holds pods back, does not fail the job, and is waited for',
  async (_, make) => {
    const stage = await open()
    const { namespace } = stage
    const metadata = { namespace, name: 'small' }
    await admin.create(QUOTAS, { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: { pods: '1' } } })
    await eventually('the quota is in force', async () => {
      const { status } = (await admin.get(QUOTAS, metadata)) as { status?: { hard?: object } }
      expect(status?.hard).toEqual({ pods: '1' })
    })
    const job = await make(stage)
    await has(job, 'CreationRefused', /^True Refused: .*exceeded quota: small/)
    expect(await job.replicas()).toHaveLength(1)
    await eventually('an event tells', async () => expect((await job.events()).join()).toContain('FailedCreatePod'))
    await admin.patch(QUOTAS, metadata, { type: 'merge', body: { spec: { hard: { pods: '9' } } } })
    await job.hasReplicas('worker-0', 'worker-1')
    await has(job, 'CreationRefused', /^False/)
  },
)

test.each(Object.entries(KINDS))('%s: a pod that fits nowhere and an image that does not exist', async (_, make) => {
  const job = await make(await open())
  const [first, second] = [await job.pod('worker-0'), await job.pod('worker-1')]
  const message = '0/6 nodes are available: 6 Insufficient nvidia.com/gpu. preemption: 0/6 nodes are available.'
  const unplaced = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }
  await writeStatus(first, { conditions: [unplaced] })
  await has(job, 'HeldUp', /^True Unschedulable: worker-0: 0\/6 nodes fit: 6 too little nvidia.com\/gpu$/)
  const node = await addNode()
  nodes.push(node)
  await bind(second, node)
  const waiting = { reason: 'ErrImagePull', message: 'failed to resolve reference "none": none: not found' }
  const container = {
    name: second.spec!.containers[0]!.name,
    image: 'none',
    imageID: '',
    ready: false,
    restartCount: 0,
  }
  await writeStatus(second, { phase: 'Pending', containerStatuses: [{ ...container, state: { waiting } }] })
  await has(job, 'HeldUp', /^True ImageNotPulled: worker-1: image none cannot be pulled: there is no such image$/)
  await eventually('events tell', async () => {
    const events = (await job.events()).join()
    expect(events).toContain('Unschedulable: ')
    expect(events).toContain('ImageNotPulled: ')
  })
  await job.start('worker-1')
  await writeStatus(first, { conditions: [] })
  await has(job, 'HeldUp', /^False/)
})

test.each(Object.entries(KINDS))('%s: a pod whose node is gone is replaced', async (_, make) => {
  const job = await make(await open())
  const node = await addNode()
  const lost = await job.pod('worker-1')
  await bind(lost, node)
  await job.start('worker-0', 'worker-1')
  await eventually('it runs', async () => expect((await job.status()).conditions).toBeDefined())
  await admin.delete(NODES, { name: node })
  const next = await job.pod('worker-1', lost)
  expect(next.metadata?.uid).not.toBe(lost.metadata?.uid)
  const status = await job.status()
  expect((status.trainyard ?? status).backoffCount ?? 0).toBe(0)
})

test.each(Object.entries(KINDS))('%s: an evicted pod is replaced and spends nothing', async (_, make) => {
  const job = await make(await open())
  const [, evicted] = await job.start('worker-0', 'worker-1')
  const { name, namespace } = evicted!.metadata!
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
  await admin.raw({ method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, body })
  await job.pod('worker-1', evicted)
  const status = await job.status()
  expect((status.trainyard ?? status).backoffCount ?? 0).toBe(0)
})

test.each([
  ['TensorFlowTrainingJob', 'tensorflow'],
  ['PyTorchTrainingJob', 'main'],
  ['GenericJob', 'main'],
  ['TFJob', 'tensorflow'],
])('%s: a sidecar that stays does not keep a finished job', async (kind, container) => {
  const stage = await open()
  const template = {
    spec: {
      containers: [
        { name: container, image: 'none' },
        { name: 'mesh', image: 'none' },
      ],
    },
  }
  const replicaSpecs = [{ type: 'worker', replicas: 1, template }]
  const rules = { successRules: [{ worker: [0] }], failureRules: [] }
  const spec = kind === 'TFJob' ? { tfReplicaSpecs: { Worker: { template } } } : kind === 'GenericJob' ? rules : {}
  const job = await stage.create(kind, { ...(kind === 'TFJob' ? {} : { replicaSpecs }), ...spec })
  const pod = await job.pod('worker-0')
  const [startedAt, finishedAt] = ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z']
  const common = { image: 'none', imageID: '', ready: false, restartCount: 0 }
  const terminated = { exitCode: 0, reason: 'Completed', startedAt, finishedAt }
  await writeStatus(pod, {
    phase: 'Running',
    containerStatuses: [
      { ...common, name: container, state: { terminated } },
      { ...common, name: 'mesh', state: { running: { startedAt } } },
    ],
  })
  await job.reaches('Succeeded')
  // The pod would hold its node for ever.
  await job.hasReplicas()
})
