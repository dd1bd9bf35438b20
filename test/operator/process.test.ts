// The operator as a process: how it begins, what it shows, how it hands over and ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { KubeClient, LEASES, loadConnection } from '../../src/kube/index.ts'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { trainingJobs } from '../conformance/manifests.ts'
import { eventually, Stage } from '../conformance/stage.ts'
import { installCrds } from './operator-at-work.ts'
import { OperatorProcess } from './operator-process.ts'
import { statusDriver } from './status-driver.ts'

const dir = mkdtempSync(join(tmpdir(), 'trainyard-process-'))
let server: RunningServer
let client: KubeClient
let stage: Stage
const processes: OperatorProcess[] = []

beforeAll(async () => {
  server = await startServer({ dir, log: () => {} })
  client = new KubeClient(await loadConnection({ kubeconfig: server.kubeconfigPath }))
  await installCrds(client)
  stage = await Stage.open({ kubeconfig: server.kubeconfigPath, driver: statusDriver(client) })
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.end('SIGKILL')))
})
afterAll(async () => {
  await stage.close()
  await client.close()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
})

function begin(...flags: string[]): OperatorProcess {
  const kubeconfig = ['--kubeconfig', server.kubeconfigPath, '--metrics-address', '127.0.0.1:0']
  const process = new OperatorProcess([...kubeconfig, ...flags])
  processes.push(process)
  return process
}

async function ask(url: string): Promise<string> {
  const answer = await fetch(url)
  return `${answer.status} ${await answer.text()}`
}

test('it looks after jobs, tells how it is, and ends when told', async () => {
  const operator = begin('--leader-elect=false')
  const url = await operator.url()
  await operator.says('at work')
  const job = await trainingJobs(stage).pytorch({ master: 1 })
  await job.run('master-0', 0)
  await job.reaches('Succeeded')
  expect(await ask(`${url}/healthz`)).toBe('200 ok\n')
  expect(await ask(`${url}/readyz`)).toBe('200 ok\n')
  expect(await ask(`${url}/other`)).toMatch(/^404/)
  const metrics = await ask(`${url}/metrics`)
  expect(metrics).toContain('trainyard_leader 1')
  expect(metrics).toMatch(/trainyard_api_requests_total\{verb="create",resource="pods",code="201"\} 1/)
  expect(metrics).toMatch(/trainyard_api_requests_total\{verb="watch",resource="pods",code="200"\} \d/)
  expect(await operator.end()).toBe(0)
  expect(operator.noise).toEqual([])
  for (const line of operator.lines) expect(Date.parse(line.time)).not.toBeNaN()
})

test('of two one works; told to end, it gives the lease back and the other goes on', async () => {
  // So long a lease that only a hand-over can be in time.
  const flags = ['--lease-duration', '1h', '--lease-name', 'two', '--lease-namespace', stage.namespace]
  const first = begin(...flags, '--identity', 'first')
  await first.says('leading')
  const second = begin(...flags, '--identity', 'second')
  await second.says('standing by')
  expect(await ask(`${await second.url()}/readyz`)).toBe('200 ok\n')
  const job = await trainingJobs(stage).generic({ worker: 1 })
  await job.start('worker-0')
  await job.reaches('Running')
  expect(await first.end()).toBe(0)
  await second.says('leading')
  await job.exit('worker-0', 0)
  await job.reaches('Succeeded')
  const lease = await client.get(LEASES, { namespace: stage.namespace, name: 'two' })
  expect(lease.spec?.holderIdentity).toBe('second')
  expect(await ask(`${await second.url()}/metrics`)).toContain('trainyard_leader 1')
})

test('in one namespace it leaves the jobs of others alone', async () => {
  const other = await Stage.open({ kubeconfig: server.kubeconfigPath, driver: statusDriver(client) })
  const stranger = await trainingJobs(other).generic({ worker: 1 })
  const operator = begin('--leader-elect=false', '--namespace', stage.namespace)
  await operator.says('at work')
  const job = await trainingJobs(stage).generic({ worker: 1 })
  await job.run('worker-0', 0)
  await job.reaches('Succeeded')
  expect(await stranger.pods()).toEqual([])
  expect((await stranger.get()).status).toBeUndefined()
  await other.close()
})

test('it waits for an API server that is not there yet, and is not ready before', async () => {
  const away = await startServer({ dir: join(dir, 'away'), log: () => {} })
  const { port } = new URL(away.url)
  await away.stop()
  const flags = ['--kubeconfig', away.kubeconfigPath, '--metrics-address', '127.0.0.1:0', '--leader-elect=false']
  const operator = new OperatorProcess(flags)
  processes.push(operator)
  await operator.says('watching nodes')
  expect(await ask(`${await operator.url()}/readyz`)).toBe('503 the cluster is being read\n')
  const back = await startServer({ dir: join(dir, 'away'), port: Number(port), log: () => {} })
  await operator.says('at work')
  await eventually('ready', async () => expect(await ask(`${await operator.url()}/readyz`)).toBe('200 ok\n'))
  expect(await operator.end()).toBe(0)
  await back.stop()
})

test('what it cannot do it says in one line', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  const operator = begin('--metrics-address', `127.0.0.1:${port}`)
  await operator.says('cannot serve metrics and health: somebody else listens there')
  expect(await operator.ends()).toBe(1)
  taken.close()
})
