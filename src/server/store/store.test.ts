import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from './database.ts'
import { type Change, Store } from './store.ts'

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-store-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const key = (name: string, namespace = 'n') => ({ resource: 'things', namespace, name })
const all = (store: Store, at?: number) =>
  store
    .list({ resource: 'things', limit: 1000, ...(at === undefined ? {} : { at }) })
    .map((row) => `${row.name}=${row.body}`)

const anyDeed = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  removes: fc.boolean(),
  body: fc.string({ maxLength: 3 }),
})

test('every revision can be listed as it was, until it is forgotten; the present never is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyDeed, { minLength: 1, maxLength: 25 }), fc.nat(30), async (deeds, forgotten) => {
      const dir = mkdtempSync(join(tmpdir(), 'trainyard-store-'))
      const store = new Store(dir)
      try {
        const model = new Map<string, string>()
        const snapshots = new Map<number, string[]>([[store.latest, []]])
        for (const { name, removes, body } of deeds) {
          if (removes) {
            if (store.remove(key(name), () => body)) model.delete(name)
          } else {
            store.put(key(name), () => body)
            model.set(name, body)
          }
          snapshots.set(
            store.latest,
            [...model].sort(([a], [b]) => (a < b ? -1 : 1)).map(([n, v]) => `${n}=${v}`),
          )
        }
        await store.committed()
        for (const [rev, expected] of snapshots) expect(all(store, rev)).toEqual(expected)
        await store.compact(forgotten)
        for (const [rev, expected] of snapshots) if (rev >= store.compacted) expect(all(store, rev)).toEqual(expected)
        expect(all(store)).toEqual(snapshots.get(store.latest))
      } finally {
        await store.close()
        rmSync(dir, { recursive: true, force: true })
      }
    }),
    { numRuns: 30 },
  )
})

test('changes are told in order, after they are on disk, and can be read again', async () => {
  const store = new Store(scratch())
  const told: Change[] = []
  store.onChange((change) => {
    expect(change.rev).toBeLessThanOrEqual(store.revision)
    told.push(change)
  })
  store.put(key('a'), () => '1')
  expect(told).toEqual([])
  store.put(key('a'), () => '2')
  store.remove(key('a'), () => '3')
  await store.committed()
  expect(told.map((c) => [c.type, c.body, c.prev])).toEqual([
    ['ADDED', '1', undefined],
    ['MODIFIED', '2', '1'],
    ['DELETED', '3', '2'],
  ])
  expect(store.changesAfter('things', 0, 10)).toEqual(told)
  expect(store.changesAfter('things', told[0]?.rev ?? 0, 1)).toEqual([told[1]])
  await store.close()
})

test('a listener that fails keeps nobody waiting', async () => {
  const store = new Store(scratch())
  const told: number[] = []
  const warned = once(process, 'warning')
  store.onChange(() => {
    throw new Error('of its own')
  })
  store.onChange((change) => told.push(change.rev))
  store.put(key('a'), () => '1')
  await store.committed()
  expect(told).toEqual([store.latest])
  expect(String((await warned)[0])).toContain('of its own')
  await store.close()
})

test('revisions go on where they were, even when the last one is a forgotten deletion', async () => {
  const dir = scratch()
  const first = new Store(dir)
  first.put(key('a'), () => '1')
  first.remove(key('a'), () => '2')
  await first.committed()
  const { latest } = first
  await first.compact(latest)
  await first.close()
  const second = new Store(dir)
  expect(second.latest).toBe(latest)
  await second.close()
})

test('a commit waits for the disk, and one opener keeps all others out', () => {
  const dir = scratch()
  const db = openDatabase(dir)
  expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
  expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(() => openDatabase(dir)).toThrow(`another server is using the data directory ${dir}`)
  db.close()
  openDatabase(dir).close()
})
