// kill -9 does not test the disk: what was written stays in the kernel. So the kernel's calls are counted.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { type Endpoint, send } from '../../parity/endpoint.ts'
import { MortalServer } from './mortal-server.ts'
import type { Mistake } from './serve.ts'

const ALONE = 20
const CLIENTS = 8
const EACH = 10
const FULL = 2

type Call = 'written to the log' | 'synced' | 'answered'

/** What the server's one thread asked of the kernel, in order: it writes to SQLite's log, syncs it, and answers. */
class Trace {
  readonly #file: string
  readonly #strace: ChildProcess

  constructor(pid: number, file: string) {
    this.#file = file
    const calls = 'trace=pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg'
    this.#strace = spawn('strace', ['-p', String(pid), '-yy', '-s', '0', '-e', calls, '-o', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  }

  async attached(): Promise<void> {
    const missing = once(this.#strace, 'error').then(([error]) => {
      throw new Error(`this test needs strace: ${(error as Error).message}`)
    })
    for await (const line of createInterface({ input: this.#strace.stderr as NodeJS.ReadableStream })) {
      if (line.includes('attached')) return
      if (line.includes('not permitted')) throw new Error(`strace may not look at our own process: ${line}`)
    }
    await missing
  }

  async stop(): Promise<Call[]> {
    const ended = once(this.#strace, 'close')
    this.#strace.kill('SIGINT')
    await ended
    return readFileSync(this.#file, 'utf8').split('\n').flatMap(readCall)
  }
}

function readCall(line: string): Call[] {
  if (/^pwrite64\(\d+<.*trainyard\.db-wal>/.test(line)) return ['written to the log']
  if (/^f(data)?sync\(\d+<.*trainyard\.db-wal>\)\s+= 0/.test(line)) return ['synced']
  return /^(write|writev|sendto|sendmsg)\(\d+<TCP/.test(line) ? ['answered'] : []
}

/** Answers that left while something written before them had not been synced. */
function tooEarly(calls: readonly Call[]): number {
  let unsynced = false
  let early = 0
  for (const call of calls) {
    if (call === 'answered' && unsynced) early++
    else if (call !== 'answered') unsynced = call === 'written to the log'
  }
  return early
}

async function startAndTrace(mistakes: readonly Mistake[] = []): Promise<{ server: Endpoint; trace: Trace }> {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-durability-'))
  const process = new MortalServer(mistakes)
  onTestFinished(async () => {
    await process.kill()
    rmSync(dir, { recursive: true, force: true })
  })
  const server = await process.serve({ dir, keep: 3_600_000 })
  const trace = new Trace(process.process.pid as number, join(dir, 'trace'))
  await trace.attached()
  return { server, trace }
}

async function create(server: Endpoint, name: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }
  const path = '/api/v1/namespaces/default/configmaps'
  const { code } = await send(server, { method: 'POST', path, body, headers: { 'content-type': 'application/json' } })
  expect(code).toBe(201)
}

const count = (calls: readonly Call[], what: Call): number => calls.filter((call) => call === what).length

async function readMetric(server: Endpoint, name: string): Promise<number> {
  const { body } = await send(server, { method: 'GET', path: '/metrics', headers: {} })
  return Number(String(body).match(new RegExp(`^${name} (.*)$`, 'm'))?.[1])
}

test('every commit is synced between its write and its answer, and writers side by side share commits', async () => {
  const { server, trace } = await startAndTrace()
  expect(await readMetric(server, 'trainyard_store_synchronous')).toBe(FULL)
  for (let n = 0; n < ALONE; n++) await create(server, `alone-${n}`)
  const alone = await trace.stop()
  expect(tooEarly(alone)).toBe(0)
  expect(count(alone, 'synced')).toBeGreaterThanOrEqual(ALONE)

  const together = await startAndTrace()
  const before = await readMetric(together.server, 'trainyard_store_commits_total')
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = 0; n < EACH; n++) await create(together.server, `together-${client}-${n}`)
    }),
  )
  const commits = (await readMetric(together.server, 'trainyard_store_commits_total')) - before
  const calls = await together.trace.stop()
  expect(tooEarly(calls)).toBe(0)
  expect(count(calls, 'synced')).toBeGreaterThanOrEqual(commits)
  expect(commits).toBeLessThanOrEqual(CLIENTS * EACH)
  console.log(
    `durability: synchronous FULL; ${ALONE} writes one by one: ${count(alone, 'synced')} syncs, each before its answer; ` +
      `${CLIENTS * EACH} writes of ${CLIENTS} clients: ${commits} commits, ${count(calls, 'synced')} syncs, 0 answers before theirs`,
  )
})

test('found when planted in the server: commits that do not wait for the disk', async () => {
  const text = 'PRAGMA synchronous = FULL'
  const { server, trace } = await startAndTrace([
    { file: 'store/database.ts', text, instead: 'PRAGMA synchronous = NORMAL' },
  ])
  expect(await readMetric(server, 'trainyard_store_synchronous')).not.toBe(FULL)
  await create(server, 'early')
  expect(tooEarly(await trace.stop())).toBeGreaterThan(0)
})
