import { request } from 'node:https'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from './client.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const map = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})

/** A body of so many bytes, piece by piece, until it is all sent or an answer comes. */
function sendInPieces({ server }: TestServer, path: string, size: number): Promise<{ code: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; text: string }>()
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const req = request(server.url + path, { method: 'POST', ca: server.ca, headers, agent: false }, async (res) => {
    let text = ''
    for await (const chunk of res) text += chunk
    resolve({ code: res.statusCode ?? 0, text })
  })
  // The server hangs up on what it will not read; that is an error only if it has said nothing before.
  req.on('error', reject)
  for (let sent = 0; sent < size; sent += 65_536) req.write('x'.repeat(65_536))
  req.end()
  return promise
}

test('a body over the limit is refused and the next request served', async () => {
  const server = await startTestServer()
  const answer = await server.post(maps, map('a', { k: 'x'.repeat(3 * 1024 * 1024) }))
  expect([answer.code, answer.body.reason]).toEqual([413, 'RequestEntityTooLarge'])
  expect((await server.post(maps, map('a'))).code).toBe(201)
})

test.each([
  ['deep nesting', '['.repeat(100_000), 400, /nested deeper/],
  ['deep nesting that is closed', `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`, 400, /nested deeper/],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400, /UTF-8/],
  ['half an object', '{"apiVersion":"v1"', 400, /json parse error: unexpected end of JSON input/],
  ['a list', '[1,2]', 400, /must be of type ConfigMap/],
])('%s gets one clear answer', async (_, body, code, message) => {
  const server = await startTestServer()
  const answer = await server.call('POST', maps, { body })
  expect(answer.code).toBe(code)
  expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', message: expect.stringMatching(message) })
  expect(server.lines).toEqual([])
})

test('a body over the limit is refused also when its length is not told', async () => {
  const server = await startTestServer()
  const answer = await sendInPieces(server, maps, 4 * 1024 * 1024)
  expect([answer.code, JSON.parse(answer.text).reason]).toEqual([413, 'RequestEntityTooLarge'])
  expect((await server.get(maps)).body.items).toEqual([])
})

const YAML = { 'content-type': 'application/yaml' }
const APPLY = { 'content-type': 'application/apply-patch+yaml' }
const JSON_PATCH = { 'content-type': 'application/json-patch+json' }
const MERGE = { 'content-type': 'application/merge-patch+json' }
const layers = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const deepPath = [{ op: 'add', path: `/data${'/a'.repeat(5000)}`, value: '1' }]
const aliases = `a: &a [x, x, x, x, x, x, x, x, x]\n${[...'bcdefgh']
  .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`).join(', ')}]\n`)
  .join('')}`

test.each([
  ['YAML nested deeply', 'POST', maps, YAML, `data: ${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['YAML that unfolds without end', 'POST', maps, YAML, aliases],
  ['YAML that is none', 'POST', maps, YAML, 'a: b: c: [\n'],
  ['an apply patch nested deeply', 'PATCH', `${maps}/a?fieldManager=x`, APPLY, `data: ${layers(5000)}`],
  ['an apply patch that unfolds without end', 'PATCH', `${maps}/a?fieldManager=x`, APPLY, aliases],
  ['a merge patch nested deeply', 'PATCH', `${maps}/a`, MERGE, layers(5000)],
  ['a JSON patch with a deep path', 'PATCH', `${maps}/a`, JSON_PATCH, JSON.stringify(deepPath)],
  ['a JSON patch that is an object', 'PATCH', `${maps}/a`, JSON_PATCH, '{}'],
  ['options that are no options', 'DELETE', `${maps}/a`, { 'content-type': 'application/json' }, layers(5000)],
])('%s is refused and the server goes on', async (_, method, path, headers, body) => {
  const server = await startTestServer()
  await server.post(maps, map('a'))
  const answer = await server.call(method, path, { body, headers })
  expect(answer.code).toBeGreaterThanOrEqual(400)
  expect(answer.code).toBeLessThan(500)
  expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', message: expect.stringMatching(/\S/) })
  expect(server.lines).toEqual([])
  expect((await server.get(`${maps}/a`)).code).toBe(200)
})

test.each([
  ['labelSelector', 'a b'],
  ['labelSelector', 'a in (b'],
  ['labelSelector', 'a==b==c'],
  ['labelSelector', '=b,,'],
  ['labelSelector', `${'x'.repeat(64)}=y`],
  ['labelSelector', 'a > b'],
  ['labelSelector', '\u0000'],
  ['fieldSelector', 'metadata.name'],
  ['fieldSelector', 'data.k=v'],
  ['fieldSelector', 'metadata.name>a'],
  ['limit', 'many'],
  ['continue', 'nonsense'],
  ['resourceVersion', 'newest'],
])('%s %j is refused in lists, watches and collections', async (name, value) => {
  const server = await startTestServer()
  await server.post(maps, map('a'))
  const query = `${name}=${encodeURIComponent(value)}`
  const asked = [server.get(`${maps}?${query}`), server.call('DELETE', `${maps}?${query}`)]
  if (name !== 'limit' && name !== 'continue') asked.push(server.get(`${maps}?watch=true&${query}`))
  for (const { code, body } of await Promise.all(asked)) {
    expect([code, body.kind, body.status]).toEqual([expect.toSatisfy((n) => n >= 400), 'Status', 'Failure'])
  }
  expect((await server.get(maps)).body.items).toHaveLength(1)
  expect(server.lines).toEqual([])
})

test('keys that stand twice are refused strictly, warned about by default', async () => {
  const server = await startTestServer()
  const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1","k":"2"}}'
  const strict = await server.call('POST', `${maps}?fieldValidation=Strict`, { body })
  expect([strict.code, strict.body.message]).toEqual([400, expect.stringContaining('duplicate field "data.k"')])
  const warned = await server.call('POST', maps, { body })
  expect(warned.code).toBe(201)
  expect(warned.headers.warning).toContain('duplicate field')
  expect(warned.body.data.k).toBe('2')
})

test.each(['..', '.', 'a/b', 'A', 'a b', '\u0000', 'x'.repeat(300)])('the name %j cannot be made', async (name) => {
  const server = await startTestServer()
  const answer = await server.post(maps, map(name))
  expect([answer.code, answer.body.reason]).toEqual([422, 'Invalid'])
  expect((await server.get(maps)).body.items).toEqual([])
})

test('a name in the address cannot leave its place', async () => {
  const server = await startTestServer()
  for (const path of [`${maps}/..%2f..%2fsecrets`, `${maps}/%2e%2e`, `/api/v1/namespaces/default/configmaps/..`]) {
    expect((await server.get(path)).code).toBeGreaterThanOrEqual(400)
  }
})

test('content types nobody reads get 415, ones nobody writes 406', async () => {
  const server = await startTestServer()
  const sent = await server.call('POST', maps, { body: 'x', headers: { 'content-type': 'text/plain' } })
  expect([sent.code, sent.body.reason]).toEqual([415, 'UnsupportedMediaType'])
  const asked = await server.get(maps, { accept: 'application/vnd.kubernetes.protobuf' })
  expect([asked.code, asked.body.reason]).toEqual([406, 'NotAcceptable'])
  const both = await server.get(maps, { accept: 'application/vnd.kubernetes.protobuf,application/json' })
  expect([both.code, both.headers['content-type']]).toEqual([200, 'application/json'])
})

test('objects cannot reach into the server', async () => {
  const server = await startTestServer()
  await server.post(maps, map('a'))
  const body = '{"metadata":{"labels":{"__proto__":"x","constructor":"y"}}}'
  const patched = await server.call('PATCH', `${maps}/a`, {
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  expect(patched.code).toBeLessThan(500)
  await server.patch(`${maps}/a`, 'json', [{ op: 'add', path: '/__proto__/polluted', value: 'yes' }])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect((await server.get(`${maps}/a`)).code).toBe(200)
})
