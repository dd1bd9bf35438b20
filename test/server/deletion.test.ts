import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from './client.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const pods = '/api/v1/namespaces/default/pods'

async function make(server: TestServer, name: string, metadata: object = {}): Promise<string> {
  const answer = await server.post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } })
  expect(answer.code).toBe(201)
  return answer.body.metadata.uid
}

const ownedBy = (name: string, uid: string, more: object = {}) => ({
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, ...more }],
})

/** Collection happens by and by: looks until it has. */
async function gone(server: TestServer, path: string): Promise<void> {
  while ((await server.get(path)).code !== 404) await delay(10)
}

test('dependents go in the background, and theirs with them', async () => {
  const server = await startTestServer()
  const a = await make(server, 'a')
  const b = await make(server, 'b', ownedBy('a', a))
  await make(server, 'c', ownedBy('b', b))
  await server.delete(`${maps}/a`)
  await gone(server, `${maps}/b`)
  await gone(server, `${maps}/c`)
})

test('in the foreground the owner waits for the dependents that block it', async () => {
  const server = await startTestServer()
  const a = await make(server, 'a')
  await make(server, 'b', { ...ownedBy('a', a, { blockOwnerDeletion: true }), finalizers: ['x.y/hold'] })
  const deleted = await server.delete(`${maps}/a`, { propagationPolicy: 'Foreground' })
  expect(deleted.body.metadata.finalizers).toEqual(['foregroundDeletion'])
  while (!(await server.get(`${maps}/b`)).body.metadata.deletionTimestamp) await delay(10)
  expect((await server.get(`${maps}/a`)).code).toBe(200)
  await server.patch(`${maps}/b`, 'merge', { metadata: { finalizers: null } })
  await gone(server, `${maps}/a`)
})

test('orphans lose their owner and stay; who has a second owner stays too', async () => {
  const server = await startTestServer()
  const a = await make(server, 'a')
  const z = await make(server, 'z')
  await make(server, 'orphan', ownedBy('a', a))
  await server.delete(`${maps}/a`, { propagationPolicy: 'Orphan' })
  await gone(server, `${maps}/a`)
  expect((await server.get(`${maps}/orphan`)).body.metadata.ownerReferences).toBeUndefined()
  const y = await make(server, 'y')
  const both = { ownerReferences: [...ownedBy('y', y).ownerReferences, ...ownedBy('z', z).ownerReferences] }
  await make(server, 'shared', both)
  await server.delete(`${maps}/y`)
  let owners = both.ownerReferences
  while (owners.length > 1) owners = (await server.get(`${maps}/shared`)).body.metadata.ownerReferences
  expect(owners.map((owner) => owner.name)).toEqual(['z'])
})

test('collection goes on after a restart', async () => {
  const first = await startTestServer()
  const a = await make(first, 'a')
  await make(first, 'held', { ...ownedBy('a', a), finalizers: ['x.y/hold'] })
  await first.delete(`${maps}/a`)
  await first.server.stop()
  const second = await startTestServer({ dir: first.dir })
  while (!(await second.get(`${maps}/held`)).body.metadata.deletionTimestamp) await delay(10)
})

test('a namespace goes with everything in it, and takes nothing new meanwhile', async () => {
  const server = await startTestServer()
  await server.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } })
  const inside = '/api/v1/namespaces/n/configmaps'
  const map = (name: string, metadata = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...metadata },
  })
  await server.post(inside, map('held', { finalizers: ['x.y/hold'] }))
  await server.post(inside, map('free'))
  const deleted = await server.delete('/api/v1/namespaces/n')
  expect(deleted.body.status.phase).toBe('Terminating')
  await gone(server, `${inside}/free`)
  const late = await server.post(inside, map('late'))
  expect([late.code, late.body.details.causes[0].reason]).toEqual([403, 'NamespaceTerminating'])
  await server.patch(`${inside}/held`, 'merge', { metadata: { finalizers: null } })
  await gone(server, '/api/v1/namespaces/n')
})

test('a pod on a node is given its time, one that nobody runs is not', async () => {
  const server = await startTestServer()
  const pod = (name: string, spec = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  })
  await server.post(pods, pod('idle'))
  await server.delete(`${pods}/idle`)
  expect((await server.get(`${pods}/idle`)).code).toBe(404)
  await server.post(pods, pod('busy', { nodeName: 'n', terminationGracePeriodSeconds: 60 }))
  expect((await server.delete(`${pods}/busy`)).body.metadata.deletionGracePeriodSeconds).toBe(60)
  expect((await server.delete(`${pods}/busy?gracePeriodSeconds=5`)).body.metadata.deletionGracePeriodSeconds).toBe(5)
  expect((await server.delete(`${pods}/busy?gracePeriodSeconds=50`)).body.metadata.deletionGracePeriodSeconds).toBe(5)
  await server.delete(`${pods}/busy`, { gracePeriodSeconds: 0 })
  expect((await server.get(`${pods}/busy`)).code).toBe(404)
})

test('a delete that means another object is refused', async () => {
  const server = await startTestServer()
  const uid = await make(server, 'a')
  const other = await server.delete(`${maps}/a`, { preconditions: { uid: 'another' } })
  expect([other.code, other.body.reason]).toEqual([409, 'Conflict'])
  expect((await server.delete(`${maps}/a`, { preconditions: { uid } })).code).toBe(200)
})
