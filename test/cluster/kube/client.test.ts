// The client against a genuine apiserver: what it sends is understood, what comes back is understood.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ApiError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  KubeClient,
  PODS,
} from '../../../src/kube/index.ts'
import { buildConfigMap, buildPod, CONFIG_MAPS, openPlace, type Place } from './namespace.ts'

let place: Place
beforeAll(async () => {
  place = await openPlace()
})
afterAll(() => place.close())

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('should have failed'),
    (error) => error as ApiError,
  )

test('refusals are known by their names', async () => {
  const { client, namespace } = place
  const pod = buildPod(namespace, 'twice')
  const created = await client.create(PODS, pod)
  expect(isAlreadyExists(await failure(client.create(PODS, pod)))).toBe(true)
  expect(isNotFound(await failure(client.get(PODS, { namespace, name: 'nobody' })))).toBe(true)
  const invalid = await failure(client.create(PODS, { ...pod, spec: { containers: [] } }))
  expect(isInvalid(invalid)).toBe(true)
  expect(invalid.status.details?.causes?.[0]?.field).toBe('spec.containers')
  await client.updateStatus(PODS, { ...created, status: { phase: 'Running' } })
  expect(isConflict(await failure(client.updateStatus(PODS, { ...created, status: { phase: 'Failed' } })))).toBe(true)
  expect((await client.get(PODS, { namespace, name: 'twice' })).status?.phase).toBe('Running')
})

test('nobody in particular is forbidden, not crashed', async () => {
  const { connection, namespace } = place
  const stranger = new KubeClient({ ...connection, headers: { 'Impersonate-User': 'stranger' } })
  expect(isForbidden(await failure(stranger.list(PODS, { namespace })))).toBe(true)
  await stranger.close()
})

test('deletes mean the uid they name; grace is told apart from gone', async () => {
  const { client, namespace } = place
  const { metadata } = await client.create(PODS, buildPod(namespace, 'deleted'))
  const at = { namespace, name: 'deleted' }
  expect(isConflict(await failure(client.delete(PODS, at, { uid: 'another' })))).toBe(true)
  // Only a pod that sits on a node is given its grace period.
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: at, target: { kind: 'Node', name: 'nowhere' } }
  await client.raw({ method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/deleted/binding`, body: binding })
  const begun = await client.delete(PODS, at, { uid: metadata.uid })
  expect(begun).toMatchObject({ gone: false, object: { metadata: { uid: metadata.uid } } })
  expect(await client.delete(PODS, at, { uid: metadata.uid, gracePeriodSeconds: 0 })).toEqual({ gone: true })
  expect(isNotFound(await failure(client.delete(PODS, at)))).toBe(true)
  const held = { ...buildConfigMap(namespace, 'held', {}) }
  held.metadata.finalizers = ['trainyard.dev/test']
  await client.create(CONFIG_MAPS, held)
  expect((await client.delete(CONFIG_MAPS, { namespace, name: 'held' })).gone).toBe(false)
  await client.patch(
    CONFIG_MAPS,
    { namespace, name: 'held' },
    { type: 'merge', body: { metadata: { finalizers: null } } },
  )
  expect(isNotFound(await failure(client.get(CONFIG_MAPS, { namespace, name: 'held' })))).toBe(true)
})

test('the four kinds of patch', async () => {
  const { client, namespace } = place
  const at = { namespace, name: 'patched' }
  await client.create(CONFIG_MAPS, buildConfigMap(namespace, 'patched', { a: '1' }))
  await client.patch(CONFIG_MAPS, at, { type: 'merge', body: { data: { b: '2' } } })
  await client.patch(CONFIG_MAPS, at, { type: 'json', body: [{ op: 'replace', path: '/data/a', value: '3' }] })
  await client.patch(CONFIG_MAPS, at, { type: 'strategic', body: { data: { c: '4' } } })
  const applied = buildConfigMap(namespace, 'patched', { c: '5' })
  const apply = { type: 'apply', body: applied } as const
  expect(isConflict(await failure(client.patch(CONFIG_MAPS, at, apply, { fieldManager: 'test' })))).toBe(true)
  const end = await client.patch(CONFIG_MAPS, at, apply, { fieldManager: 'test', force: true })
  expect(end.data).toEqual({ a: '3', b: '2', c: '5' })
})

test('dry runs, field validation and warnings', async () => {
  const { connection, namespace } = place
  const warnings: string[] = []
  const client = new KubeClient(connection, { onWarning: (text) => warnings.push(text) })
  const odd = { ...buildPod(namespace, 'odd'), spec: { containers: [{ name: 'x', image: 'y', imaje: 'z' }] } }
  const strict = await failure(client.create(PODS, odd, { fieldValidation: 'Strict' }))
  expect(strict.message).toContain('unknown field "spec.containers[0].imaje"')
  await client.create(PODS, odd, { fieldValidation: 'Warn', dryRun: true })
  expect(warnings).toEqual(['unknown field "spec.containers[0].imaje"'])
  expect(isNotFound(await failure(client.get(PODS, { namespace, name: 'odd' })))).toBe(true)
  await client.close()
})

test('a list in pages', async () => {
  const { client, namespace } = place
  for (let i = 0; i < 5; i++) await client.create(CONFIG_MAPS, buildConfigMap(namespace, `page-${i}`, {}))
  const selection = { namespace, fieldSelector: 'metadata.name!=patched', limit: 2 }
  const names: string[] = []
  for (let next: string | undefined; ; ) {
    const page = await client.list(CONFIG_MAPS, { ...selection, continue: next })
    names.push(...page.items.map((item) => item.metadata.name ?? ''))
    next = page.continue
    if (next === undefined) break
  }
  expect(names.filter((name) => name.startsWith('page-'))).toHaveLength(5)
})

test('a watch tells the changes from a version on', async () => {
  const { client, namespace } = place
  const { resourceVersion } = await client.list(CONFIG_MAPS, { namespace })
  const made = await client.create(CONFIG_MAPS, buildConfigMap(namespace, 'watched', {}))
  await client.delete(CONFIG_MAPS, { namespace, name: 'watched' })
  const seen: string[] = []
  for await (const { type, object } of client.watch(CONFIG_MAPS, { namespace, resourceVersion })) {
    seen.push(`${type} ${object.metadata.uid}`)
    if (type === 'DELETED') break
  }
  expect(seen).toEqual([`ADDED ${made.metadata.uid}`, `DELETED ${made.metadata.uid}`])
})

test('an aborted watch ends with the reason given', async () => {
  const { client, namespace } = place
  const stop = new AbortController()
  const watching = failure(
    (async () => {
      for await (const _ of client.watch(CONFIG_MAPS, { namespace, signal: stop.signal })) stop.abort(new Error('done'))
    })(),
  )
  await client.create(CONFIG_MAPS, buildConfigMap(namespace, 'any', {}))
  expect((await watching).message).toBe('done')
})
