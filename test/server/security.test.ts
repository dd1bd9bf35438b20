import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestServer, type TestServer } from './client.ts'

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

test('a page in a browser gets no permission to ask, in any of the ways a browser asks', async () => {
  const server = await startTestServer()
  const page = { origin: 'https://evil.example' }
  const preflight = {
    ...page,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
    'access-control-request-private-network': 'true',
  }
  const asked = [
    // As it comes: a preflight carries no token, and would be refused with one too.
    await server.call('OPTIONS', path, { headers: preflight, token: null }),
    await server.call('OPTIONS', path, { headers: preflight }),
    // A form that was sent, and an image that was loaded.
    await server.call('POST', path, { headers: { ...page, 'content-type': 'text/plain' }, body: '{}', token: null }),
    await server.call('GET', path, { headers: { referer: 'https://evil.example/' }, token: null }),
    await server.call('GET', path, { headers: { cookie: `token=${server.server.token}` }, token: null }),
    await server.call('GET', `${path}?access_token=${server.server.token}`, { token: null }),
  ]
  for (const { code, headers, body } of asked) {
    expect([401, 403]).toContain(code)
    expect(body).toMatchObject({ kind: 'Status', status: 'Failure' })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
  expect((await server.get(path)).body.items).toHaveLength(4)
})

test.each([
  ['without the token', {}],
  ['from a web page', { origin: 'https://evil.example', token: true }],
  ['with a foreign Host', { host: 'evil.example', token: true }],
])('a connection to a pod is refused %s', async (_, { token, ...headers }: Record<string, string | boolean>) => {
  const server = await startTestServer()
  const { code, body } = await upgrade(server, '/api/v1/namespaces/default/pods/p/exec?command=sh', {
    ...(headers as Record<string, string>),
    ...(token ? { authorization: `Bearer ${server.server.token}` } : {}),
  })
  expect([401, 403]).toContain(code)
  expect(JSON.parse(body)).toMatchObject({ kind: 'Status', status: 'Failure' })
})

function upgrade({ server }: TestServer, to: string, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; body: string }>()
  const websocket = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  const options = { ca: server.ca, servername: 'localhost', headers: { ...websocket, ...headers } }
  const req = request(server.url + to, options, async (res) => {
    let body = ''
    for await (const chunk of res) body += chunk
    resolve({ code: res.statusCode ?? 0, body })
  })
  req.on('upgrade', () => reject(new Error('the connection was upgraded')))
  req.on('error', reject)
  req.end()
  return promise
}

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

test('a running home shows its token and keys to nobody: not in arguments, environment, logs or output', {
  timeout: 180_000,
}, async () => {
  const home = mkdtempSync(join(tmpdir(), 'trainyard-secrets-'))
  const trainyard = join(import.meta.dirname, '../../bin/trainyard.js')
  const env = { ...process.env, TRAINYARD_HOME: home, HOME: home }
  const child = spawn(process.execPath, [trainyard, 'up', '--foreground'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
    rmSync(home, { recursive: true, force: true })
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  await vi.waitFor(() => expect(output).toMatch(/https:\/\/127\.0\.0\.1:\d+/), { timeout: 120_000, interval: 100 })
  const kept = filesIn(home).find((file) => file.endsWith('identity.json')) ?? ''
  const { token, key } = JSON.parse(readFileSync(kept, 'utf8')) as { token: string; key: string }
  const secrets = [token, key.split('\n')[1] ?? '']
  const pids = [child.pid ?? 0, ...childrenOf(child.pid ?? 0)]
  const shown = [
    output,
    ...pids.flatMap((pid) => ['cmdline', 'environ'].map((of) => readFileSync(`/proc/${pid}/${of}`, 'latin1'))),
  ]
  for (const file of filesIn(home)) {
    const text = readFileSync(file, 'latin1')
    if (secrets.some((secret) => text.includes(secret)))
      expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600])
    if (file.endsWith('.log')) shown.push(text)
  }
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20)
    for (const text of shown) expect(text).not.toContain(secret)
  }
})

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

function childrenOf(pid: number): number[] {
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return own.flatMap((one) => [one, ...childrenOf(one)])
}
