import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeProcesses, examinePython, examineToken, judgeDisk, sizeOf } from './examine-machine.ts'

const folder = mkdtempSync(join(tmpdir(), 'trainyard-doctor-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  [41.9e9, 'fine', '41 GB free'],
  [4.2e9, 'remark', '4.2 GB free'],
  [0.3e9, 'problem', '0.3 GB free'],
])('%d bytes free: %s', (free, status, message) => {
  expect(judgeDisk(free)).toMatchObject({ status, message })
})

test.each([
  [16_384, 'fine', 'at most 16384 processes and threads a pod'],
  [0, 'remark', 'any number'],
  [undefined, 'remark', 'not limited'],
])('%s processes a pod: %s', (most, status, words) => {
  const check = describeProcesses(most)
  expect(check.status).toBe(status)
  expect(check.message).toContain(words)
})

test('a token that others may read is a problem, and so is a home that others may reach', () => {
  const file = join(folder, 'token')
  writeFileSync(file, 'x', { mode: 0o600 })
  expect(examineToken([file], 'https://127.0.0.1:1')).toMatchObject({ status: 'fine', message: '0600, loopback only' })
  expect(examineToken([file], 'https://10.0.0.1:1')).toMatchObject({ status: 'problem' })
  chmodSync(file, 0o640)
  expect(examineToken([file], undefined)).toMatchObject({ status: 'problem', fix: `chmod 600 ${file}` })
})

test.each([
  ['echo 3.11.2 2.15.0', 'fine', '3.11.2, torch 2.15.0 in '],
  ['echo 3.11.2', 'problem', 'no module torch in '],
  ['exit 1', 'problem', 'does not run'],
])('a python that does %j', async (script, status, words) => {
  writeFileSync(join(folder, 'python3'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'python3'), 0o755)
  const check = await examinePython({ PATH: folder })
  expect(check.status).toBe(status)
  expect(check.message).toContain(words)
})

test('a machine without python is told so', async () => {
  expect(await examinePython({ PATH: join(folder, 'nowhere') })).toMatchObject({ status: 'problem' })
})

test('the size of a directory is that of all its files', async () => {
  const home = mkdtempSync(join(folder, 'home-'))
  writeFileSync(join(home, 'a'), 'x'.repeat(1000))
  expect(await sizeOf(home)).toBe(1000)
})
