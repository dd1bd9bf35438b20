import { readFileSync, statSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestServer } from './client.ts'

const path = '/api/v1/namespaces'

test('without the token nothing is told, with it everything', async () => {
  const server = await startTestServer()
  for (const token of [null, 'wrong', `${server.server.token}x`]) {
    const answer = await server.call('GET', path, { token })
    expect([answer.code, answer.body.reason, answer.body.message]).toEqual([401, 'Unauthorized', 'Unauthorized'])
    expect((await server.call('GET', '/readyz', { token })).code).toBe(401)
  }
  expect((await server.get(path)).code).toBe(200)
})

test.each([
  ['a foreign Host', { host: 'evil.example:443' }],
  ['a rebound Host', { host: 'localhost.evil.example' }],
  ['a web page', { origin: 'https://evil.example' }],
  ['a file opened in a browser', { origin: 'null' }],
])('%s is refused', async (_, headers) => {
  const server = await startTestServer()
  const answer = await server.call('GET', path, { headers })
  expect([answer.code, answer.body.reason]).toEqual([403, 'Forbidden'])
})

test('localhost is as good as the address', async () => {
  const server = await startTestServer()
  const port = new URL(server.server.url).port
  expect((await server.call('GET', path, { headers: { host: `localhost:${port}` } })).code).toBe(200)
})

test('it listens on loopback alone and speaks TLS alone', async () => {
  const server = await startTestServer()
  const url = new URL(server.server.url)
  expect(url.hostname).toBe('127.0.0.1')
  const outcome = await new Promise((resolve) => {
    const req = plainRequest({ host: '127.0.0.1', port: url.port, path }, (res) => resolve(res.statusCode))
    req.on('error', () => resolve('refused'))
    req.end()
  })
  expect(outcome).toBe('refused')
  const raw = await new Promise<string>((resolve) => {
    const socket = connect(Number(url.port), '127.0.0.1', () => socket.write('garbage\r\n\r\n'))
    socket.on('data', (data) => resolve(data.toString()))
    socket.on('close', () => resolve(''))
    socket.on('error', () => resolve(''))
  })
  expect(raw).not.toContain('HTTP/1.1 200')
  expect((await server.get(path)).code).toBe(200)
})

test('keys and token are for the owner alone, and in no answer or log', async () => {
  const server = await startTestServer()
  const { token, kubeconfigPath } = server.server
  const files = [kubeconfigPath, join(server.dir, 'pki', 'identity.json')]
  for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(server.dir).mode & 0o077).toBe(0)
  expect(readFileSync(kubeconfigPath, 'utf8')).toContain(token)
  for (const bad of [
    '/api/v1/nothing',
    '/api/v1/namespaces/default/pods/%2e%2e',
    '/%zz',
    '/api/v1/namespaces/default/pods?labelSelector=a+b',
  ]) {
    const answer = await server.get(bad)
    expect(answer.code).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(answer)).not.toContain(token)
  }
  expect(server.lines.join('\n')).not.toContain(token)
})
