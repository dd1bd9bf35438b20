import { expect, test } from 'vitest'
import { startTestServer, type WatchEvent } from './client.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const map = (name: string, labels: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
})
const told = (events: WatchEvent[]) => events.map((e) => `${e.type} ${e.object.metadata.name}`)

test('a watch tells what happens after its revision, in order', async () => {
  const server = await startTestServer()
  const { body } = await server.get(maps)
  const watch = server.watch(`${maps}?watch=true&resourceVersion=${body.metadata.resourceVersion}`)
  await server.post(maps, map('a'))
  await server.patch(`${maps}/a`, 'merge', { data: { x: '1' } })
  await server.delete(`${maps}/a`)
  expect(told(await watch.take(3))).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a'])
})

test('a watch resumes from any kept revision', async () => {
  const server = await startTestServer()
  const created = []
  for (const name of ['a', 'b', 'c']) created.push((await server.post(maps, map(name))).body)
  const watch = server.watch(`${maps}?watch=true&resourceVersion=${created[0].metadata.resourceVersion}`)
  expect(told(await watch.take(2))).toEqual(['ADDED b', 'ADDED c'])
})

test('without a revision the present state comes first', async () => {
  const server = await startTestServer()
  await server.post(maps, map('a'))
  const watch = server.watch(`${maps}?watch=true`)
  expect(told(await watch.take(1))).toEqual(['ADDED a'])
  await server.post(maps, map('b'))
  expect(told(await watch.take(1))).toEqual(['ADDED b'])
})

test('initial events end with a marked bookmark', async () => {
  const server = await startTestServer()
  await server.post(maps, map('a'))
  const watch = server.watch(
    `${maps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
  )
  const [first, second] = await watch.take(2)
  expect(first?.type).toBe('ADDED')
  expect(second).toMatchObject({
    type: 'BOOKMARK',
    object: { kind: 'ConfigMap', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
  })
})

test('leaving a selection is a deletion, entering it an addition', async () => {
  const server = await startTestServer()
  await server.post(maps, map('a', { in: 'yes' }))
  await server.post(maps, map('b', { in: 'no' }))
  const { body } = await server.get(maps)
  const watch = server.watch(
    `${maps}?watch=true&labelSelector=in%3Dyes&resourceVersion=${body.metadata.resourceVersion}`,
  )
  await server.patch(`${maps}/b`, 'merge', { metadata: { labels: { in: 'yes' } } })
  await server.patch(`${maps}/a`, 'merge', { metadata: { labels: { in: 'no' } } })
  await server.patch(`${maps}/a`, 'merge', { data: { unseen: '1' } })
  await server.delete(`${maps}/b`)
  const events = await watch.take(3)
  expect(told(events)).toEqual(['ADDED b', 'DELETED a', 'DELETED b'])
  expect(events[1]?.object.metadata.labels.in).toBe('yes')
})

test('a watch ends after its timeout', async () => {
  const server = await startTestServer()
  const { body } = await server.get(maps)
  const watch = server.watch(`${maps}?watch=true&timeoutSeconds=1&resourceVersion=${body.metadata.resourceVersion}`)
  expect(await watch.next()).toBeUndefined()
})
