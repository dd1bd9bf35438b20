import { expect, test } from 'vitest'
import { startTestServer } from './client.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const map = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})

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

test('a flood of writes is all stored', async () => {
  const server = await startTestServer()
  const answers = await Promise.all(Array.from({ length: 150 }, (_, i) => server.post(maps, map(`m${i}`))))
  expect(new Set(answers.map((a) => a.code))).toEqual(new Set([201]))
  const revisions = new Set(answers.map((a) => a.body.metadata.resourceVersion))
  expect(revisions.size).toBe(150)
  expect((await server.get(maps)).body.items).toHaveLength(150)
})
