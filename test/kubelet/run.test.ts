import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readProcesses } from '../../src/kubelet/process/process-table.ts'
import { observeRun, prepareRun, type RunRequest, startRun, voidRun } from '../../src/kubelet/process/run.ts'
import { killTree, signalTree, type Tree } from '../../src/kubelet/process/tree.ts'
import { until } from './until.ts'

let home: string
let uid: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'run-'))
  uid = `test-${process.pid}-${Math.random().toString(36).slice(2)}`
})
afterEach(async () => {
  await killTree({ podUid: uid, supervisors: [] })
  rmSync(home, { recursive: true })
})

function request(argv: string[], more: Partial<RunRequest> = {}): RunRequest {
  const env = { PATH: process.env.PATH!, TRAINYARD_POD_UID: uid, TRAINYARD_CONTAINER: 'main' }
  return { directory: join(home, 'run'), argv, cwd: home, env, logPath: join(home, 'logs/main.log'), ...more }
}

async function start(argv: string[], more: Partial<RunRequest> = {}) {
  const wanted = request(argv, more)
  prepareRun(wanted.directory)
  await startRun(wanted, () => {})
  return wanted
}

const ended = (directory: string) =>
  until('the end of the run', () => {
    const state = observeRun(directory)
    return (state.state === 'ended' || state.state === 'lost') && state
  })
const running = (directory: string) =>
  until('the run to be running', () => {
    const state = observeRun(directory)
    return state.state === 'running' && state
  })
const line = (path: string, text: string) =>
  until(`"${text}" in the log`, () => {
    const log = readFileSync(path, 'utf8')
    return log.includes(text) && log
  })
const tree = (supervisors: number[] = []): Tree => ({ podUid: uid, container: 'main', supervisors })
const mine = () => readProcesses().filter((row) => row.podUid === uid)

test.each([
  { script: 'exit 0', code: 0 },
  { script: 'exit 3', code: 3 },
  { script: 'kill -9 $$', code: 137 },
  { script: 'kill -15 $$', code: 143 },
  { script: 'kill -2 $$; exec cat /dev/zero >/dev/null', code: 130 },
  { script: 'kill -SEGV $$', code: 139 },
])('`$script` is recorded as $code', async ({ script, code }) => {
  const { directory } = await start(['/bin/sh', '-c', script])
  const before = Date.now()
  const end = await ended(directory)
  expect(end).toMatchObject({ state: 'ended', exitCode: code })
  expect(end.state === 'ended' && Math.abs(end.finishedAt - before)).toBeLessThan(20_000)
})

test('the log holds the bytes of both streams and nothing of the shell', async () => {
  const { directory, logPath } = await start([
    '/bin/sh',
    '-c',
    "printf 'a\\000b\\377'; printf 'err\\n' >&2; kill -9 $$",
  ])
  await ended(directory)
  expect(readFileSync(logPath)).toEqual(Buffer.from('610062ff6572720a', 'hex'))
})

test('arguments reach the program as they are', async () => {
  const hostile = ['$(touch x)', '`touch x`', "'; touch x; '", '"', '\\', '*', 'a\nb', '', '-n', '--']
  const { directory, logPath } = await start([
    process.execPath,
    '-e',
    'console.log(JSON.stringify(process.argv.slice(1)))',
    '--',
    ...hostile,
  ])
  await ended(directory)
  expect(JSON.parse(readFileSync(logPath, 'utf8'))).toEqual(hostile)
})

test('signals sent to the supervisor do not end it before the program', async () => {
  const { directory, logPath } = await start(['/bin/sh', '-c', 'echo up; until [ -e go ]; do sleep 0.02; done; exit 7'])
  const { supervisor } = await running(directory)
  await line(logPath, 'up')
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(supervisor, signal)
  writeFileSync(join(home, 'go'), '')
  expect(await ended(directory)).toMatchObject({ state: 'ended', exitCode: 7 })
})

test('a claim not written yet is believed as long as somebody is about to write it, whatever the clock says', async () => {
  const { directory } = request([])
  prepareRun(directory)
  const claim = join(directory, 'claim')
  writeFileSync(claim, '')
  utimesSync(claim, 0, 0)
  const shell = spawn('/bin/sh', ['-c', 'read line', 'supervisor', directory], { stdio: ['pipe', 'ignore', 'ignore'] })
  await once(shell, 'spawn')
  expect(observeRun(directory)).toEqual({ state: 'prepared' })
  shell.stdin.end()
  await once(shell, 'exit')
  expect(observeRun(directory)).toMatchObject({ state: 'lost' })
})

test('a run whose claim was taken never starts its program', async () => {
  const wanted = request(['/bin/sh', '-c', 'echo ran'])
  prepareRun(wanted.directory)
  expect(observeRun(wanted.directory)).toEqual({ state: 'prepared' })
  expect(voidRun(wanted.directory)).toBe(true)
  let gone = false
  await startRun(wanted, () => {
    gone = true
  })
  await until('the supervisor to leave', () => gone)
  expect(readFileSync(wanted.logPath, 'utf8')).toBe('')
  expect(observeRun(wanted.directory)).toEqual({ state: 'void' })
})

test('the claim of a run that started cannot be taken', async () => {
  const { directory } = await start(['/bin/sh', '-c', 'exit 0'])
  await ended(directory)
  expect(voidRun(directory)).toBe(false)
})

test('a supervisor that was killed is reported as lost', async () => {
  const { directory } = await start(['/bin/sleep', '600'])
  const { supervisor } = await running(directory)
  process.kill(supervisor, 'SIGKILL')
  expect(await ended(directory)).toMatchObject({ state: 'lost', supervisor })
})

const forkAway = `
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for depth in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() > 0: os._exit(0)
        if depth == 2: os.execve('/bin/sleep', ['sleep', '600'], dict(os.environ))
        time.sleep(600)
print('forked', flush=True)
time.sleep(600)
`

test('the whole tree is killed, with what ignores SIGTERM, double-forked and left the session', async () => {
  const { directory, logPath } = await start(['/usr/bin/env', 'python3', '-c', forkAway])
  const { supervisor } = await running(directory)
  await line(logPath, 'forked')
  await until('three grandchildren reparented', () => mine().filter((row) => row.sid !== supervisor).length === 3)
  expect(signalTree(tree([supervisor]), 'SIGTERM')).toBeGreaterThanOrEqual(4)
  expect(await killTree(tree([supervisor]))).toEqual([])
  expect(await ended(directory)).toMatchObject({ state: 'ended', exitCode: 137 })
  await until('nothing left', () => mine().length === 0)
})

test('a descendant that dropped its environment is found by its parents and its session', async () => {
  const { directory, logPath } = await start([
    '/bin/sh',
    '-c',
    'env -i sleep 601 & env -i setsid sleep 602 & echo up; wait',
  ])
  const { supervisor } = await running(directory)
  await line(logPath, 'up')
  await until(
    'both sleepers',
    () => readProcesses().filter((row) => row.sid === supervisor && row.podUid === undefined).length > 0,
  )
  expect(await killTree(tree([supervisor]))).toEqual([])
  await ended(directory)
  expect(readProcesses().filter((row) => row.sid === supervisor)).toEqual([])
})

test('another container of the same pod is left alone', async () => {
  const { directory } = await start(['/bin/sleep', '600'])
  await running(directory)
  expect(await killTree({ podUid: uid, container: 'other', supervisors: [] })).toEqual([])
  expect(observeRun(directory).state).toBe('running')
})
