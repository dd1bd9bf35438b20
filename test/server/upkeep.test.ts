import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTestServer } from './client.ts'

test('a claim stays while a pod that was given to a node uses it', async () => {
  const server = await startTestServer()
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
  const pods = '/api/v1/namespaces/default/pods'
  await server.post(claims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })
  await server.post(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: {
      nodeName: 'n',
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
    },
  })
  const deleted = await server.call('DELETE', `${claims}/c`)
  expect(deleted.body.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection'])
  // A later deletion that was seen to is proof that the claim was looked at and kept.
  await server.call('DELETE', `${claims}/c`)
  expect((await server.get(`${claims}/c`)).code).toBe(200)
  await server.call('DELETE', `${pods}/p?gracePeriodSeconds=0`)
  while ((await server.get(`${claims}/c`)).code !== 404) await delay(20)
})

test('taints follow the conditions of a node, and leave those of people alone', async () => {
  const server = await startTestServer()
  const created = await server.post('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n' },
    spec: { taints: [{ key: 'mine', effect: 'NoExecute' }] },
    status: { conditions: [{ type: 'Ready', status: 'False' }] },
  })
  const keys = (node: { spec: { taints?: Array<{ key: string }> } }) => (node.spec.taints ?? []).map(({ key }) => key)
  expect(keys(created.body)).toEqual(['mine', 'node.kubernetes.io/not-ready'])
  await server.call('PATCH', '/api/v1/nodes/n/status', {
    body: { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
  })
  while (keys((await server.get('/api/v1/nodes/n')).body).length > 1) await delay(20)
  await server.call('PATCH', '/api/v1/nodes/n', {
    body: { spec: { unschedulable: true } },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  while (keys((await server.get('/api/v1/nodes/n')).body).length < 2) await delay(20)
  expect(keys((await server.get('/api/v1/nodes/n')).body)).toEqual(['mine', 'node.kubernetes.io/unschedulable'])
})
