import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCgroups } from '../../src/kubelet/limits/cgroups.ts'
import { limitGroups, ranOutOfMemory } from '../../src/kubelet/limits/limit-groups.ts'
import { readProcesses } from '../../src/kubelet/process/process-table.ts'
import { until } from './until.ts'
import { useStage } from './with-kubelet.ts'

const stage = useStage()
const sh = (script: string) => ({ command: ['/bin/sh', '-c', script] })

/** A directory with the files the kernel has in a group whose controllers are ours. */
function fakeGroup(files = ['memory.max', 'cpu.max']): string {
  const directory = mkdtempSync(join(tmpdir(), 'group-'))
  for (const file of files) writeFileSync(join(directory, file), 'max')
  return directory
}

test('limits are written as the kernel reads them, and what it cannot enforce is told', () => {
  const unified = fakeGroup()
  expect(limitGroups({ unified }, { cpu: '5m' })).toEqual([])
  expect(readFileSync(join(unified, 'cpu.max'), 'utf8')).toBe('1000 100000')
  expect(limitGroups({ unified }, { cpu: '1500m', memory: '64Mi', 'nvidia.com/gpu': 1 })).toEqual([])
  expect(readFileSync(join(unified, 'cpu.max'), 'utf8')).toBe('150000 100000')
  expect(readFileSync(join(unified, 'memory.max'), 'utf8')).toBe('67108864')
  rmSync(join(unified, 'cpu.max'))
  expect(limitGroups({ unified }, { cpu: 2, memory: '1Gi' })).toEqual(['cpu 2'])
  expect(limitGroups({}, { cpu: 2, memory: '1Gi' })).toEqual(['cpu 2', 'memory 1Gi'])
  rmSync(unified, { recursive: true })
})

test('where the controllers are of version 1, limits go there', () => {
  const [unified, cpu, memory] = [fakeGroup([]), fakeGroup(['cpu.cfs_period_us', 'cpu.cfs_quota_us']), fakeGroup([])]
  expect(limitGroups({ unified, cpu, memory }, { cpu: '500m', memory: '1Gi' })).toEqual(['memory 1Gi'])
  expect(readFileSync(join(cpu, 'cpu.cfs_quota_us'), 'utf8')).toBe('50000')
  expect(readFileSync(join(cpu, 'cpu.cfs_period_us'), 'utf8')).toBe('100000')
  for (const group of [unified, cpu, memory]) rmSync(group, { recursive: true })
})

test('only a kill for want of memory counts as one', () => {
  const [unified, memory] = [fakeGroup(), fakeGroup()]
  const groups = { unified, memory }
  expect(ranOutOfMemory(groups)).toBe(false)
  writeFileSync(join(unified, 'memory.events'), 'low 0\nhigh 0\nmax 12\noom 3\noom_kill 0\noom_group_kill 0\n')
  writeFileSync(join(memory, 'memory.oom_control'), 'oom_kill_disable 0\nunder_oom 0\noom_kill 0\n')
  expect(ranOutOfMemory(groups)).toBe(false)
  writeFileSync(join(unified, 'memory.events'), 'low 0\nhigh 0\nmax 12\noom 3\noom_kill 1\noom_group_kill 0\n')
  expect(ranOutOfMemory(groups)).toBe(true)
  writeFileSync(join(memory, 'memory.oom_control'), 'oom_kill_disable 0\nunder_oom 0\noom_kill 1\n')
  expect(ranOutOfMemory({ memory })).toBe(true)
  for (const group of [unified, memory]) rmSync(group, { recursive: true })
})

test('a program the kernel killed for want of memory is reported as OOMKilled', async () => {
  const uid = stage().run('p', sh('until [ -e go ]; do sleep 0.02; done; kill -9 $$$$'))
  await stage().api.phase(uid, 'Running')
  // The kernel's word, in a group that stands in for the real one.
  const group = fakeGroup()
  writeFileSync(join(group, 'memory.events'), 'oom 1\noom_kill 1\n')
  const start = join(stage().home, 'pods/p/containers/main/run-1/start.json')
  writeFileSync(start, JSON.stringify({ ...JSON.parse(readFileSync(start, 'utf8')), groups: { unified: group } }))
  mkdirSync(join(stage().home, 'pods/p/work'), { recursive: true })
  writeFileSync(join(stage().home, 'pods/p/work/go'), '')
  const status = await stage().api.phase(uid, 'Failed')
  expect(status.containerStatuses![0]!.state!.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' })
  rmSync(group, { recursive: true })
})

test('limits that are not enforced are told once', async () => {
  const limits = { memory: '1Gi' }
  const uid = stage().run('p', { ...sh('exit 0'), resources: { limits } })
  await stage().api.phase(uid, 'Succeeded')
  const groups = stage().kubelet.context.cgroups?.make('probe-uid', 'main', 1, ['memory']) ?? {}
  const enforced = limitGroups(groups, limits).length === 0
  stage().kubelet.context.cgroups?.remove('probe-uid')
  const told = stage().api.events.filter(({ reason }) => reason === 'LimitsNotEnforced')
  expect(told.map(({ message }) => message)).toEqual(
    enforced ? [] : ['limits are not enforced on this machine: memory 1Gi'],
  )
})

const probe = openCgroups('/a-home-that-is-none')
const limited = probe?.make('probe-uid', 'main', 1, ['cpu', 'memory']) ?? {}
const canLimit = limitGroups(limited, { cpu: 1, memory: '1Gi' }).length === 0
probe?.close()

if (canLimit) {
  test('a program that takes more memory than it may is killed by the kernel, and OOMKilled', async () => {
    const script = 'const all = []; for (;;) all.push(Buffer.alloc(1 << 22, 1))'
    const uid = stage().run('p', { command: ['node', '-e', script], resources: { limits: { memory: '96Mi' } } })
    const status = await stage().api.phase(uid, 'Failed')
    expect(status.containerStatuses![0]!.state!.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' })
  })

  test('a program that wants more CPU than it may is held back, and its groups go with it', async () => {
    const limits = { cpu: '100m' }
    const uid = stage().run('p', { ...sh('while :; do :; done'), resources: { limits } })
    await stage().api.phase(uid, 'Running')
    const start = JSON.parse(readFileSync(join(stage().home, 'pods/p/containers/main/run-1/start.json'), 'utf8'))
    const groups = Object.values(start.groups as Record<string, string>)
    const stats = groups.map((group) => join(group, 'cpu.stat')).filter((file) => existsSync(file))
    await until('the kernel to hold it back', () =>
      stats.some((file) => /^nr_throttled [1-9]/m.test(readFileSync(file, 'utf8'))),
    )
    stage().api.delete(uid, 0)
    await until('the groups to be gone', () => groups.every((group) => !existsSync(group)))
  })
}

if (limited.unified) {
  test('a group kills what has neither mark nor parent nor session in common, and is gone afterwards', async () => {
    const script = `const { spawn } = require('child_process')
      const child = spawn('/bin/sh', ['-c', 'setsid sleep 7531 & exit 0'], { env: {}, detached: true, stdio: 'ignore' })
      child.on('exit', () => { console.log('left'); setInterval(() => {}, 1000) })`
    const uid = stage().run('p', { command: ['node', '-e', script] })
    await stage().line(uid, 'left')
    const start = JSON.parse(readFileSync(join(stage().home, 'pods/p/containers/main/run-1/start.json'), 'utf8'))
    const members = () =>
      readFileSync(join(start.groups.unified, 'cgroup.procs'), 'utf8').trim().split('\n').map(Number)
    const stray = await until('the stray process', () =>
      readProcesses().find(({ pid, podUid }) => members().includes(pid) && podUid === undefined),
    )
    stage().api.delete(uid, 0)
    await until('the pod to be gone', () => !stage().api.pods.has(uid))
    await until('the stray process to be gone', () => !readProcesses().some(({ pid }) => pid === stray.pid))
    await until('the group to be gone', () => !existsSync(start.groups.unified))
  })
}
