// An elastic job on a home whose nodes come and go, with real processes: it shrinks to no less than it needs, keeps its
// first replica, and grows back.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Node } from '../../gen/kubernetes-types.ts'
import { type KubeObject, NODES } from '../../src/kube/index.ts'
import { JOBS } from '../../src/operator/resources.ts'
import { HomeWithQueues } from './home-with-queues.ts'

const LONG = 300_000
const home = new HomeWithQueues()
beforeAll(async () => {
  await home.start()
  await home.queue('low', { priority: 1 })
  await home.queue('high', { priority: 2, quota: { requests: { cpu: 8 } } })
  const bin = join(home.dir, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'torchrun'), '#!/bin/sh\nwhile :; do sleep 0.05; done\n', { mode: 0o755 })
  const metadata = { name: 'stretch', namespace: 'default' }
  const env = [{ name: 'PATH', value: `${bin}:/usr/bin:/bin` }]
  const container = { name: 'c', image: 'none', args: ['train.py'], env, resources: { requests: { cpu: 2 } } }
  const template = { spec: { terminationGracePeriodSeconds: 1, containers: [container] } }
  const spec = {
    elastic: { enabled: true, minReplicas: 2, maxReplicas: 4, expectedReplicas: 4 },
    torchrunConfig: { enabled: true },
    scheduler: { t9kScheduler: { queue: 'low' } },
    replicaSpecs: [{ type: 'worker', template }],
  }
  const job = { apiVersion: 'batch.tensorstack.dev/v1beta1', kind: 'PyTorchTrainingJob', metadata, spec }
  await home.client.create(JOBS.PyTorchTrainingJob, job as never)
}, LONG)
afterAll(() => home.stop(), LONG)

/** Which replicas run, with their pods' uids. */
async function running(): Promise<Map<string, string>> {
  const pods = await home.podsOf('stretch')
  const there = pods.filter(({ metadata, status }) => status?.phase === 'Running' && !metadata?.deletionTimestamp)
  return new Map(there.map(({ metadata }) => [metadata?.labels?.['replica-index'] ?? '', metadata?.uid ?? '']))
}

function runs(...indexes: string[]): Promise<Map<string, string>> {
  return home.until(`replicas ${indexes} run`, async () => {
    const now = await running()
    expect([...now.keys()].sort()).toEqual(indexes)
    const { status, spec } = await home.job('stretch')
    expect(status).toMatchObject({ phase: 'Running', backoffCount: 0, aggregate: { running: indexes.length } })
    expect(spec).toMatchObject({ elastic: { expectedReplicas: 4 } })
    return now
  })
}

test('its group needs as many as the job needs, and it has as many as it wants', { timeout: LONG }, async () => {
  await runs('0', '1', '2', '3')
  expect((await home.group('stretch')).spec).toMatchObject({ minMember: 2 })
})

test('when the node of its first replica is lost, another gives way to it; when it is back, all are', {
  timeout: LONG,
}, async () => {
  const first = (await home.podsOf('stretch')).find(({ metadata }) => metadata?.labels?.['replica-index'] === '0')
  const name = first?.spec?.nodeName ?? ''
  const { metadata, status, ...node } = await home.client.get(NODES, { name })
  await home.client.delete(NODES, { name })
  const left = await home.until('two of them run, the first among them', async () => {
    const now = await running()
    expect([...now.keys()].sort()).toEqual(['0', expect.anything()])
    return now
  })
  expect(left.get('0')).not.toBe(first?.metadata?.uid)
  await home.until('the job says so', async () => {
    const { status: told, spec } = await home.job('stretch')
    expect(told).toMatchObject({ phase: 'Running', backoffCount: 0, aggregate: { running: 2, creating: 2, failed: 0 } })
    expect(spec).toMatchObject({ elastic: { expectedReplicas: 4 } })
    const held = told?.conditions?.find(({ type }) => type === 'HeldUp')
    expect(held).toMatchObject({
      status: 'True',
      message: expect.stringMatching(/^worker-\d, worker-\d: needs 2 CPU, /),
    })
  })
  const again = { ...node, metadata: { name, labels: metadata.labels } } as Node & KubeObject
  await home.client.create(NODES, again)
  await home.client.patch(NODES, { name }, { type: 'merge', body: { status } }, { subresource: 'status' })
  const all = await runs('0', '1', '2', '3')
  for (const [index, uid] of left) expect(all.get(index)).toBe(uid)
})

test('a job that goes first takes the highest ranks, and they come back when it has ended', {
  timeout: LONG,
}, async () => {
  const before = await runs('0', '1', '2', '3')
  const done = join(home.dir, 'urgent')
  await home.submit('urgent', {
    queue: 'high',
    replicas: 2,
    cpu: 2,
    script: `until [ -e ${done} ]; do sleep 0.05; done`,
  })
  await home.phase('urgent', 'Running')
  const kept = await runs('0', '1')
  for (const index of ['0', '1']) expect(kept.get(index)).toBe(before.get(index))
  writeFileSync(done, '')
  await home.phase('urgent', 'Succeeded')
  const after = await runs('0', '1', '2', '3')
  for (const index of ['0', '1']) expect(after.get(index)).toBe(before.get(index))
})
