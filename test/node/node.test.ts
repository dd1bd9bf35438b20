// Jobs of every kind where nothing is played: kubelets, containers, cluster DNS, and what goes wrong with them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NODES } from '../../src/kube/index.ts'
import { closingLine } from '../closing-line.ts'
import { installCrds } from '../operator/operator-at-work.ts'
import type { OperatorProcess } from '../operator/operator-process.ts'
import { type NodeJob, NodeStage } from './stage.ts'

const LONG = 600_000
const role = (type: string, replicas: number, template: object, more = {}) => ({ type, replicas, template, ...more })

let stage: NodeStage
let operator: OperatorProcess
const seen: string[] = []

beforeAll(async () => {
  stage = await NodeStage.open()
  await installCrds(stage.client)
  operator = await stage.startOperator()
}, LONG)
afterAll(async () => {
  await operator.end()
  await stage.client.close()
  closingLine(`node: ${seen.join('; ')}`)
}, LONG)

/** It comes to its end, and rank 0 has met the two others by the names it was given. */
async function meets(job: NodeJob, first: RegExp): Promise<void> {
  await job.ends('Succeeded')
  const log = await job.log(first)
  expect(log).toMatch(/met rank 1 of \S+, rank 2 of \S+/)
  // Neither loopback nor the node's own address.
  expect(log).toMatch(/is 10\.(244|96)\.\d+\.\d+/)
  const nodes = new Set((await job.pods()).map(({ spec }) => spec?.nodeName))
  seen.push(`${(await job.get()).kind} on ${nodes.size} nodes`)
}

describe.concurrent('a job', () => {
  test('PyTorchTrainingJob', { timeout: LONG }, async () => {
    // The bare name works too: the operator knows the cluster's domain.
    const env = [{ name: 'ALSO_RESOLVE', value: 'torch-master-0 torch-worker-1' }]
    const template = stage.template({ name: 'train', env })
    const replicaSpecs = [role('master', 1, template), role('worker', 2, template)]
    await meets(await stage.create('PyTorchTrainingJob', 'torch', { replicaSpecs }), /-master-0$/)
  })

  test('TensorFlowTrainingJob', { timeout: LONG }, async () => {
    const template = stage.template({ name: 'tensorflow' })
    const replicaSpecs = [role('chief', 1, template), role('worker', 2, template)]
    await meets(await stage.create('TensorFlowTrainingJob', 'flow', { replicaSpecs }), /-chief-0$/)
  })

  test('TFJob', { timeout: LONG }, async () => {
    const template = stage.template({ name: 'tensorflow' })
    const tfReplicaSpecs = { Chief: { replicas: 1, template }, Worker: { replicas: 2, template } }
    // Pods that still run at the end are removed unless told otherwise, and their logs with them.
    await meets(await stage.create('TFJob', 'kubeflow', { tfReplicaSpecs, cleanPodPolicy: 'None' }), /-chief-0$/)
  })

  test('GenericJob', { timeout: LONG }, async () => {
    const template = (rank: string) => {
      const at = { MASTER_ADDR: 'any-master-0', MASTER_PORT: '7000', WORLD_SIZE: '3', RANK: rank }
      const env = Object.entries(at).map(([name, value]) => ({ name, value }))
      return stage.template({ name: 'main', env })
    }
    const spec = {
      successRules: [{ master: [0] }],
      failureRules: [{ master: [0] }],
      service: { ports: [{ name: 'meet', port: 7000 }] },
      replicasSpec: [
        role('master', 1, template('0')),
        role('first', 1, template('1')),
        role('second', 1, template('2')),
      ],
    }
    await meets(await stage.create('GenericJob', 'any', spec), /-master-0$/)
  })

  test('that needs more memory than it may have', { timeout: LONG }, async () => {
    const limits = { memory: '24Mi' }
    const greedy = { name: 'train', command: ['busybox', 'tail', '/dev/zero'], resources: { limits } }
    const replicaSpecs = [role('master', 1, stage.template(greedy))]
    const job = await stage.create('PyTorchTrainingJob', 'greedy', { replicaSpecs })
    await job.ends('Failed')
    await job.says(/killed for exceeding its memory limit/)
    seen.push('an OOM kill')
  })

  test('whose image is nowhere', { timeout: LONG }, async () => {
    const image = 'registry.invalid/nothing:1'
    const replicaSpecs = [role('master', 1, stage.template({ name: 'train', image }))]
    const job = await stage.create('PyTorchTrainingJob', 'imageless', { replicaSpecs })
    await job.says(/image registry\.invalid\/nothing:1 cannot be pulled/)
    seen.push('an image that cannot be pulled')
  })
})

test('a node that dies is told of, and its replicas go on elsewhere', { timeout: LONG }, async () => {
  const wait = { name: 'train', command: ['sh', '-c', 'busybox sleep 3600'] }
  const prefer = (name: string) => ({
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            preference: { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [name] }] },
          },
        ],
      },
    },
  })
  const replicaSpecs = [
    role('master', 1, stage.template(wait, prefer('node-0'))),
    role('worker', 1, stage.template(wait, prefer('node-1'))),
  ]
  const job = await stage.create('PyTorchTrainingJob', 'bereft', { replicaSpecs })
  const placed = async () => (await job.pods()).map(({ spec, status }) => `${spec?.nodeName} ${status?.phase}`).sort()
  await expect.poll(placed, { timeout: 120_000 }).toEqual(['node-0 Running', 'node-1 Running'])
  process.kill(stage.nodes.holders['node-1']!, 'SIGKILL')
  await job.says(/node node-1 is not ready/)
  await expect.poll(placed, { timeout: LONG }).toEqual(['node-0 Running', 'node-0 Running'])
  await job.says(/No longer so: .*node node-1 is not ready/)
  expect((await stage.client.get(NODES, { name: 'node-1' })).metadata.name).toBe('node-1')
  seen.push('a killed node')
})
