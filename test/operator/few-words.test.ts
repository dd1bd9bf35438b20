// Writes are what a cluster pays for: how many a job costs, and that a quiet one costs none.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KubeClient, loadConnection } from '../../src/kube/index.ts'
import { OperatorMetrics } from '../../src/operator/metrics.ts'
import { type Operator, startOperator } from '../../src/operator/operator.ts'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { trainingJobs } from '../conformance/manifests.ts'
import { eventually, Stage } from '../conformance/stage.ts'
import { installCrds } from './operator-at-work.ts'
import { statusDriver } from './status-driver.ts'

const dir = mkdtempSync(join(tmpdir(), 'trainyard-words-'))
let server: RunningServer
let client: KubeClient
let kubelet: KubeClient
let operator: Operator
const metrics = new OperatorMetrics()
let stage: Stage
/** The operator's own requests: `POST pods`. */
const requests: string[] = []

beforeAll(async () => {
  server = await startServer({ dir, log: () => {} })
  const connection = await loadConnection({ kubeconfig: server.kubeconfigPath })
  const onAnswer = (method: string, path: string) => {
    const resource = path.match(/\/namespaces\/[^/]+\/([^/]+)(\/[^/]+(\/status)?)?/)
    requests.push(`${method} ${resource?.[1] ?? path}${resource?.[3] ?? ''}`)
  }
  client = new KubeClient(connection, { onAnswer })
  await installCrds(client)
  operator = startOperator({ client, metrics })
  await operator.ready
  kubelet = new KubeClient(connection)
  stage = await Stage.open({ kubeconfig: server.kubeconfigPath, driver: statusDriver(kubelet) })
})
afterAll(async () => {
  await operator.stop()
  await stage.close()
  await Promise.all([client.close(), kubelet.close()])
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function decisions(): Promise<string> {
  return metrics.registry.getSingleMetricAsString('trainyard_decisions_total')
}

test.each([4, 32])('a job of %i replicas without trouble', async (size) => {
  requests.length = 0
  const job = await trainingJobs(stage).pytorch({ master: 1, worker: size - 1 })
  const replicas = ['master-0', ...Array.from({ length: size - 1 }, (_, i) => `worker-${i}`)]
  await job.start(...replicas)
  await job.reaches('Running')
  await job.exit('master-0', 0)
  await job.reaches('Succeeded')
  await eventually('the last event', async () => expect((await job.events()).join()).toContain('Succeeded'))
  const count = (what: string) => requests.filter((request) => request === what).length
  expect(count('POST pods')).toBe(size)
  expect(count('POST services')).toBe(1)
  // Created, NewReplica, Running, Succeeded.
  expect(count('POST events')).toBeLessThanOrEqual(4)
  // One per phase, and what falls due once a second while the replicas start one after the other.
  expect(count('PUT pytorchtrainingjobs/status')).toBeLessThanOrEqual(12)
  const expected = new Set(['POST pods', 'POST services', 'POST events', 'PUT pytorchtrainingjobs/status'])
  expect(requests.filter((request) => !expected.has(request) && !request.startsWith('GET'))).toEqual([])
  // Reads come from the cache.
  expect(requests.filter((request) => request.startsWith('GET'))).toEqual([])
})

test('a finished job is not looked at while others run', async () => {
  const first = await trainingJobs(stage).generic({ worker: 1 })
  await first.run('worker-0', 0)
  await first.reaches('Succeeded')
  const second = await trainingJobs(stage).tensorflow({ worker: 1 })
  await second.start('worker-0')
  await second.reaches('Running')
  const before = (await decisions()).match(/kind="GenericJob".*/)?.[0]
  await second.exit('worker-0', 0)
  await second.reaches('Succeeded')
  expect((await decisions()).match(/kind="GenericJob".*/)?.[0]).toBe(before)
})

test('metrics tell jobs by phase and requests by answer', async () => {
  const text = await metrics.registry.metrics()
  expect(text).toMatch(/trainyard_jobs\{kind="PyTorchTrainingJob",phase="Succeeded"\} 2/)
  expect(text).toMatch(/trainyard_requests_total\{verb="create",object="Pod",answer="done"\} 38/)
  expect(text).toMatch(/trainyard_queue_depth 0/)
})
