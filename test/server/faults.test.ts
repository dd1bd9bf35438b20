import { mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../src/server/server.ts'
import { startTestServer } from './client.ts'

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

test.each([0, 1, 2])('a database with overwritten bytes is refused in words (place %i)', async (place) => {
  const dir = scratch()
  const server = await startTestServer({ dir })
  for (let i = 0; i < 60; i++) await server.post(maps, map(`m${i}`, 4000))
  await server.server.stop()
  const file = join(dir, 'trainyard.db')
  const fd = openSync(file, 'r+')
  const { size } = statSync(file)
  writeSync(fd, Buffer.alloc(8192, 0x5a), 0, 8192, [0, Math.floor(size / 2), size - 8192][place] ?? 0)
  await expect(startServer({ dir })).rejects.toThrow(/the database .* is damaged; move it away/)
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
