// The whole way on one machine: a job in the embedded API, its pods made by the operator and run here as processes.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Container, Pod } from '../../gen/kubernetes-types.ts'
import {
  Informer,
  KubeClient,
  type KubeObject,
  loadConnection,
  NODES,
  PODS,
  type Resource,
} from '../../src/kube/index.ts'
import { KubePods } from '../../src/kubelet/kube-pods.ts'
import { Kubelet } from '../../src/kubelet/kubelet.ts'
import { buildNode, readMachine, registerNode } from '../../src/kubelet/node.ts'
import { openPodLog } from '../../src/kubelet/pod-access.ts'
import { type Operator, startOperator } from '../../src/operator/operator.ts'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { installCrds } from '../operator/operator-at-work.ts'
import { until } from './until.ts'

const nodeName = 'here'
type Job = KubeObject & { spec: object; status?: { phase?: string; tasks?: Array<{ restartCount?: number }> } }
const jobs: Resource<Job> = {
  group: 'batch.tensorstack.dev',
  version: 'v1beta1',
  plural: 'pytorchtrainingjobs',
  kind: 'PyTorchTrainingJob',
  namespaced: true,
}
const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true }

let dir: string
let server: RunningServer
let client: KubeClient
let pods: KubePods
let kubelet: Kubelet
let operator: Operator
const errors: string[] = []
let stopping: AbortController
const onError = (where: string, error: unknown) => void errors.push(`${where}: ${error}`)

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'embedded-'))
  stopping = new AbortController()
  server = await startServer({ dir: join(dir, 'server'), log: () => {} })
  client = new KubeClient(await loadConnection({ kubeconfig: server.kubeconfigPath }))
  await installCrds(client)
  await registerNode(client, buildNode(nodeName, readMachine(dir), Date.now()))
  startKubelet()
  bindEverything()
  operator = startOperator({ client, onError })
  await operator.ready
})

afterEach(async () => {
  for (const { metadata } of (await client.list(jobs)).items)
    await client.delete(jobs, { namespace: 'default', name: metadata.name! })
  await until('all pods to leave', () => readdirSync(join(dir, 'home/pods')).length === 0)
  stopping.abort()
  await operator.stop()
  await pods.close()
  await kubelet.close()
  await client.close()
  await server.stop()
  rmSync(dir, { recursive: true })
})

function startKubelet(): void {
  pods = new KubePods({ client, nodeName, onError })
  kubelet = new Kubelet({ directory: join(dir, 'home'), source: pods, sink: pods, objects: pods, onError })
}

/** The simplest scheduler: there is one node, and everything fits. */
function bindEverything(): void {
  const bind = (pod: Pod & KubeObject) => {
    const { namespace, name = '' } = pod.metadata
    if (pod.spec?.nodeName) return
    const body = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace },
      target: { kind: 'Node', name: nodeName },
    }
    client.raw({ method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/${name}/binding`, body }).catch(() => {})
  }
  const informer = new Informer({
    client,
    resource: PODS,
    onChange: (change) => change.type === 'added' && bind(change.object),
  })
  void informer.run(stopping.signal)
}

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
  await client.create(jobs, buildJob(name, master, worker))
}

const phaseOf = async (name: string) => (await client.get(jobs, { namespace: 'default', name })).status
const finished = (name: string) =>
  until(`job ${name} to finish; ${errors.join('; ')}`, async () => {
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
  await client.create(configMaps, code)
  const run = { command: ['node', 'train.mjs'] }
  await Promise.all(['one', 'two'].map((name) => createJob(name, run, run)))
  expect(await finished('one')).toMatchObject({ phase: 'Succeeded' })
  expect(await finished('two')).toMatchObject({ phase: 'Succeeded' })
  const masters = (await client.list(PODS)).items.filter(({ metadata }) => metadata.name!.includes('-master-'))
  for (const { metadata } of masters) {
    const log = await text(openPodLog(kubelet.worker('default', metadata.name!)!, {}))
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
  await client.create(configMaps, code)
  const flag = join(dir, 'go')
  const script = `if [ -e ${flag} ]; then exec node train.mjs; else touch ${flag}; kill -9 $$$$; fi`
  await createJob('j', { command: ['node', 'train.mjs'] }, { command: ['/bin/sh', '-c', script] })
  await until('a process', async () =>
    (await client.list(PODS)).items.some(({ status }) => status?.phase === 'Running'),
  )
  await kubelet.close()
  startKubelet()
  const status = await finished('j')
  expect(status).toMatchObject({ phase: 'Succeeded' })
  expect(status.tasks!.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0)).toBeGreaterThanOrEqual(1)
  expect((await client.get(NODES, { name: nodeName })).status!.conditions![0]).toMatchObject({
    type: 'Ready',
    status: 'True',
  })
})
