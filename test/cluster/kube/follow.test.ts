// Informer, election and events against a genuine apiserver.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENTS, EventRecorder, Informer, type KubeObject, LEASES, standForElection } from '../../../src/kube/index.ts'
import { buildConfigMap, CONFIG_MAPS, openPlace, type Place } from './namespace.ts'

let place: Place
beforeAll(async () => {
  place = await openPlace()
})
afterAll(() => place.close())

test('an informer holds what the server holds after a storm of writes, own ones and others', async () => {
  const { client, namespace } = place
  const stop = new AbortController()
  const informer = new Informer<KubeObject & { data?: Record<string, string> }>({
    client,
    resource: CONFIG_MAPS,
    selection: { namespace },
    pageSize: 3,
    watchSeconds: 2,
    backoff: { first: 5, most: 50 },
    indexes: { value: (map) => [map.data?.value ?? ''] },
  })
  for (let i = 0; i < 10; i++) await client.create(CONFIG_MAPS, buildConfigMap(namespace, `early-${i}`, { value: 'x' }))
  const running = informer.run(stop.signal)
  await informer.synced
  expect(informer.cache.by('value', 'x')).toHaveLength(10)
  const writer = async (number: number) => {
    for (let round = 0; round < 25; round++) {
      const name = `storm-${number}-${round % 5}`
      const at = { namespace, name }
      const known = informer.cache.get(`${namespace}/${name}`)
      if (known === undefined) {
        informer.cache.merge(await client.create(CONFIG_MAPS, buildConfigMap(namespace, name, { value: `${round}` })))
      } else if (round % 3 === 0) {
        const { uid } = known.metadata
        const deletion = await client.delete(CONFIG_MAPS, at, { uid })
        if (deletion.gone) informer.cache.forget(uid!, `${namespace}/${name}`)
      } else {
        informer.cache.merge(await client.update(CONFIG_MAPS, { ...known, data: { value: `${round}` } }))
      }
    }
  }
  // A conflict or AlreadyExists here would mean that the cache had missed one of our own deeds.
  await Promise.all([0, 1, 2, 3].map(writer))
  const stored = (await client.list(CONFIG_MAPS, { namespace })).items
  const versions = (items: KubeObject[]) =>
    Object.fromEntries(items.map((item) => [item.metadata.name, item.metadata.resourceVersion]))
  await expect.poll(() => versions(informer.cache.list())).toEqual(versions(stored))
  stop.abort()
  await running
})

test('two candidates: one leads, and its successor takes over at once when it steps down', async () => {
  const { client, namespace } = place
  const log: string[] = []
  const stand = (identity: string, signal: AbortSignal) =>
    standForElection(
      {
        client,
        namespace,
        name: 'leader',
        identity,
        leaseSeconds: 60,
        lead: (term) =>
          new Promise((resolve) => {
            log.push(`${identity} leads`)
            term.addEventListener('abort', () => {
              log.push(`${identity} stops`)
              resolve()
            })
          }),
      },
      signal,
    )
  const first = new AbortController()
  const second = new AbortController()
  const a = stand('a', first.signal)
  await expect.poll(() => log).toEqual(['a leads'])
  const b = stand('b', second.signal)
  first.abort()
  await a
  await expect.poll(() => log, { interval: 5 }).toEqual(['a leads', 'a stops', 'b leads'])
  expect((await client.get(LEASES, { namespace, name: 'leader' })).spec).toMatchObject({
    holderIdentity: 'b',
    leaseTransitions: 1,
  })
  second.abort()
  await b
})

test('a leader that falls silent is succeeded, and steps down itself before that', async () => {
  const { client, namespace } = place
  const log: string[] = []
  let cut = false
  const flaky = {
    get: client.get.bind(client),
    create: client.create.bind(client),
    watch: client.watch.bind(client),
    update: ((...args: Parameters<typeof client.update>) =>
      cut ? Promise.reject(new Error('cut off')) : client.update(...args)) as typeof client.update,
  }
  const stand = (identity: string, through: typeof flaky | typeof client, signal: AbortSignal) =>
    standForElection(
      {
        client: through,
        namespace,
        name: 'silent',
        identity,
        leaseSeconds: 5,
        lead: (term) =>
          new Promise((resolve) => {
            log.push(`${identity} leads`)
            term.addEventListener('abort', () => {
              log.push(`${identity} stops`)
              resolve()
            })
          }),
      },
      signal,
    )
  const stop = new AbortController()
  const a = stand('a', flaky, stop.signal)
  await expect.poll(() => log).toEqual(['a leads'])
  const b = stand('b', client, stop.signal)
  cut = true
  await expect.poll(() => log, { timeout: 60_000 }).toEqual(['a leads', 'a stops', 'b leads'])
  stop.abort()
  await Promise.all([a, b])
})

test('a leader that was halted knows that its time is over before it is told', async () => {
  const { client, namespace } = place
  const stop = new AbortController()
  const seen: boolean[] = []
  const lead = async (term: AbortSignal, holds: () => boolean): Promise<void> => {
    seen.push(holds())
    // Nothing of the process goes on meanwhile, as under SIGSTOP.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000)
    seen.push(term.aborted, holds())
    stop.abort()
  }
  await standForElection({ client, namespace, name: 'halted', identity: 'a', leaseSeconds: 6, lead }, stop.signal)
  expect(seen).toEqual([true, false, false])
})

test('events stand on the object they are about and are counted', async () => {
  const { client, namespace } = place
  const about = await client.create(CONFIG_MAPS, buildConfigMap(namespace, 'talked-about', {}))
  const errors: unknown[] = []
  const recorder = new EventRecorder({ client, component: 'test', onError: (error) => errors.push(error) })
  const note = { type: 'Warning', reason: 'Said', message: 'x'.repeat(2_000) } as const
  for (let i = 0; i < 3; i++) recorder.record(about, note)
  await recorder.stop()
  const fieldSelector = `involvedObject.uid=${about.metadata.uid}`
  const { items } = await client.list(EVENTS, { namespace, fieldSelector })
  expect(errors).toEqual([])
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({ count: 3, reason: 'Said', source: { component: 'test' } })
})
