import { Agent } from 'node:https'
import { expect, test, vi } from 'vitest'
import { type Endpoint, send } from '../parity/endpoint.ts'
import { startTestServer } from './client.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const map = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})
/** Its first event says that it is open. */
const OPEN = `${maps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`
const STATE = { timeout: 120_000, interval: 50 }

test('1 000 watches are served, one more is told to come back', { timeout: 300_000 }, async () => {
  const server = await startTestServer()
  const watches = []
  for (let i = 0; i < 1000; i += 50) {
    const some = Array.from({ length: 50 }, () => server.watch(OPEN))
    for (const watch of some) expect(await watch.next()).toMatchObject({ type: 'BOOKMARK' })
    watches.push(...some)
  }
  const refused = await server.get(OPEN)
  expect(refused.headers['retry-after']).toBe('1')
  expect(refused.body).toMatchObject({ kind: 'Status', code: 429, reason: 'TooManyRequests' })
  // Everybody hears of a write, and whoever leaves makes room.
  expect((await server.post(maps, map('a'))).code).toBe(201)
  for (const watch of watches) expect(await watch.next()).toMatchObject({ type: 'ADDED' })
  watches.pop()?.stop()
  await vi.waitFor(async () => expect((await server.get('/metrics')).body).toContain('open_watches 999\n'), STATE)
  expect(await server.watch(OPEN).next()).toMatchObject({ type: 'ADDED' })
})

test('a reader that never reads is cut off; the others do not notice', { timeout: 300_000 }, async () => {
  const server = await startTestServer()
  const lazy = server.watch(OPEN)
  await lazy.next()
  lazy.pause()
  const eager = server.watch(OPEN)
  await eager.next()
  const big = 'x'.repeat(900_000)
  await server.post(maps, map('big', { i: '0', big }))
  for (let i = 1; i < 40; i++) {
    expect((await server.put(`${maps}/big`, map('big', { i: String(i), big }))).code).toBe(200)
    expect((await eager.next())?.object.data.i).toBe(String(i - 1))
  }
  await vi.waitFor(async () => expect((await server.get('/metrics')).body).toContain('open_watches 1\n'), STATE)
})

test('of a flood of writes each is stored or told to come back', { timeout: 300_000 }, async () => {
  const server = await startTestServer()
  const { url, ca, token } = server.server
  const endpoint: Endpoint = { url, ca, token, agent: new Agent({ keepAlive: true, maxSockets: 600 }) }
  const post = (i: number) =>
    send(endpoint, {
      method: 'POST',
      path: maps,
      body: map(`m${i}`, { k: 'x'.repeat(1000) }),
      headers: { 'content-type': 'application/json' },
    })
  const answers = await Promise.all(Array.from({ length: 3000 }, (_, i) => post(i)))
  endpoint.agent?.destroy()
  const stored = answers.filter(({ code }) => code === 201)
  const refused = answers.filter(({ code }) => code !== 201)
  for (const { code, retryAfter, body } of refused)
    expect([code, retryAfter, body]).toEqual([429, '1', expect.objectContaining({ reason: 'TooManyRequests' })])
  const metadata = stored.map(({ body }) => (body as { metadata: { name: string; resourceVersion: string } }).metadata)
  expect(new Set(metadata.map((m) => m.resourceVersion)).size).toBe(stored.length)
  expect(stored.length).toBeGreaterThan(400)
  const { items } = (await server.get(maps)).body as { items: Array<{ metadata: { name: string } }> }
  expect(items.map((item) => item.metadata.name)).toEqual(metadata.map((m) => m.name).sort())
})

test('requests in flight have a limit too, and it is given back', { timeout: 120_000 }, async () => {
  const server = await startTestServer({ limits: { inFlight: 3 } })
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => server.post(maps, map(`m${i}`))))
  const codes = new Set(answers.map(({ code }) => code))
  for (const code of codes) expect([201, 429]).toContain(code)
  expect((await server.post(maps, map('later'))).code).toBe(201)
})
