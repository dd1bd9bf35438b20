import { expect, test } from 'vitest'
import { type ContainerView, decidePod } from './decide-pod.ts'

const now = 1_000_000
const view = (name: string, role: ContainerView['role'], more: Partial<ContainerView> = {}): ContainerView => ({
  name,
  role,
  runs: more.current && more.current !== 'none' ? 1 : 0,
  current: 'none',
  started: more.current === 'running',
  ...more,
})
const ended = (exitCode: number, finishedAt = now) => ({
  current: 'ended' as const,
  end: { exitCode, reason: 'x', startedAt: finishedAt - 5, finishedAt },
})

test('init containers start one after the other, then all containers together', () => {
  const a = (more = {}) => view('a', 'init', more)
  const rest = (more = {}) => [view('b', 'init', more), view('c', 'main'), view('d', 'main')]
  expect(decidePod('Never', [a(), ...rest()], now).start).toEqual(['a'])
  expect(decidePod('Never', [a({ current: 'running' }), ...rest()], now).start).toEqual([])
  expect(decidePod('Never', [a(ended(0)), ...rest()], now)).toMatchObject({ start: ['b'], initialized: false })
  expect(decidePod('Never', [a(ended(0)), ...rest(ended(0))], now)).toMatchObject({
    start: ['c', 'd'],
    initialized: true,
  })
})

test('a failed init container fails a pod that never restarts', () => {
  expect(decidePod('Never', [view('a', 'init', ended(1)), view('c', 'main')], now)).toMatchObject({
    start: [],
    outcome: 'Failed',
  })
})

test.each([
  ['Never', 0, 'Succeeded'],
  ['Never', 1, 'Failed'],
  ['OnFailure', 0, 'Succeeded'],
  ['OnFailure', 1, undefined],
  ['Always', 0, undefined],
  [undefined, 0, undefined],
])('restartPolicy %s after exit %d: %s', (policy, exitCode, outcome) => {
  const decision = decidePod(policy, [view('c', 'main', ended(exitCode))], now)
  expect(decision.outcome).toBe(outcome)
  expect(decision.wakeAt).toBe(outcome ? undefined : now + 10_000)
  expect(decision.backOff).toEqual(outcome ? {} : { c: 10_000 })
})

test('restarts wait longer each time, up to five minutes', () => {
  const due = (runs: number) => decidePod('Always', [view('c', 'main', { ...ended(1), runs })], now).wakeAt! - now
  expect([1, 2, 3, 4, 5, 6, 50].map(due)).toEqual([10, 20, 40, 80, 160, 300, 300].map((s) => s * 1000))
  expect(decidePod('Always', [view('c', 'main', ended(1, now - 10_000))], now).start).toEqual(['c'])
})

test('a pod is over when its main containers are, and its sidecars are stopped then', () => {
  const sidecar = view('s', 'sidecar', { current: 'running' })
  expect(decidePod('Never', [sidecar, view('c', 'main')], now).start).toEqual(['c'])
  expect(decidePod('Never', [{ ...sidecar, started: false }, view('c', 'main')], now).start).toEqual([])
  expect(decidePod('Never', [sidecar, view('c', 'main', ended(0))], now)).toMatchObject({
    stop: ['s'],
    outcome: 'Succeeded',
  })
  const other = view('t', 'sidecar', { current: 'running' })
  expect(decidePod('Never', [sidecar, other, view('c', 'main', ended(0))], now).stop).toEqual(['t'])
  const stopped = view('s', 'sidecar', ended(143))
  expect(decidePod('Never', [stopped, view('c', 'main', ended(0))], now)).toMatchObject({
    start: [],
    outcome: 'Succeeded',
  })
})

test('one failed container of two fails the pod only when both have ended', () => {
  const failed = view('c', 'main', ended(3))
  expect(decidePod('Never', [failed, view('d', 'main', { current: 'running' })], now).outcome).toBeUndefined()
  expect(decidePod('Never', [failed, view('d', 'main', ended(0))], now).outcome).toBe('Failed')
})
