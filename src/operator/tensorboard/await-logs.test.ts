import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContainerState, Pod } from '../../../gen/kubernetes-types.ts'
import { AWAIT_LOGS, buildAwaitLogs, describeAwaiting } from './await-logs.ts'
import type { ClaimSource } from './sources.ts'

const NOW = Date.parse('2026-05-01T10:00:00Z')
const a: ClaimSource = { kind: 'claim', claim: 'runs', path: 'a' }
const whole: ClaimSource = { kind: 'claim', claim: 'runs', path: '' }

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'trainyard-logs-'))
  for (const folder of ['there', 'closed/in', 'hidden', 'open', 'bin'])
    mkdirSync(join(root, folder), { recursive: true })
  // Whoever sleeps has seen nothing yet; then the directory comes.
  writeFileSync(join(root, 'bin/sleep'), '#!/bin/sh\necho waits; mkdir "$LATE"\n', { mode: 0o755 })
  for (const [folder, mode] of Object.entries(MODES)) chmodSync(join(root, folder), mode)
})
afterAll(() => {
  for (const folder of Object.keys(MODES)) chmodSync(join(root, folder), 0o700)
  rmSync(root, { recursive: true, force: true })
})
const MODES = { '.': 0o755, closed: 0o000, hidden: 0o111, open: 0o777 }

/** As somebody who is not root: nothing is closed to root. */
function look(places: string[], more: boolean): { code: number | null; said: string } {
  const container = buildAwaitLogs({}, [], more)
  const named = places.flatMap((path) => [join(root, path), `folder ${path}`])
  const command = [...container.command!, ...container.args!, ...named]
  const nobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
  const [program, ...args] = [...nobody, ...command]
  const env = { LATE: join(root, 'open/late'), PATH: `${join(root, 'bin')}:${process.env.PATH}` }
  const { status, stdout } = spawnSync(program!, args, { encoding: 'utf8', env })
  return { code: status, said: stdout.trim() }
}

test.each<[string, string[], boolean, number, string]>([
  ['a directory that is there', ['there'], false, 0, ''],
  ['one that comes later', ['open/late'], false, 0, 'waits'],
  ['one of two', ['none', 'there'], false, 0, ''],
  ['none, where there is something else to show', ['none'], true, 0, ''],
  ['one that may not be entered', ['closed'], false, 1, 'folder closed cannot be read'],
  ['one behind such a one', ['closed/in'], true, 1, 'folder closed/in cannot be read'],
  ['one that may not be listed', ['there', 'hidden'], false, 1, 'folder hidden cannot be read'],
])('%s', (_, places, more, code, said) => {
  expect(look(places, more)).toEqual({ code, said })
})

function seen(state: ContainerState, lastState: ContainerState = {}): Pod {
  const about = { name: AWAIT_LOGS, image: '', imageID: '', ready: false, restartCount: 0 }
  return { status: { initContainerStatuses: [{ ...about, state, lastState }] } }
}

const running = { running: { startedAt: '2026-05-01T09:59:50Z' } }
const refused = { terminated: { exitCode: 1, message: 'the claim runs cannot be read\n' } }

test('a missing directory is waited for in silence, then told of', () => {
  expect(describeAwaiting(seen(running), [a], NOW)).toMatchObject({ reason: 'Starting', wakeAt: NOW + 20_000 })
  expect(describeAwaiting(seen(running), [a], NOW + 20_000)).toEqual({
    phase: 'Pending',
    reason: 'LogsMissing',
    message: 'folder a of the claim runs is not there yet',
  })
  expect(describeAwaiting(seen(running), [whole, a], NOW + 60_000)?.message).toBe(
    'the claim runs, folder a of the claim runs: none is there yet',
  )
})

test('one that cannot be read is told of, also while it is tried again', () => {
  const told = { phase: 'Pending', reason: 'LogsUnreadable', message: 'the claim runs cannot be read' }
  expect(describeAwaiting(seen(refused), [whole], NOW)).toEqual(told)
  const waiting = { waiting: { reason: 'CrashLoopBackOff' } }
  expect(describeAwaiting(seen(waiting, refused), [whole], NOW)).toEqual(told)
  expect(describeAwaiting(seen(running, refused), [whole], NOW)).toEqual(told)
})

test('nothing is said before it starts and when it has found them', () => {
  expect(describeAwaiting(undefined, [a], NOW)).toBeUndefined()
  expect(describeAwaiting({}, [a], NOW)).toBeUndefined()
  expect(describeAwaiting(seen({ waiting: { reason: 'PodInitializing' } }), [a], NOW)).toBeUndefined()
  expect(describeAwaiting(seen({ terminated: { exitCode: 0 } }, refused), [a], NOW)).toBeUndefined()
})
