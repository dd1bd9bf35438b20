// The whole way on one machine: a job in the embedded API, its pods made by the operator and run here as processes.
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Container } from '../../gen/kubernetes-types.ts'
import { type KubeObject, NODES, PODS, type Resource } from '../../src/kube/index.ts'
import { openPodLog } from '../../src/kubelet/pod-access.ts'
import { type Operator, startOperator } from '../../src/operator/operator.ts'
import { installCrds } from '../operator/operator-at-work.ts'
import { EmbeddedHome, nodeName } from './embedded-home.ts'
import { until } from './until.ts'

type Job = KubeObject & { spec: object; status?: { phase?: string; tasks?: Array<{ restartCount?: number }> } }
const jobs: Resource<Job> = {
  group: 'batch.tensorstack.dev',
  version: 'v1beta1',
  plural: 'pytorchtrainingjobs',
  kind: 'PyTorchTrainingJob',
  namespaced: true,
}
const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true }

let home: EmbeddedHome
let operator: Operator

beforeEach(async () => {
  home = await EmbeddedHome.start()
  await installCrds(home.client)
  operator = startOperator({ client: home.client, onError: home.onError })
  await operator.ready
})

afterEach(async () => {
  const { client } = home
  for (const { metadata } of (await client.list(jobs)).items)
    await client.delete(jobs, { namespace: 'default', name: metadata.name! })
  await home.emptied()
  await operator.stop()
  await home.stop()
})

/** Each worker sends its rank to the master, which ends when it has them all. */
const program = `
import { connect, createServer } from 'node:net'
const { RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT } = process.env
if (RANK === '0') {
  const seen = new Set()
  const server = createServer((socket) => socket.on('error', () => {}).on('data', (data) => {
    seen.add(String(data))
    console.log('rank', String(data), 'joined', MASTER_ADDR)
    if (seen.size === WORLD_SIZE - 1) setTimeout(() => process.exit(0), 50)
  }))
  server.listen(Number(MASTER_PORT), '0.0.0.0')
} else {
  const dial = () => connect(Number(MASTER_PORT), MASTER_ADDR, function () { this.end(RANK); process.exitCode = 0 }).on('error', () => setTimeout(dial, 20))
  dial()
}
`

function buildJob(name: string, master: Partial<Container>, worker: Partial<Container>): Job {
  const template = (container: Partial<Container>) => ({
    spec: {
      containers: [
        {
          name: 'train',
          image: 'node:24-alpine',
          workingDir: '/job',
          volumeMounts: [{ name: 'code', mountPath: '/job' }],
          ...container,
        },
      ],
      volumes: [{ name: 'code', configMap: { name: 'code' } }],
    },
  })
  const replicaSpecs = [
    { type: 'master', restartPolicy: 'OnFailure', template: template(master) },
    { type: 'worker', replicas: 2, restartPolicy: 'OnFailure', template: template(worker) },
  ]
  return {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'PyTorchTrainingJob',
    metadata: { name, namespace: 'default' },
    spec: { replicaSpecs },
  }
}

async function createJob(name: string, master: Partial<Container>, worker: Partial<Container>): Promise<void> {
  await home.client.create(jobs, buildJob(name, master, worker))
}

const phaseOf = async (name: string) => (await home.client.get(jobs, { namespace: 'default', name })).status
const finished = (name: string) =>
  until(`job ${name} to finish; ${home.errors.join('; ')}`, async () => {
    const status = await phaseOf(name)
    return (status?.phase === 'Succeeded' || status?.phase === 'Failed') && status
  })

test('two jobs of the same shape train at once, and each finds its own master', async () => {
  const code = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'code', namespace: 'default' },
    data: { 'train.mjs': program },
  }
  await home.client.create(configMaps, code)
  const run = { command: ['node', 'train.mjs'] }
  await Promise.all(['one', 'two'].map((name) => createJob(name, run, run)))
  expect(await finished('one')).toMatchObject({ phase: 'Succeeded' })
  expect(await finished('two')).toMatchObject({ phase: 'Succeeded' })
  const masters = (await home.client.list(PODS)).items.filter(({ metadata }) => metadata.name!.includes('-master-'))
  for (const { metadata } of masters) {
    const log = await text(openPodLog(home.kubelet.workerOf(metadata.uid!)!, {}))
    expect(log.trim().split('\n').sort()).toEqual(['rank 1 joined 127.0.0.1', 'rank 2 joined 127.0.0.1'])
  }
  expect(masters).toHaveLength(2)
})

test('a killed worker comes back, and a kubelet that leaves is taken over from', async () => {
  const code = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'code', namespace: 'default' },
    data: { 'train.mjs': program },
  }
  await home.client.create(configMaps, code)
  const flag = join(home.dir, 'go')
  const script = `if [ -e ${flag} ]; then exec node train.mjs; else touch ${flag}; kill -9 $$$$; fi`
  await createJob('j', { command: ['node', 'train.mjs'] }, { command: ['/bin/sh', '-c', script] })
  await until('a process', async () =>
    (await home.client.list(PODS)).items.some(({ status }) => status?.phase === 'Running'),
  )
  await home.stopKubelet()
  home.startKubelet()
  const status = await finished('j')
  expect(status).toMatchObject({ phase: 'Succeeded' })
  expect(status.tasks!.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0)).toBeGreaterThanOrEqual(1)
  expect((await home.client.get(NODES, { name: nodeName })).status!.conditions![0]).toMatchObject({
    type: 'Ready',
    status: 'True',
  })
})
