// Many pods, and a kubelet that is killed again and again: nothing lost, nothing twice, no orphan.
// TRAINYARD_CRASH_ROUNDS asks for more rounds than the few that every test run makes.
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
/** Starts children in sessions of their own, as torchrun does, and ends with the code it is told. */
const program = (seconds: number, code: number) =>
  sh(`echo start; setsid sleep 300 & setsid sleep 300 & sleep ${seconds}; echo end; exit ${code}`)

test('fifty pods start and stop together', async () => {
  stage.start()
  const uids = Array.from({ length: 50 }, (_, i) => stage.run(`p-${i}`, program(0.1, i % 3)))
  const stopped = Array.from({ length: 10 }, (_, i) => stage.run(`s-${i}`, sh('echo start; setsid sleep 300')))
  for (const [i, uid] of uids.entries()) {
    const status = await stage.api.phase(uid, 'Succeeded', 'Failed')
    expect(status.containerStatuses![0]!.state!.terminated!.exitCode).toBe(i % 3)
    expect(stage.log(uid)).toBe('start\nend\n')
    expect(stage.processes(uid)).toEqual([])
  }
  for (const uid of stopped) {
    await stage.api.phase(uid, 'Running')
    stage.api.delete(uid)
  }
  await until('the stopped pods to go', () => stopped.every((uid) => !stage.api.pods.has(uid)))
  expect(stopped.flatMap((uid) => stage.processes(uid))).toEqual([])
})

const rounds = Number(process.env.TRAINYARD_CRASH_ROUNDS ?? 6)

test(`a kubelet killed ${rounds} times loses nothing and does nothing twice`, {
  timeout: 60_000 + rounds * 5000,
}, async () => {
  const expected = new Map<string, number>()
  const doomed = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const kubelet = new KillableKubelet(stage.home, stage.api)
    for (let i = 0; i < 3; i++) {
      const code = (round * 3 + i) % 5
      expected.set(stage.run(`r${round}-${i}`, program(Math.random() / 2, code)), code)
    }
    const uid = stage.run(
      `d${round}`,
      sh('echo start; trap "exit 7" TERM; setsid sleep 300 & while :; do sleep 0.05; done'),
    )
    doomed.add(uid)
    // Killed at any moment: before the first pod is read, while programs start, run, end or are stopped.
    const waited = Math.random() * 1200
    await new Promise((resolve) => setTimeout(resolve, waited))
    for (const old of doomed) if (stage.api.pods.has(old) && Math.random() < 0.5) stage.api.delete(old)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 100))
    await kubelet.kill()
  }
  stage.start()
  for (const [uid, code] of expected) {
    const status = await stage.api.phase(uid, 'Succeeded', 'Failed')
    expect(status.containerStatuses![0]!.state!.terminated).toMatchObject({
      exitCode: code,
      reason: code ? 'Error' : 'Completed',
    })
    expect(stage.log(uid)).toBe('start\nend\n')
  }
  for (const uid of doomed) if (stage.api.pods.has(uid)) stage.api.delete(uid)
  await until('the deleted pods to go', () => [...doomed].every((uid) => !stage.api.pods.has(uid)))
  expect([...expected.keys(), ...doomed].flatMap((uid) => stage.processes(uid))).toEqual([])
})
