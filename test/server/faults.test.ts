import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../src/server/server.ts'
import { type Endpoint, send } from '../parity/endpoint.ts'
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

test('a disk that takes no more: the write is refused, what was acknowledged stays, reading goes on', async () => {
  const dir = scratch()
  const program = join(import.meta.dirname, 'serve.ts')
  // Files may grow to 2 MB; the signal is ignored, so writes fail as they do on a full disk.
  const child = spawn(
    'sh',
    ['-c', `trap '' XFSZ; ulimit -f 4096; exec "$0" "$1" "$2"`, process.execPath, program, dir],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const endpoint = JSON.parse(line) as Endpoint
  const post = (name: string) =>
    send(endpoint, {
      method: 'POST',
      path: maps,
      body: map(name, 200_000),
      headers: { 'content-type': 'application/json' },
    })
  const kept: string[] = []
  let refusal: Awaited<ReturnType<typeof post>> | undefined
  for (let i = 0; i < 60 && !refusal; i++) {
    const answer = await post(`m${i}`)
    if (answer.code === 201) kept.push(`m${i}`)
    else refusal = answer
  }
  expect(kept.length).toBeGreaterThan(0)
  expect(refusal?.body).toMatchObject({
    kind: 'Status',
    reason: 'InternalError',
    message: expect.stringContaining('could not be stored'),
  })
  for (const name of kept)
    expect((await send(endpoint, { method: 'GET', path: `${maps}/${name}`, headers: {} })).code).toBe(200)
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

test('a reader that never reads is cut off; the others do not notice', async () => {
  const server = await startTestServer()
  const { body } = await server.get(maps)
  const lazy = server.watch(`${maps}?watch=true&resourceVersion=${body.metadata.resourceVersion}`)
  lazy.pause()
  const eager = server.watch(`${maps}?watch=true&resourceVersion=${body.metadata.resourceVersion}`)
  const big = 'x'.repeat(900_000)
  for (let i = 0; i < 40; i++) {
    await server.put(`${maps}/big`, { ...map('big'), data: { i: String(i), big } }).then(async (answer) => {
      if (answer.code === 404) await server.post(maps, { ...map('big'), data: { i: String(i), big } })
    })
    await eager.next()
  }
  const metrics = await server.get('/metrics')
  expect(metrics.body).toContain('trainyard_open_watches 1\n')
})
