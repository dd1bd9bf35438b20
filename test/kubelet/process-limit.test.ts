// A pod that makes more processes than it may.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openCgroups } from '../../src/kubelet/limits/cgroups.ts'
import {
  canLimitProcesses,
  limitProcesses,
  ranOutOfProcesses,
  usualProcessLimit,
} from '../../src/kubelet/limits/process-limit.ts'
import { useStage } from './with-kubelet.ts'

const MOST = 100
const TRIES = 20_000

const stage = useStage({ processLimit: MOST })

/** Files as the kernel has them in the groups of a pod and of one of its runs. */
function fakeGroup(files: Record<string, string>): { pod: string; run: string } {
  const pod = mkdtempSync(join(tmpdir(), 'group-'))
  onTestFinished(() => rmSync(pod, { recursive: true }))
  const run = join(pod, 'main-1')
  mkdirSync(run)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(pod, file), text)
  return { pod, run }
}

test.each(['pids', 'unified'] as const)('the pod is bound, not each of its runs: %s', (version) => {
  const { pod, run } = fakeGroup({ 'pids.max': 'max' })
  expect(limitProcesses({ [version]: run }, MOST)).toBe(true)
  expect(readFileSync(join(pod, 'pids.max'), 'utf8')).toBe(String(MOST))
  expect(limitProcesses({ [version]: fakeGroup({}).run }, MOST)).toBe(false)
  expect(limitProcesses({}, MOST)).toBe(false)
})

test('the kernel tells of a refusal in the group of the pod or in that of the run', () => {
  const { pod, run } = fakeGroup({ 'pids.events': 'max 0\n' })
  expect(ranOutOfProcesses({ unified: run })).toBe(false)
  writeFileSync(join(run, 'pids.events'), 'max 3\n')
  expect(ranOutOfProcesses({ pids: run })).toBe(true)
  rmSync(join(run, 'pids.events'))
  writeFileSync(join(pod, 'pids.events'), 'max 1\n')
  expect(ranOutOfProcesses({ unified: run })).toBe(true)
})

test('the usual limit is no hindrance to training, and leaves the machine half of what it can have', () => {
  expect(usualProcessLimit()).toBeGreaterThan(2_000)
  const most = Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8'))
  expect(usualProcessLimit()).toBeLessThanOrEqual(most / 2)
})

if (canLimitProcesses(openCgroups('/a-home-that-is-none-either'))) {
  test('a pod that forks without end is refused, told so, and gone with all it made', async () => {
    const script = `i=0; while [ $i -lt ${TRIES} ]; do sleep 1000 & i=$((i + 1)); echo "made $i"; done; echo all`
    const uid = stage().run('p', { command: ['/bin/sh', '-c', script] })
    const status = await stage().api.phase(uid, 'Failed')
    expect(status.containerStatuses![0]!.state!.terminated!.exitCode).not.toBe(0)
    const made = stage()
      .log(uid)
      .match(/^made \d+$/gm)!
    expect(made.length).toBeGreaterThan(MOST / 2)
    expect(made.length).toBeLessThanOrEqual(MOST)
    const message = `was refused more processes and threads than the ${MOST} a pod may have here`
    expect(stage().api.events).toContainEqual({ pod: 'p', type: 'Warning', reason: 'ProcessLimitReached', message })
    expect(stage().processes(uid)).toEqual([])
    const next = stage().run('q', { command: ['/bin/sh', '-c', 'sleep 0 & wait; echo well'] })
    await stage().api.phase(next, 'Succeeded')
    expect(stage().api.events.filter(({ pod, reason }) => pod === 'q' && reason === 'ProcessLimitReached')).toEqual([])
  })

  test('containers of a pod share what it may have', async () => {
    const sleepers = (count: number) =>
      `i=0; while [ $i -lt ${count} ]; do sleep 1000 & i=$((i + 1)); done; echo made; wait`
    const first = { command: ['/bin/sh', '-c', sleepers(MOST / 2)] }
    const second = { command: ['/bin/sh', '-c', `until [ -e go ]; do sleep 0.05; done; ${sleepers(MOST)}`] }
    const uid = stage().run('p', first, second)
    await stage().line(uid, 'made')
    writeFileSync(join(stage().home, 'pods/p/work/go'), '')
    await stage().line(uid, 'ork', 'c1')
    expect(stage().processes(uid).length).toBeLessThanOrEqual(MOST + 2)
  })
}
