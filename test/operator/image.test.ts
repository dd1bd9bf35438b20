// The folder that the operator's image holds works by itself: no sources, no node_modules.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildImageFolder } from '../../scripts/build-image.ts'
import { KubeClient, loadConnection } from '../../src/kube/index.ts'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { trainingJobs } from '../conformance/manifests.ts'
import { Stage } from '../conformance/stage.ts'
import { installCrds } from './operator-at-work.ts'
import { OperatorProcess } from './operator-process.ts'
import { statusDriver } from './status-driver.ts'

const dir = mkdtempSync(join(tmpdir(), 'trainyard-image-'))
let server: RunningServer
let client: KubeClient
let operator: OperatorProcess | undefined

beforeAll(async () => {
  server = await startServer({ dir: join(dir, 'server'), log: () => {} })
  client = new KubeClient(await loadConnection({ kubeconfig: server.kubeconfigPath }))
  await installCrds(client)
})
afterAll(async () => {
  await operator?.end('SIGKILL')
  await client.close()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('it brings a job of every kind to its end', async () => {
  const app = join(dir, 'app')
  // Little enough for a small image.
  expect(await buildImageFolder(app)).toBeLessThan(8 * 1024 * 1024)
  const flags = ['--kubeconfig', server.kubeconfigPath, '--metrics-address', '127.0.0.1:0', '--leader-elect=false']
  operator = new OperatorProcess(flags, [join(app, 'dist/main/cli.js')])
  await operator.says('at work')
  const stage = await Stage.open({ kubeconfig: server.kubeconfigPath, driver: statusDriver(client) })
  const jobs = trainingJobs(stage)
  for (const job of [
    await jobs.tensorflow({ worker: 1 }),
    await jobs.pytorch({ worker: 1 }),
    await jobs.generic({ worker: 1 }),
    await jobs.tfjob({ Worker: 1 }),
  ]) {
    await job.run('worker-0', 0)
    await job.reaches('Succeeded')
  }
  expect(await (await fetch(`${await operator.url()}/metrics`)).text()).toContain('trainyard_leader 1')
  expect(await operator.end()).toBe(0)
  expect(operator.noise).toEqual([])
  await stage.close()
})
