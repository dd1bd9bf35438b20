import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Cache, type Change, withoutManagedFields } from './cache.ts'
import type { KubeObject } from './resource.ts'

interface Thing extends KubeObject {
  owner?: string
}

function thing(name: string, version: number, uid = `${name}-uid`, owner?: string): Thing {
  const metadata = { namespace: 'n', name, uid, resourceVersion: String(version) }
  return { apiVersion: 'v1', kind: 'Thing', metadata, ...(owner && { owner }) }
}

function newCache() {
  const changes: string[] = []
  const onChange = (change: Change<Thing>) => {
    changes.push(`${change.type} ${change.object.metadata.name}@${change.object.metadata.resourceVersion}`)
  }
  const cache = new Cache<Thing>({ indexes: { owner: (item) => (item.owner ? [item.owner] : []) }, onChange })
  return { cache, changes }
}

test('our own write comes first and the watch tells nothing new', () => {
  const { cache, changes } = newCache()
  cache.replace([], '10')
  cache.merge(thing('a', 11))
  cache.apply('ADDED', thing('a', 11))
  expect(changes).toEqual(['added a@11'])
})

test('older news does not undo our own write', () => {
  const { cache } = newCache()
  cache.replace([thing('a', 5)], '10')
  cache.merge(thing('a', 13))
  cache.apply('MODIFIED', thing('a', 12))
  expect(cache.get('n/a')?.metadata.resourceVersion).toBe('13')
})

test('an answer that comes after the news of the deletion does not bring the object back', () => {
  const { cache } = newCache()
  cache.replace([], '10')
  cache.apply('ADDED', thing('a', 11))
  cache.apply('DELETED', thing('a', 12))
  cache.merge(thing('a', 11))
  expect(cache.size).toBe(0)
})

test('what we deleted is not brought back by older news, but its successor is welcome', () => {
  const { cache, changes } = newCache()
  cache.replace([thing('a', 5)], '10')
  cache.forget('a-uid', 'n/a')
  cache.apply('MODIFIED', thing('a', 11))
  expect(cache.size).toBe(0)
  cache.merge(thing('a', 14, 'second'))
  cache.apply('DELETED', thing('a', 12))
  expect(cache.get('n/a')?.metadata.uid).toBe('second')
  expect(changes).toEqual(['added a@5', 'removed a@5', 'added a@14'])
})

test('forgetting needs the right uid', () => {
  const { cache } = newCache()
  cache.replace([thing('a', 5)], '10')
  cache.forget('another', 'n/a')
  expect(cache.size).toBe(1)
})

test('a list that began before our write does not lose it', () => {
  const { cache } = newCache()
  cache.replace([], '10')
  cache.merge(thing('a', 15))
  cache.replace([thing('b', 12)], '13')
  expect(cache.list().map((item) => item.metadata.name)).toEqual(['a', 'b'])
  cache.replace([thing('b', 12)], '16')
  expect(cache.list().map((item) => item.metadata.name)).toEqual(['b'])
})

test('another object of the same name is told as removed and added', () => {
  const { cache, changes } = newCache()
  cache.replace([thing('a', 5, 'first')], '10')
  cache.replace([thing('a', 12, 'second')], '13')
  expect(changes).toEqual(['added a@5', 'removed a@5', 'added a@12'])
})

test('versions are numbers: 9 is older than 10', () => {
  const { cache } = newCache()
  cache.replace([thing('a', 9)], '9')
  cache.apply('MODIFIED', thing('a', 10))
  cache.apply('MODIFIED', thing('a', 9))
  expect(cache.get('n/a')?.metadata.resourceVersion).toBe('10')
})

test('an index follows what it files', () => {
  const { cache } = newCache()
  cache.replace([thing('b', 1, 'b', 'x'), thing('a', 1, 'a', 'x')], '1')
  expect(cache.by('owner', 'x').map((item) => item.metadata.name)).toEqual(['a', 'b'])
  cache.apply('MODIFIED', thing('a', 2, 'a', 'y'))
  cache.apply('DELETED', thing('b', 3, 'b', 'x'))
  expect(cache.by('owner', 'x')).toEqual([])
  expect(cache.by('owner', 'y').map((item) => item.metadata.name)).toEqual(['a'])
})

test('trimming takes off bookkeeping and nothing else', () => {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{…}', mine: 'stays' }
  const full = { ...thing('a', 1), spec: { x: 1 } }
  Object.assign(full.metadata, { annotations, managedFields: [{}] })
  expect(withoutManagedFields(full)).toEqual({
    ...thing('a', 1),
    spec: { x: 1 },
    metadata: { ...thing('a', 1).metadata, annotations: { mine: 'stays' } },
  })
})

/** A history of one server: writes by us and others, told by the watch in order, with our answers early or late. */
test('whatever the order of answers and news, the end is what the server holds', () => {
  const step = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    remove: fc.boolean(),
    ours: fc.boolean(),
    answerAfter: fc.nat(6),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(30), (steps, relistAt) => {
      const { cache } = newCache()
      cache.replace([], '0')
      const server = new Map<string, Thing>()
      const late: Array<{ at: number; tell: () => void }> = []
      let version = 0
      for (const [i, { name, remove, ours, answerAfter }] of steps.entries()) {
        const before = server.get(name)
        if (remove && before === undefined) continue
        version++
        const written = thing(name, version, before?.metadata.uid ?? `uid-${version}`)
        if (remove) server.delete(name)
        else server.set(name, written)
        const news = () => cache.apply(remove ? 'DELETED' : before ? 'MODIFIED' : 'ADDED', written)
        const uid = written.metadata.uid!
        const reply = () => (remove ? cache.forget(uid, `n/${name}`) : cache.merge(written))
        // The watch lags by three writes; an answer comes at any time, before or after its news.
        late.push({ at: i + 3, tell: news })
        if (ours) late.push({ at: i + answerAfter, tell: reply })
        late.sort((x, y) => x.at - y.at)
        while (late[0] && late[0].at <= i) late.shift()!.tell()
        if (i === relistAt) {
          cache.replace([...server.values()], String(version))
          for (const item of late.splice(0)) item.tell()
        }
      }
      for (const { tell } of late) tell()
      expect(new Map(cache.list().map((item) => [item.metadata.name, item]))).toEqual(server)
    }),
  )
})
