import { expect, test } from 'vitest'
import { startTestServer } from './client.ts'

const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})
const maps = '/api/v1/namespaces/default/configmaps'

test('what is created can be read, listed, changed and deleted', async () => {
  const server = await startTestServer()
  const created = await server.post(maps, configMap('a', { k: '1' }))
  expect(created.code).toBe(201)
  expect(created.body.metadata).toMatchObject({
    name: 'a',
    namespace: 'default',
    uid: expect.any(String),
    resourceVersion: expect.any(String),
  })
  expect((await server.get(`${maps}/a`)).body).toEqual(created.body)
  const listed = await server.get(maps)
  expect(listed.body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' })
  const { kind: _kind, apiVersion: _apiVersion, ...bare } = created.body
  expect(listed.body.items).toEqual([bare])
  const changed = await server.put(`${maps}/a`, { ...created.body, data: { k: '2' } })
  expect(changed.code).toBe(200)
  expect(Number(changed.body.metadata.resourceVersion)).toBeGreaterThan(Number(created.body.metadata.resourceVersion))
  const deleted = await server.delete(`${maps}/a`)
  expect(deleted.body).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'a', kind: 'configmaps' } })
  expect((await server.get(`${maps}/a`)).code).toBe(404)
})

test('an update from an old state is refused', async () => {
  const server = await startTestServer()
  const { body } = await server.post(maps, configMap('a', { k: '1' }))
  await server.put(`${maps}/a`, { ...body, data: { k: '2' } })
  const late = await server.put(`${maps}/a`, { ...body, data: { k: '3' } })
  expect(late.code).toBe(409)
  expect(late.body).toMatchObject({
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  })
})

test('a write that changes nothing gets no revision', async () => {
  const server = await startTestServer()
  const { body } = await server.post(maps, configMap('a', { k: '1' }))
  const same = await server.put(`${maps}/a`, body)
  expect(same.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion)
})

test('dry runs answer as if and store nothing', async () => {
  const server = await startTestServer()
  const tried = await server.post(`${maps}?dryRun=All`, configMap('a'))
  expect(tried.code).toBe(201)
  expect((await server.get(`${maps}/a`)).code).toBe(404)
})

test('names are made up from generateName', async () => {
  const server = await startTestServer()
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'many-' } }
  const names = await Promise.all(
    Array.from({ length: 20 }, async () => (await server.post(maps, body)).body.metadata.name),
  )
  expect(new Set(names).size).toBe(20)
  for (const name of names) expect(name).toMatch(/^many-[a-z0-9]{5}$/)
})

test('everything acknowledged is there after a restart, at the same revision', async () => {
  const first = await startTestServer()
  await Promise.all(Array.from({ length: 50 }, (_, i) => first.post(maps, configMap(`m${i}`))))
  const before = await first.get(maps)
  await first.server.stop()
  const second = await startTestServer({ dir: first.dir })
  const after = await second.get(maps)
  expect(after.body.items).toEqual(before.body.items)
  expect(Number(after.body.metadata.resourceVersion)).toBeGreaterThanOrEqual(
    Number(before.body.metadata.resourceVersion),
  )
  expect(second.server.token).toBe(first.server.token)
})

test('pages of a list are of one moment', async () => {
  const server = await startTestServer()
  for (let i = 0; i < 7; i++) await server.post(maps, configMap(`m${i}`, { v: 'old' }))
  const first = await server.get(`${maps}?limit=3`)
  expect(first.body.items).toHaveLength(3)
  expect(first.body.metadata.remainingItemCount).toBe(4)
  await server.delete(`${maps}/m4`)
  await server.patch(`${maps}/m5`, 'merge', { data: { v: 'new' } })
  await server.post(maps, configMap('m55'))
  const second = await server.get(`${maps}?limit=10&continue=${first.body.metadata.continue}`)
  expect(second.body.items.map((m: { metadata: { name: string } }) => m.metadata.name)).toEqual([
    'm3',
    'm4',
    'm5',
    'm6',
  ])
  expect(second.body.items[2].data.v).toBe('old')
  expect(second.body.metadata.continue).toBeUndefined()
})

test('selectors pick by label and by field', async () => {
  const server = await startTestServer()
  for (const [name, tier] of [
    ['a', 'x'],
    ['b', 'y'],
    ['c', 'x'],
  ] as const) {
    await server.post(maps, { ...configMap(name), metadata: { name, labels: { tier } } })
  }
  const names = async (query: string) => {
    const { body } = await server.get(`${maps}?${query}`)
    return body.items.map((m: { metadata: { name: string } }) => m.metadata.name)
  }
  expect(await names('labelSelector=tier%3Dx')).toEqual(['a', 'c'])
  expect(await names('labelSelector=tier+in+(y,z)')).toEqual(['b'])
  expect(await names('labelSelector=tier!%3Dx')).toEqual(['b'])
  expect(await names('labelSelector=!tier')).toEqual([])
  expect(await names('fieldSelector=metadata.name%3Dc')).toEqual(['c'])
  expect((await server.get(`${maps}?labelSelector=a+b+c`)).code).toBe(400)
  expect((await server.get(`${maps}?fieldSelector=data.k%3D1`)).code).toBe(400)
})
