import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from './client.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const things = (version = 'v1', rest = '') => `/apis/x.example/${version}/namespaces/default/things${rest}`

const version = (name: string, spec: object, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', ...spec },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
  subresources: { status: {} },
  ...more,
})
const definition = (...versions: object[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.x.example' },
  spec: { group: 'x.example', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions },
})
const thing = (name: string, spec: object, apiVersion = 'x.example/v1') => ({
  apiVersion,
  kind: 'Thing',
  metadata: { name },
  spec,
})

async function defined(...versions: object[]): Promise<TestServer> {
  const server = await startTestServer()
  expect((await server.post(CRDS, definition(...versions))).code).toBe(201)
  return server
}

const PLAIN = {
  properties: {
    text: { type: 'string' },
    size: {
      type: 'integer',
      default: 3,
      'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'may not shrink' }],
    },
  },
}

test('a defined kind is served at once: pruned, defaulted, judged with its old state', async () => {
  const server = await defined(version('v1', PLAIN))
  const made = await server.post(things(), thing('a', { text: 'x', other: 1 }))
  expect([made.code, made.body.spec, made.body.metadata.generation]).toEqual([201, { text: 'x', size: 3 }, 1])
  expect(made.headers.warning).toContain('unknown field')
  expect((await server.patch(things('v1', '/a'), 'merge', { spec: { size: 5 } })).body.metadata.generation).toBe(2)
  const shrunk = await server.patch(things('v1', '/a'), 'merge', { spec: { size: 4 } })
  expect([shrunk.code, shrunk.body.details.causes[0].message]).toEqual([422, 'Invalid value: 4: may not shrink'])
})

test('status and spec do not touch each other', async () => {
  const server = await defined(version('v1', PLAIN))
  await server.post(things(), { ...thing('a', {}), status: { lost: true } })
  const status = await server.patch(things('v1', '/a/status'), 'merge', { spec: { size: 9 }, status: { phase: 'Up' } })
  expect([status.body.spec.size, status.body.status, status.body.metadata.generation]).toEqual([3, { phase: 'Up' }, 1])
  const spec = await server.patch(things('v1', '/a'), 'merge', { spec: { text: 'y' }, status: { phase: 'Down' } })
  expect([spec.body.spec.text, spec.body.status]).toEqual(['y', { phase: 'Up' }])
})

test('versions are views of one object, and a watch speaks its own', async () => {
  const server = await defined(version('v1', PLAIN), version('v2', PLAIN))
  const watch = server.watch(`${things('v2')}?watch=true`)
  await server.post(things(), thing('a', { text: 'x' }))
  expect((await watch.next())?.object.apiVersion).toBe('x.example/v2')
  expect((await server.get(things('v2', '/a'))).body.apiVersion).toBe('x.example/v2')
  await server.patch(things('v2', '/a'), 'merge', { spec: { text: 'y' } })
  expect((await server.get(things('v1', '/a'))).body).toMatchObject({ apiVersion: 'x.example/v1', spec: { text: 'y' } })
})

test('objects from before a change of the schema are read with its new defaults', async () => {
  const server = await defined(version('v1', { properties: { text: { type: 'string' } } }))
  await server.post(things(), thing('old', { text: 'x' }))
  await server.patch(
    `${CRDS}/things.x.example`,
    'merge',
    definition(version('v1', { properties: { fresh: { type: 'string', default: 'yes' } } })),
  )
  expect((await server.get(things('v1', '/old'))).body.spec).toEqual({ fresh: 'yes' })
  expect((await server.get(things())).body.items[0].spec).toEqual({ fresh: 'yes' })
})

test('a kind goes with its objects, and comes back empty', async () => {
  const server = await defined(version('v1', PLAIN))
  await server.post(things(), thing('a', {}))
  await server.delete(`${CRDS}/things.x.example`)
  while ((await server.get(things())).code !== 404) await delay(10)
  await server.post(CRDS, definition(version('v1', PLAIN)))
  expect((await server.get(things())).body.items).toEqual([])
})

test('kinds and their objects are there after a restart', async () => {
  const first = await defined(version('v1', PLAIN))
  await first.post(things(), thing('a', { text: 'x' }))
  await first.server.stop()
  const second = await startTestServer({ dir: first.dir })
  expect((await second.get(things('v1', '/a'))).body.spec.text).toBe('x')
})
