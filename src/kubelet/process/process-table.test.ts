import { spawn } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { type ProcessRow, parsePs, readProcesses, readPs } from './process-table.ts'
import { treeOf } from './tree.ts'

const row = (pid: number, ppid: number, more: object = {}) => ({ pid, ppid, pgid: pid, sid: pid, ...more })

test('a tree is the marked processes, their descendants, sessions and groups, without the supervisors', () => {
  const rows = [
    row(1, 0),
    row(10, 1, { podUid: 'p', container: 'c' }),
    row(11, 10, { sid: 10, pgid: 10, podUid: 'p', container: 'c' }),
    row(12, 11),
    row(20, 1, { sid: 12 }),
    row(30, 1, { podUid: 'p', container: 'other' }),
    row(40, 1, { podUid: 'q', container: 'c' }),
  ]
  const pids = (container?: string) => treeOf(rows, { podUid: 'p', container, supervisors: [10] }).map(({ pid }) => pid)
  expect(pids('c')).toEqual([11, 12, 20])
  expect(pids()).toEqual([11, 12, 20, 30])
})

test('the marks are read from ps where there is no /proc', () => {
  const text = [
    '  501   1   501 Ss   /bin/sh -c x PATH=/bin TRAINYARD_POD_UID=u-1 TRAINYARD_CONTAINER=main HOME=/',
    '  502 501   501 Z    (sh)',
    '  503   1   503 S+   sleep 5',
  ].join('\n')
  expect(parsePs(text)).toEqual([
    { pid: 501, ppid: 1, pgid: 501, sid: 0, podUid: 'u-1', container: 'main' },
    { pid: 503, ppid: 1, pgid: 503, sid: 0 },
  ])
})

test('ps and /proc tell the same of a marked process', () => {
  const child = spawn('sleep', ['600'], {
    env: { ...process.env, TRAINYARD_POD_UID: 'u-2', TRAINYARD_CONTAINER: 'c' },
    detached: true,
  })
  const find = (rows: ProcessRow[]) => {
    const { sid: _, ...row } = rows.find(({ pid }) => pid === child.pid)!
    return row
  }
  const expected = { pid: child.pid, ppid: process.pid, pgid: child.pid, podUid: 'u-2', container: 'c' }
  expect([find(readPs()), find(readProcesses())]).toEqual([expected, expected])
  child.kill()
})

test('a young process that becomes another program is looked at again', async () => {
  const script = 'read go; exec env TRAINYARD_POD_UID=u-3 TRAINYARD_CONTAINER=c sleep 600'
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] })
  const find = () => readProcesses().find(({ pid }) => pid === child.pid)
  expect(find()!.podUid).toBeUndefined()
  child.stdin.end('go\n')
  await vi.waitFor(() => expect(find()!.podUid).toBe('u-3'), { timeout: 20_000 })
  child.kill()
})
