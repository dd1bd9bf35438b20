// An operator that begins among jobs that are there already: a new leader, or one that was started anew.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { TrainingJob } from '../../src/api/types.ts'
import { KubeClient, loadConnection } from '../../src/kube/index.ts'
import { startOperator } from '../../src/operator/operator.ts'
import { JOBS } from '../../src/operator/resources.ts'
import { startServer } from '../../src/server/server.ts'
import { installCrds } from './operator-at-work.ts'

const template = { spec: { containers: [{ name: 'main', image: 'x' }] } }

test('jobs that are over wait for those that are not', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-begin-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const server = await startServer({ dir, log: () => {} })
  onTestFinished(() => server.stop())
  const writes: string[] = []
  const client = new KubeClient(await loadConnection({ kubeconfig: server.kubeconfigPath }), {
    onAnswer: (method, path) => void (method !== 'GET' && writes.push(`${method} ${path}`)),
  })
  onTestFinished(() => client.close())
  await installCrds(client)
  const build = (kind: 'PyTorchTrainingJob' | 'GenericJob', name: string, spec: object) =>
    ({
      apiVersion: 'batch.tensorstack.dev/v1beta1',
      kind,
      metadata: { namespace: 'default', name },
      spec,
    }) as TrainingJob
  for (const name of ['over-1', 'over-2', 'over-3']) {
    const replicaSpecs = [{ type: 'master', replicas: 1, template }]
    const runPolicy = { ttlSecondsAfterFinished: 0 }
    await client.create(JOBS.PyTorchTrainingJob, build('PyTorchTrainingJob', name, { runPolicy, replicaSpecs }))
    const body = { status: { phase: 'Succeeded', completionTime: '2026-01-01T00:00:00Z' } }
    const patch = { type: 'merge', body } as const
    await client.patch(JOBS.PyTorchTrainingJob, { namespace: 'default', name }, patch, { subresource: 'status' })
  }
  const replicasSpec = [{ type: 'worker', replicas: 1, template }]
  await client.create(
    JOBS.GenericJob,
    build('GenericJob', 'live', { replicasSpec, successRules: [{ worker: [0] }], failureRules: [{ worker: [0] }] }),
  )
  writes.length = 0
  const operator = startOperator({ client, workers: 1 })
  onTestFinished(() => operator.stop())
  const deleted = () => writes.filter((write) => write.startsWith('DELETE'))
  await expect.poll(deleted).toHaveLength(3)
  const pod = writes.findIndex((write) => /^POST .*\/pods$/.test(write))
  expect(pod).toBeGreaterThanOrEqual(0)
  expect(pod).toBeLessThan(writes.indexOf(deleted()[0]!))
})
