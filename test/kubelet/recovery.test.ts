import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KillableKubelet } from './kubelet-in-process.ts'
import { until } from './until.ts'
import { Stage } from './with-kubelet.ts'

let stage: Stage
beforeEach(() => {
  stage = new Stage()
})
afterEach(() => stage.end())

const sh = (script: string) => ({ command: ['/bin/sh', '-c', script] })
const go = (pod: string, name = 'go') => writeFileSync(join(stage.home, 'pods', pod, 'work', name), '')
const wait = (name = 'go') => `until [ -e ${name} ]; do sleep 0.02; done`

test('a running program is taken over by the next kubelet, and runs once', async () => {
  const first = new KillableKubelet(stage.home, stage.api)
  const uid = stage.run('p', sh(`echo started; ${wait()}; exit 6`))
  await stage.api.phase(uid, 'Running')
  const before = stage.api.status(uid)
  await first.kill()
  const writes = stage.api.written.length
  stage.start()
  await until('the worker', () => stage.kubelet.workerOf(uid)?.containers[0]?.view?.kind === 'running')
  go('p')
  const after = await stage.api.phase(uid, 'Failed')
  expect(after.containerStatuses![0]!.state!.terminated).toMatchObject({
    exitCode: 6,
    startedAt: before.containerStatuses![0]!.state!.running!.startedAt,
  })
  expect(stage.log(uid)).toBe('started\n')
  expect(stage.api.written.slice(writes).map(({ status }) => status.phase)).toEqual(['Failed'])
})

test('an exit while no kubelet ran is reported with its true code and time', async () => {
  const first = new KillableKubelet(stage.home, stage.api)
  const uid = stage.run('p', sh(`echo up; ${wait()}; exit 42`))
  await stage.api.phase(uid, 'Running')
  await first.kill()
  go('p')
  const end = join(stage.home, 'pods/p/containers/main/run-1/end')
  await until('the supervisor to record the end', () => existsSync(end))
  const recorded = Date.now()
  stage.start()
  const status = await stage.api.phase(uid, 'Failed')
  const { exitCode, finishedAt } = status.containerStatuses![0]!.state!.terminated!
  expect(exitCode).toBe(42)
  expect(Date.parse(finishedAt!)).toBeLessThanOrEqual(recorded)
})

test('what was deleted from the API while no kubelet ran is killed and removed', async () => {
  const first = new KillableKubelet(stage.home, stage.api)
  const uid = stage.run('p', sh('trap "" TERM; setsid sleep 600 & echo up; sleep 600'))
  await stage.api.phase(uid, 'Running')
  await first.kill()
  stage.api.forceDelete(uid)
  expect(stage.processes(uid).length).toBeGreaterThan(1)
  stage.start()
  await until('no process', () => stage.processes(uid).length === 0)
  await until('no directory', () => readdirSync(join(stage.home, 'pods')).length === 0)
})

test('a pod deleted with grace while no kubelet ran is stopped by the next', async () => {
  const first = new KillableKubelet(stage.home, stage.api)
  const uid = stage.run('p', sh('trap "exit 3" TERM; echo up; while :; do sleep 0.02; done'))
  await stage.api.phase(uid, 'Running')
  await first.kill()
  stage.api.delete(uid)
  stage.start()
  await until('the pod to be gone', () => !stage.api.pods.has(uid))
  expect(stage.api.written.at(-1)!.status.containerStatuses![0]!.state!.terminated!.exitCode).toBe(3)
})

test('a pod that ran here and of which nothing is left is not run again', async () => {
  const uid = stage.run('p', sh('echo ran'))
  await stage.api.writeStatus(stage.api.pods.get(uid)!, {
    phase: 'Running',
    containerStatuses: [
      { name: 'main', image: 'x', imageID: '', ready: true, restartCount: 0, state: { running: {} } },
    ],
  })
  stage.start()
  const status = await stage.api.phase(uid, 'Failed')
  expect(status.containerStatuses![0]!.state!.terminated).toMatchObject({
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
  })
  expect(existsSync(join(stage.home, 'pods/p'))).toBe(false)
})

test('a supervisor killed while no kubelet ran leaves no orphan and an unknown end', async () => {
  const first = new KillableKubelet(stage.home, stage.api)
  const uid = stage.run('p', sh('echo up; setsid sleep 600'))
  await stage.api.phase(uid, 'Running')
  await first.kill()
  process.kill(Number(readFileSync(join(stage.home, 'pods/p/containers/main/run-1/claim'), 'utf8')), 'SIGKILL')
  stage.start()
  const status = await stage.api.phase(uid, 'Failed')
  expect(status.containerStatuses![0]!.state!.terminated).toMatchObject({
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
  })
  expect(stage.processes(uid)).toEqual([])
})

test('processes whose directory somebody removed are killed, and not run again', async () => {
  const first = new KillableKubelet(stage.home, stage.api)
  const uid = stage.run('p', sh('echo up; setsid sleep 600'))
  await stage.api.phase(uid, 'Running')
  await first.kill()
  rmSync(join(stage.home, 'pods'), { recursive: true })
  stage.start()
  const status = await stage.api.phase(uid, 'Failed')
  expect(status.containerStatuses![0]!.state!.terminated).toMatchObject({
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
  })
  await until('no process', () => stage.processes(uid).length === 0)
})
