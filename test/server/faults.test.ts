import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../src/server/server.ts'
import { callServer, startTestServer } from './client.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const map = (name: string, size = 0) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { k: 'x'.repeat(size) },
})

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-faults-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('a second server on the directory is refused, and the first goes on', async () => {
  const server = await startTestServer()
  await expect(startServer({ dir: server.dir })).rejects.toThrow(
    `another server is using the data directory ${server.dir}`,
  )
  expect((await server.post(maps, map('a'))).code).toBe(201)
})

test('a database of a newer version is refused and left alone', async () => {
  const dir = scratch()
  await (await startServer({ dir })).stop()
  const db = new DatabaseSync(join(dir, 'trainyard.db'))
  db.exec('PRAGMA user_version = 99')
  db.close()
  await expect(startServer({ dir })).rejects.toThrow(/written by a newer Trainyard \(format 99/)
})

const PLACES = ['the beginning', 'the middle', 'the end'] as const

test.each(PLACES.flatMap((place) => [8192, 100, 1].map((size) => ({ place, size }))))(
  'a database with $size bytes overwritten at $place is refused in words, or nothing is lost',
  async ({ place, size }) => {
    const dir = scratch()
    const server = await startTestServer({ dir })
    const names = Array.from({ length: 60 }, (_, i) => `m${100 + i}`)
    for (const name of names) await server.post(maps, map(name, 4000))
    await server.server.stop()
    const file = join(dir, 'trainyard.db')
    const fd = openSync(file, 'r+')
    const at = {
      'the beginning': 0,
      'the middle': statSync(file).size / 2 + 50,
      'the end': statSync(file).size - size,
    }[place]
    writeSync(fd, Buffer.alloc(size, 0x5a), 0, size, Math.floor(at))
    closeSync(fd)
    const opened = await startServer({ dir, log: () => {} }).catch((error: Error) => error)
    if (opened instanceof Error) {
      expect(opened.message).toMatch(/the database .* is damaged; move it away/)
      return
    }
    onTestFinished(() => opened.stop())
    const { body } = await callServer(opened, 'GET', maps)
    expect(body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(names)
    for (const item of body.items) expect(item.data.k).toBe('x'.repeat(4000))
  },
)

test('bytes overwritten inside of stored objects do not pass for the objects', async () => {
  const dir = scratch()
  const server = await startTestServer({ dir })
  for (let i = 0; i < 60; i++) await server.post(maps, map(`m${i}`, 4000))
  await server.server.stop()
  const file = join(dir, 'trainyard.db')
  const content = readFileSync(file)
  for (const share of [0.25, 0.5, 0.75]) {
    const at = content.indexOf('x'.repeat(500), Math.floor(content.length * share))
    const damagedFile = Buffer.from(content)
    damagedFile.write('yy', at + 100)
    writeFileSync(file, damagedFile)
    await expect(startServer({ dir, log: () => {} })).rejects.toThrow(/is damaged; move it away/)
  }
  writeFileSync(file, content)
  await (await startServer({ dir, log: () => {} })).stop()
})

test('a database without sums gets them', async () => {
  const dir = scratch()
  const server = await startTestServer({ dir })
  await server.post(maps, map('a', 100))
  await server.server.stop()
  const db = new DatabaseSync(join(dir, 'trainyard.db'))
  db.exec('ALTER TABLE versions DROP COLUMN sum; PRAGMA user_version = 1')
  db.close()
  for (let start = 0; start < 2; start++) {
    const again = await startServer({ dir, log: () => {} })
    expect((await callServer(again, 'GET', `${maps}/a`)).code).toBe(200)
    await again.stop()
  }
})

test('a file where the directory should be is told as such', async () => {
  const file = join(scratch(), 'file')
  writeFileSync(file, '')
  await expect(startServer({ dir: file })).rejects.toThrow(/cannot be used/)
})

test('what a watch has missed for too long it is told to list again', async () => {
  const dir = scratch()
  const { Store } = await import('../../src/server/store/store.ts')
  const first = await startTestServer({ dir })
  const { body } = await first.post(maps, map('a'))
  for (let i = 0; i < 5; i++) await first.patch(`${maps}/a`, 'merge', { data: { i: String(i) } })
  await first.server.stop()
  const store = new Store(dir)
  await store.compact(store.revision)
  await store.close()
  const second = await startTestServer({ dir })
  const watch = second.watch(`${maps}?watch=true&resourceVersion=${body.metadata.resourceVersion}`)
  expect(await watch.next()).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
  expect(await watch.next()).toBeUndefined()
  const old = await second.get(`${maps}?resourceVersion=${body.metadata.resourceVersion}&resourceVersionMatch=Exact`)
  expect(old.code).toBe(410)
  expect((await second.get(`${maps}/a`)).body.data.i).toBe('4')
})
