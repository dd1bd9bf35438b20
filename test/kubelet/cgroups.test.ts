import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limitGroup, openCgroups, ranOutOfMemory } from '../../src/kubelet/limits/cgroups.ts'
import { readProcesses } from '../../src/kubelet/process/process-table.ts'
import { until } from './until.ts'
import { useStage } from './with-kubelet.ts'

const stage = useStage()
const sh = (script: string) => ({ command: ['/bin/sh', '-c', script] })

/** A directory with the files the kernel has in a group whose controllers are ours. */
function fakeGroup(): string {
  const directory = mkdtempSync(join(tmpdir(), 'group-'))
  for (const file of ['memory.max', 'cpu.max']) writeFileSync(join(directory, file), 'max')
  return directory
}

test('limits are written as the kernel reads them, and what it cannot enforce is told', () => {
  const group = fakeGroup()
  expect(limitGroup(group, { cpu: '1500m', memory: '64Mi', 'nvidia.com/gpu': 1 })).toEqual([])
  expect(readFileSync(join(group, 'cpu.max'), 'utf8')).toBe('150000 100000')
  expect(readFileSync(join(group, 'memory.max'), 'utf8')).toBe('67108864')
  rmSync(join(group, 'cpu.max'))
  expect(limitGroup(group, { cpu: 2, memory: '1Gi' })).toEqual(['cpu 2'])
  expect(limitGroup(undefined, { cpu: 2, memory: '1Gi' })).toEqual(['cpu 2', 'memory 1Gi'])
  rmSync(group, { recursive: true })
})

test('only a kill for want of memory counts as one', () => {
  const group = fakeGroup()
  expect(ranOutOfMemory(group)).toBe(false)
  writeFileSync(join(group, 'memory.events'), 'low 0\nhigh 0\nmax 12\noom 3\noom_kill 0\noom_group_kill 0\n')
  expect(ranOutOfMemory(group)).toBe(false)
  writeFileSync(join(group, 'memory.events'), 'low 0\nhigh 0\nmax 12\noom 3\noom_kill 1\noom_group_kill 0\n')
  expect(ranOutOfMemory(group)).toBe(true)
  rmSync(group, { recursive: true })
})

test('a program the kernel killed for want of memory is reported as OOMKilled', async () => {
  const uid = stage().run('p', sh('until [ -e go ]; do sleep 0.02; done; kill -9 $$$$'))
  await stage().api.phase(uid, 'Running')
  // The kernel's word, in a group that stands in for the real one.
  const group = fakeGroup()
  writeFileSync(join(group, 'memory.events'), 'oom 1\noom_kill 1\n')
  const start = join(stage().home, 'pods/p/containers/main/run-1/start.json')
  writeFileSync(start, JSON.stringify({ ...JSON.parse(readFileSync(start, 'utf8')), cgroup: group }))
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
  const group = stage().kubelet.context.cgroups?.make('probe-uid', 'main', 1)
  const enforced = limitGroup(group, limits).length === 0
  stage().kubelet.context.cgroups?.remove('probe-uid')
  const told = stage().api.events.filter(({ reason }) => reason === 'LimitsNotEnforced')
  expect(told.map(({ message }) => message)).toEqual(
    enforced ? [] : ['limits are not enforced on this machine: memory 1Gi'],
  )
})

if (openCgroups('/a-home-that-is-none')) {
  test('a group kills what has neither mark nor parent nor session in common, and is gone afterwards', async () => {
    const script = `const { spawn } = require('child_process')
      const child = spawn('/bin/sh', ['-c', 'setsid sleep 7531 & exit 0'], { env: {}, detached: true, stdio: 'ignore' })
      child.on('exit', () => { console.log('left'); setInterval(() => {}, 1000) })`
    const uid = stage().run('p', { command: ['node', '-e', script] })
    await stage().line(uid, 'left')
    const start = JSON.parse(readFileSync(join(stage().home, 'pods/p/containers/main/run-1/start.json'), 'utf8'))
    const members = () => readFileSync(join(start.cgroup, 'cgroup.procs'), 'utf8').trim().split('\n').map(Number)
    const stray = await until('the stray process', () =>
      readProcesses().find(({ pid, podUid }) => members().includes(pid) && podUid === undefined),
    )
    stage().api.delete(uid, 0)
    await until('the pod to be gone', () => !stage().api.pods.has(uid))
    await until('the stray process to be gone', () => !readProcesses().some(({ pid }) => pid === stray.pid))
    await until('the group to be gone', () => !existsSync(start.cgroup))
  })
}
