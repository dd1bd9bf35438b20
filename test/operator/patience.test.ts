// On a cluster the operator waits a little, so that what belongs together is stored and told together.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeCall, KubeClient, loadConnection } from '../../src/kube/index.ts'
import { OperatorMetrics } from '../../src/operator/metrics.ts'
import { type Operator, startOperator } from '../../src/operator/operator.ts'
import { type OperatorOptions, worldFor } from '../../src/operator/options.ts'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { trainingJobs } from '../conformance/manifests.ts'
import { type Actor, eventually, Stage } from '../conformance/stage.ts'
import { installCrds } from './operator-at-work.ts'
import { statusDriver } from './status-driver.ts'

const HOUR = 3_600_000
const dir = mkdtempSync(join(tmpdir(), 'trainyard-patience-'))
let server: RunningServer
let client: KubeClient
let stage: Stage
let operator: Operator | undefined
/** The operator's own requests: `create pods`. */
const requests: string[] = []

beforeAll(async () => {
  server = await startServer({ dir, log: () => {} })
  const connection = await loadConnection({ kubeconfig: server.kubeconfigPath })
  client = new KubeClient(connection, {
    onAnswer(method, path, _code, _took, watch) {
      const { verb, resource } = describeCall(method, path, watch)
      // How it came to know the cluster is not the jobs' affair.
      if (path.includes(`/namespaces/${stage?.namespace}/`)) requests.push(`${verb} ${resource}`)
    },
  })
  await installCrds(client)
  const kubelet = new KubeClient(connection)
  stage = await Stage.open({ kubeconfig: server.kubeconfigPath, driver: statusDriver(kubelet) })
})
afterEach(async () => {
  await operator?.stop()
})
afterAll(async () => {
  await stage.close()
  await client.close()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function operate(patience: NonNullable<OperatorOptions['patience']>): Promise<OperatorMetrics> {
  const metrics = new OperatorMetrics()
  operator = startOperator({ client, patience, metrics })
  await operator.ready
  requests.length = 0
  return metrics
}

async function endsWith(job: Actor, event: string): Promise<void> {
  await eventually(`${job.name} tells of its end`, async () => expect((await job.events()).join()).toContain(event))
}

/** A figure is noted after what it is about has been stored. */
async function counts({ registry }: OperatorMetrics, line: string): Promise<void> {
  await eventually(line, async () => expect((await registry.metrics()).includes(line)).toBe(true))
}

const counted = (): Record<string, number> =>
  Object.fromEntries([...new Set(requests)].sort().map((what) => [what, requests.filter((r) => r === what).length]))

test.each([
  { first: 'the master', order: ['master-0', 'worker-0', 'worker-1', 'worker-2'] },
  { first: 'a worker', order: ['worker-1', 'worker-0', 'master-0', 'worker-2'] },
])('a short PyTorchTrainingJob of 1 + 3 replicas costs nine requests, if $first ends first', async ({ order }) => {
  await operate({ news: HOUR, details: HOUR, end: HOUR, parts: 25 })
  const job = await trainingJobs(stage).pytorch({ master: 1, worker: 3 })
  await job.start(...order)
  for (const replica of order) await job.exit(replica, 0)
  const { aggregate } = await job.reaches('Succeeded')
  expect(aggregate).toMatchObject({ succeeded: 4, running: 0 })
  await endsWith(job, 'Succeeded')
  expect(counted()).toEqual({
    'create events': 2,
    'create pods': 4,
    'create services': 1,
    'update pytorchtrainingjobs/status': 2,
  })
})

test('a worker that ends long before the master is stored in time', async () => {
  await operate({ news: HOUR, details: HOUR, end: 50, parts: 25 })
  const job = await trainingJobs(stage).pytorch({ master: 1, worker: 1 })
  await job.start('master-0', 'worker-0')
  await job.exit('worker-0', 0)
  await eventually('its success', async () => expect((await job.status()).aggregate).toMatchObject({ succeeded: 1 }))
  await job.exit('master-0', 0)
  await job.reaches('Succeeded')
})

test('a short TFJob of 1 + 3 replicas costs twelve', async () => {
  await operate({ news: HOUR, details: HOUR, end: HOUR, parts: 25 })
  const job = await trainingJobs(stage).tfjob({ Chief: 1, Worker: 3 })
  const replicas = ['chief-0', 'worker-0', 'worker-1', 'worker-2']
  await job.start(...replicas)
  for (const replica of replicas) await job.exit(replica, 0)
  await job.reaches('Succeeded')
  await endsWith(job, 'TFJobSucceeded')
  expect(counted()).toEqual({
    'create events': 2,
    'create pods': 4,
    'create services': 4,
    'update tfjobs/status': 2,
  })
})

test('a phase that lasts is stored and told', async () => {
  const metrics = await operate({ news: 50, details: HOUR, end: 50, parts: 25 })
  const job = await trainingJobs(stage).pytorch({ master: 1, worker: 1 })
  await job.start('master-0', 'worker-0')
  const { aggregate } = await job.reaches('Running')
  expect(aggregate).toMatchObject({ running: 2 })
  await endsWith(job, 'Running: 2 of 2 replicas run')
  await job.exit('master-0', 0)
  // The worker goes on; the end waits for it only so long.
  await job.reaches('Succeeded')
  await endsWith(job, 'Succeeded')
  await counts(metrics, 'trainyard_job_first_pod_seconds_count{kind="PyTorchTrainingJob"} 1')
  await counts(metrics, 'trainyard_job_running_seconds_count{kind="PyTorchTrainingJob"} 1')
  await counts(metrics, 'trainyard_job_finish_seconds_count{kind="PyTorchTrainingJob",phase="Succeeded"} 1')
})

test('what is not stored yet is known: a job that ran once runs until its end, and a pod that is gone was lost', async () => {
  const metrics = await operate({ news: HOUR, details: HOUR, end: HOUR, parts: 25 })
  const jobs = trainingJobs(stage)
  const job = await jobs.pytorch({ master: 1, worker: 1 }, {}, () => ({ restartPolicy: 'OnFailure' }))
  const [, worker] = await job.start('master-0', 'worker-0')
  await counts(metrics, 'trainyard_job_running_seconds_count{kind="PyTorchTrainingJob"} 1')
  await job.remove(worker!)
  await job.pod('worker-0', worker)
  // The loss is stored at once, and with it what had not been yet.
  const status = await job.reaches('Running')
  expect(status.backoffCount ?? 0).toBe(0)
  await endsWith(job, 'ReplicaLost')
  await counts(metrics, 'trainyard_replicas_lost_total{kind="PyTorchTrainingJob"} 1')
  await job.exit('worker-0', 1)
  await eventually('the restart is counted', async () => expect((await job.status()).backoffCount).toBe(1))
  await counts(metrics, 'trainyard_restarts_total{kind="PyTorchTrainingJob"} 1')
})

/** Jobs that wait for an operator in whose term they were born. */
async function operateInTerm(options: Pick<OperatorOptions, 'patience' | 'workers'>): Promise<void> {
  const world = worldFor({ client })
  const over = new AbortController()
  const running = world.run(over.signal)
  onTestFinished(async () => {
    await operator?.stop()
    over.abort()
    await running
  })
  await Promise.all([world.ready(), ...Object.values(world.jobs).map(({ synced }) => synced)])
  requests.length = 0
  operator = startOperator({ client, ...options, term: { world, began: 0, holds: () => true } })
  await operator.ready
}

/** A job whose pod was created while another one waited for its own. */
async function jobInHaste(): Promise<Actor> {
  const job = await trainingJobs(stage).pytorch({ master: 1 })
  const behind = await trainingJobs(stage).pytorch({ master: 1 })
  await operateInTerm({ patience: { news: HOUR, details: HOUR, end: HOUR, parts: 25 }, workers: 1 })
  await job.start('master-0')
  await behind.pod('master-0')
  expect(await job.status()).toEqual({})
  return job
}

test('while others wait for their pods the first status of a new job is stored with what comes next', async () => {
  const job = await jobInHaste()
  await job.exit('master-0', 0)
  expect(await job.reaches('Succeeded')).toMatchObject({ startTime: expect.any(String), aggregate: { succeeded: 1 } })
  await endsWith(job, 'Succeeded')
})

test('whoever comes after an operator that kept a first status to itself goes on with its pods', async () => {
  const job = await jobInHaste()
  const before = await job.pods()
  await operator?.stop()
  await operate({ news: 0, details: 0, end: 0, parts: 25 })
  expect(await job.reaches('Running')).toMatchObject({ startTime: expect.any(String) })
  expect((await job.pods()).map(({ metadata }) => metadata?.uid)).toEqual(before.map(({ metadata }) => metadata?.uid))
})

test('a job that is paused before its first status is stored says so, and loses its pods', async () => {
  const job = await jobInHaste()
  await job.patch({ spec: { runMode: { pause: { enabled: true } } } })
  await job.reaches('Paused')
  await job.hasReplicas()
})
