import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startTestServer, type TestServer } from './client.ts'

async function ask({ server }: TestServer, headers: Record<string, string> = {}) {
  const host = new URL(server.url).host
  const sent = request({
    socketPath: server.socketPath,
    path: '/api/v1/namespaces',
    headers: { host, ...headers },
  }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { code: answer.statusCode, body: (await json(answer)) as { items?: unknown[] } }
}

test('the socket answers its owner what the address answers, with the token and not without', async () => {
  const server = await startTestServer()
  const authorization = `Bearer ${server.server.token}`
  expect(await ask(server, { authorization })).toMatchObject({ code: 200, body: { items: { length: 4 } } })
  expect(await ask(server)).toMatchObject({ code: 401 })
  expect(await ask(server, { authorization, host: 'evil.example' })).toMatchObject({ code: 403 })
  expect(statSync(server.server.socketPath!).mode & 0o777).toBe(0o600)
})

test('a socket goes with its server, and one that a killed server left is replaced', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-socket-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const stranger = createServer().listen(join(dir, 'api.sock'))
  await once(stranger, 'listening')
  onTestFinished(() => void stranger.close())
  const server = await startTestServer({ dir })
  expect(await ask(server, { authorization: `Bearer ${server.server.token}` })).toMatchObject({ code: 200 })
  await server.server.stop()
  expect(existsSync(join(dir, 'api.sock'))).toBe(false)
})

test('a directory too deep for a socket has none, and the server answers all the same', async () => {
  const base = mkdtempSync(join(tmpdir(), 'trainyard-socket-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const dir = join(base, 'd'.repeat(100))
  mkdirSync(dir)
  const server = await startTestServer({ dir })
  expect(server.server.socketPath).toBeUndefined()
  expect((await server.get('/api/v1/namespaces')).code).toBe(200)
})
