import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAlive, lastLines, type ProcessRecord, startProcess, stopProcess } from './processes.ts'

let dir = ''
const started: ProcessRecord[] = []

function start(code: string): ProcessRecord {
  const record = startProcess('test', process.execPath, ['-e', code], join(dir, `${started.length}.log`))
  started.push(record)
  return record
}

async function untilItSays(record: ProcessRecord, word: string): Promise<void> {
  while (!lastLines(record, 1).includes(word)) await delay(20)
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'trainyard-processes-'))
})

afterAll(async () => {
  for (const record of started) await stopProcess(record, 0)
  rmSync(dir, { recursive: true })
})

test('what was started is alive until it is stopped', async () => {
  const record = start('setInterval(() => {}, 1000)')
  expect(isAlive(record)).toBe(true)
  await stopProcess(record, 60_000)
  expect(isAlive(record)).toBe(false)
})

test('what does not heed SIGTERM is killed after its grace', async () => {
  const record = start(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('deaf')`)
  await untilItSays(record, 'deaf')
  await stopProcess(record, 100)
  expect(isAlive(record)).toBe(false)
})

test('a process that has got the id of another one since is left alone', async () => {
  const record = start('setInterval(() => {}, 1000)')
  const other = { ...record, startedAt: `${record.startedAt}0` }
  expect(isAlive(other)).toBe(false)
  await stopProcess(other, 0)
  expect(isAlive(record)).toBe(true)
})
