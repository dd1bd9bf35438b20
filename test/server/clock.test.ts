import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Api } from '../../src/server/api.ts'
import { OldEvents } from '../../src/server/collect/old-events.ts'
import { startServer } from '../../src/server/server.ts'
import { Store } from '../../src/server/store/store.ts'
import { callServer, startTestServer } from './client.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const pods = '/api/v1/namespaces/default/pods'
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEAR = 365 * DAY

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-clock-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test.each([
  ['a day forward', DAY],
  ['ten years forward', 10 * YEAR],
  ['an hour back', -HOUR],
  ['ten years back', -10 * YEAR],
])('the clock jumps %s: watches, writes, lists and deletions go on in order', async (_, jump) => {
  const clock = { ahead: 0 }
  const server = await startTestServer({ now: () => Date.now() + clock.ahead })
  const before = await server.post(maps, map('before'))
  const watch = server.watch(`${maps}?watch=true&resourceVersion=${before.body.metadata.resourceVersion}`)
  const container = { name: 'c', image: 'x' }
  await server.post(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { nodeName: 'n', containers: [container] },
  })
  clock.ahead = jump
  const after = await server.post(maps, map('after'))
  expect(Number(after.body.metadata.resourceVersion)).toBeGreaterThan(Number(before.body.metadata.resourceVersion))
  await server.patch(`${maps}/before`, 'merge', { data: { k: 'v' } })
  await server.delete(`${maps}/after`)
  expect((await watch.take(3)).map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
    'ADDED after',
    'MODIFIED before',
    'DELETED after',
  ])
  // A watch resumes from before the jump: history is not counted by the day's time.
  const again = server.watch(`${maps}?watch=true&resourceVersion=${before.body.metadata.resourceVersion}`)
  expect(await again.take(3)).toHaveLength(3)
  const slow = await server.delete(pods.concat('/p'), { gracePeriodSeconds: 60 })
  expect(slow.body.metadata.deletionGracePeriodSeconds).toBe(60)
  const hurried = await server.delete(pods.concat('/p'), { gracePeriodSeconds: 10 })
  expect(hurried.body.metadata.deletionGracePeriodSeconds).toBe(10)
  const table = await server.get(maps, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' })
  const [name, , age] = table.body.rows[0].cells
  expect([name, age]).toEqual(['before', jump < 0 ? '<invalid>' : expect.stringMatching(/^\d+[dhmsy]/)])
  expect(server.lines).toEqual([])
})

test.each([
  ['back before its certificate was made', -30 * DAY],
  ['forward beyond its end', 6 * YEAR],
])('started with the clock %s, it renews the certificate and keeps the token', async (_, jump) => {
  const dir = scratch()
  const first = await startServer({ dir, log: () => {} })
  await callServer(first, 'POST', maps, { body: map('a') })
  await first.stop()
  const second = await startServer({ dir, now: () => Date.now() + jump, log: () => {} })
  onTestFinished(() => second.stop())
  expect(second.token).toBe(first.token)
  expect(second.ca).not.toBe(first.ca)
  expect(readFileSync(second.kubeconfigPath, 'utf8')).toContain(Buffer.from(second.ca).toString('base64'))
})

test('events are kept for an hour of the process, whatever the clock says', async () => {
  const store = new Store(scratch())
  onTestFinished(() => store.close())
  const clock = { day: Date.UTC(2026, 0, 1), process: 0 }
  const put = (name: string): void => {
    const body = { kind: 'Event', metadata: { name }, lastTimestamp: new Date(clock.day).toISOString() }
    store.put({ resource: 'events', namespace: 'default', name }, () => JSON.stringify(body))
  }
  const left = (): string[] => store.list({ resource: 'events', limit: 100 }).map((row) => row.name)
  clock.day -= 2 * DAY
  put('ancient')
  clock.day += 2 * DAY - HOUR / 2
  put('earlier')
  await store.committed()
  clock.day += HOUR / 2
  const old = new OldEvents({ store, now: () => clock.day } as unknown as Api, () => clock.process)
  put('fresh')
  await store.committed()
  old.delete()
  expect(left()).toEqual(['earlier', 'fresh'])
  // The day's time goes mad; five minutes have passed.
  for (const jump of [10 * YEAR, -20 * YEAR]) {
    clock.day += jump
    clock.process += HOUR / 24
    old.delete()
    if (jump > 0) expect(left()).toEqual(['fresh'])
  }
  expect(left()).toEqual(['fresh'])
  clock.process += HOUR
  old.delete()
  expect(left()).toEqual([])
})
