import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from './until.ts'
import { useStage } from './with-kubelet.ts'

const stage = useStage({ restartDelay: 50 })
const sh = (script: string) => ({ command: ['/bin/sh', '-c', script] })
const state = (uid: string, name = 'main') =>
  stage()
    .api.status(uid)
    .containerStatuses?.find((each) => each.name === name)

test('a program runs to its end, with the status a kubelet writes', async () => {
  const { api } = stage()
  const uid = stage().run('p', sh('echo hello; until [ -e go ]; do sleep 0.02; done; exit 0'))
  const running = await api.phase(uid, 'Running')
  expect(running).toMatchObject({ podIP: '127.0.0.1', hostIP: '127.0.0.1', startTime: expect.any(String) })
  expect(running.containerStatuses).toMatchObject([
    { name: 'main', ready: true, started: true, restartCount: 0, image: 'x' },
  ])
  const trueOnes = (status: typeof running) =>
    status.conditions!.filter((each) => each.status === 'True').map(({ type }) => type)
  expect(trueOnes(running)).toEqual([
    'PodReadyToStartContainers',
    'Initialized',
    'Ready',
    'ContainersReady',
    'PodScheduled',
  ])
  writeFileSync(join(stage().home, 'pods/p/work/go'), '')
  const done = await api.phase(uid, 'Succeeded')
  expect(done.containerStatuses![0]!.state!.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' })
  expect(trueOnes(done)).toEqual(['Initialized', 'PodScheduled'])
  expect(stage().log(uid)).toBe('hello\n')
  expect(api.written.map(({ status }) => status.phase)).toEqual(['Running', 'Succeeded'])
})

test.each([
  ['exit 3', { exitCode: 3, reason: 'Error' }],
  ['kill -9 $$$$', { exitCode: 137, reason: 'Error', signal: 9 }],
  ['kill -TERM $$$$', { exitCode: 143, reason: 'Error', signal: 15 }],
])('`%s` fails the pod', async (script, end) => {
  const uid = stage().run('p', sh(script))
  await stage().api.phase(uid, 'Failed')
  expect(state(uid)!.state!.terminated).toMatchObject(end)
})

test('a program that failed with nothing on stderr is told apart, as long as it is the last that ran', async () => {
  const { api } = stage()
  const told = (uid: string) =>
    api.status(uid).conditions?.find(({ type }) => type === 'trainyard.dev/SilentStderr')?.message
  const silent = stage().run('silent', sh('echo out; exit 3'))
  const loud = stage().run('loud', sh('echo out; echo err >&2; exit 3'))
  const well = stage().run('well', sh('echo out'))
  await Promise.all([api.phase(silent, 'Failed'), api.phase(loud, 'Failed'), api.phase(well, 'Succeeded')])
  expect(told(silent)).toBe('containers that failed with nothing on stderr: [main]')
  expect([told(loud), told(well)]).toEqual([undefined, undefined])
  expect(stage().log(loud)).toBe('out\nerr\n')
  const again = api.create('again', {
    restartPolicy: 'OnFailure',
    containers: [{ name: 'main', ...sh('[ -e was ] || { touch was; exit 3; }') }],
  })
  await api.phase(again, 'Succeeded')
  expect(told(again)).toBeUndefined()
})

test.each([
  [{ command: ['pyhton', 'x'] }, 127, /^no program "pyhton" on its PATH \(.*\)/],
  [{ command: ['/etc/passwd'] }, 126, /^"\/etc\/passwd" is not executable$/],
  [
    { command: ['/bin/true'], workingDir: '/no/such' },
    128,
    /^its working directory \/no\/such is not on this machine$/,
  ],
  [{ command: ['/bin/true'], workingDir: 'src' }, 128, /^its working directory src is not an absolute path$/],
  [{ command: ['/bin/echo', 'a\0b'] }, 128, /^its arguments or environment have a NUL byte in them$/],
  [{ command: ['/bin/true'], env: [{ name: 'X', value: '\0' }] }, 128, /have a NUL byte in them$/],
  [{}, 127, /^container "main" gives no command, and the one in its image is not used here$/],
  [{ args: ['x'] }, 127, /gives no command/],
])('%j cannot start', async (container, exitCode, message) => {
  const { api } = stage()
  const uid = stage().run('p', container)
  await api.phase(uid, 'Failed')
  const { terminated } = state(uid)!.state!
  expect(terminated).toMatchObject({ exitCode, reason: 'StartError' })
  expect(terminated!.message).toMatch(message)
  expect(api.events).toContainEqual({
    pod: 'p',
    type: 'Warning',
    reason: 'Failed',
    message: `cannot start: ${terminated!.message}`,
  })
})

test('arguments that are too long cannot start', async () => {
  const uid = stage().run('p', { command: ['/bin/true', 'x'.repeat(200_000)] })
  await stage().api.phase(uid, 'Failed')
  expect(state(uid)!.state!.terminated).toMatchObject({
    exitCode: 126,
    message: expect.stringMatching(/^its arguments and env/),
  })
})

test('a shell that ends before it begins is not waited for', async () => {
  // The dynamic loader takes this as a question, answers it and leaves.
  const uid = stage().run('p', { ...sh('exit 0'), env: [{ name: 'LD_DEBUG', value: 'help' }] })
  await stage().api.phase(uid, 'Failed')
  const message = 'the shell that was to start it ended before it did'
  expect(state(uid)!.state!.terminated).toMatchObject({ exitCode: 128, reason: 'StartError', message })
})

test('init containers run in order before the containers, which share the working directory', async () => {
  const { api } = stage()
  const uid = api.create('p', {
    initContainers: [
      { name: 'a', ...sh('echo a >> order') },
      { name: 'b', ...sh('echo b >> order') },
    ],
    containers: [
      { name: 'main', ...sh('cat order; echo 1 > one; until [ -e two ]; do sleep 0.02; done') },
      { name: 'other', ...sh('until [ -e one ]; do sleep 0.02; done; echo 2 > two; exit 4') },
    ],
  })
  const status = await api.phase(uid, 'Failed')
  expect(stage().log(uid)).toBe('a\nb\n')
  expect(status.initContainerStatuses).toMatchObject([
    { name: 'a', ready: true, state: { terminated: { exitCode: 0 } } },
    { name: 'b', ready: true, state: { terminated: { exitCode: 0 } } },
  ])
  expect(state(uid, 'main')!.state!.terminated!.exitCode).toBe(0)
  expect(state(uid, 'other')!.state!.terminated!.exitCode).toBe(4)
})

test('a failed init container fails the pod, and nothing else starts', async () => {
  const { api } = stage()
  const uid = api.create('p', {
    initContainers: [{ name: 'a', ...sh('exit 9') }],
    containers: [{ name: 'main', ...sh('echo ran') }],
  })
  const status = await api.phase(uid, 'Failed')
  expect(status.initContainerStatuses![0]!.state!.terminated!.exitCode).toBe(9)
  expect(status.containerStatuses![0]!.state).toEqual({ waiting: { reason: 'PodInitializing' } })
  expect(status.conditions).toContainEqual(
    expect.objectContaining({ type: 'Initialized', status: 'False', reason: 'ContainersNotInitialized' }),
  )
})

test('a deleted pod gets SIGTERM, leaves its last status, and goes from the API and the disk', async () => {
  const { api } = stage()
  const uid = stage().run('p', sh('trap "echo bye; exit 5" TERM; echo up; while :; do sleep 0.05; done'))
  await stage().line(uid, 'up')
  api.delete(uid)
  await until('the pod to be gone', () => !api.pods.has(uid))
  await until('its directory to be gone', () => !existsSync(join(stage().home, 'pods/p')))
  const last = api.written.filter((each) => each.uid === uid).at(-1)!.status
  expect(last.containerStatuses![0]!.state!.terminated).toMatchObject({ exitCode: 5 })
  expect(stage().processes(uid)).toEqual([])
})

test('sidecars outlive the containers they serve, and end in the opposite order of their start', async () => {
  const { api, home } = stage()
  const ends = join(home, 'ends')
  const container = (name: string, slowness: number) => ({
    name,
    ...sh(`trap "sleep ${slowness}; echo ${name} >> ${ends}; exit 0" TERM; echo up; while :; do sleep 0.02; done`),
  })
  const uid = api.create('p', {
    initContainers: ['first', 'second'].map((name) => ({ ...container(name, 0), restartPolicy: 'Always' })),
    containers: [container('main', 0.5)],
  })
  for (const name of ['first', 'second', 'main']) await stage().line(uid, 'up', name)
  api.delete(uid)
  await until('the pod to be gone', () => !api.pods.has(uid))
  expect(readFileSync(ends, 'utf8')).toBe('main\nsecond\nfirst\n')
})

test('what ignores SIGTERM is killed when its grace period is over, with what left its session', async () => {
  const { api } = stage()
  const uid = stage().run('p', sh('trap "" TERM; setsid sleep 600 & echo up; while :; do sleep 0.05; done'))
  await stage().line(uid, 'up')
  const asked = Date.now()
  api.delete(uid, 1)
  await until('the pod to be gone', () => !api.pods.has(uid))
  expect(Date.now() - asked).toBeGreaterThanOrEqual(950)
  expect(api.written.at(-1)!.status.containerStatuses![0]!.state!.terminated).toMatchObject({ exitCode: 137 })
  expect(stage().processes(uid)).toEqual([])
})

test('processes that outlive the program are killed before its end is reported', async () => {
  const { api } = stage()
  const uid = stage().run('p', sh('setsid sleep 600 & sleep 600 & exit 0'))
  await api.phase(uid, 'Succeeded')
  expect(stage().processes(uid)).toEqual([])
})

test('a pod deleted with no grace is killed at once', async () => {
  const { api } = stage()
  const uid = stage().run('p', sh('trap "" TERM; echo up; while :; do sleep 0.05; done'))
  await stage().line(uid, 'up')
  api.forceDelete(uid)
  await until('no process left', () => stage().processes(uid).length === 0)
})

test('a successor of the same name runs beside its predecessor that is still ending', async () => {
  const { api } = stage()
  const first = stage().run('p', sh('trap "" TERM; echo up; while :; do sleep 0.05; done'))
  await stage().line(first, 'up')
  const second = stage().run('p', sh('pwd'))
  await api.phase(second, 'Succeeded')
  expect(stage().log(second)).toBe(`${join(stage().home, `pods/p_${second.slice(0, 8)}`, 'work')}\n`)
})

test('logs outlive the pod of a job, one directory per attempt, until the job is forgotten', async () => {
  const { api, home, kubelet } = stage()
  const owner = { apiVersion: 'v1', kind: 'Job', name: 'j', uid: 'job-uid', controller: true }
  for (const text of ['one', 'two']) {
    const uid = api.create(
      'j-0',
      { containers: [{ name: 'main', ...sh(`echo ${text}`) }] },
      { uid: text, ownerReferences: [owner] },
    )
    await api.phase(uid, 'Succeeded')
    api.forceDelete(uid)
    await until('the pod to leave', () => kubelet.workerOf(uid) === undefined)
  }
  const log = (attempt: string) => readFileSync(join(home, 'logs/job-uid/j-0', attempt, 'main.log'), 'utf8')
  expect([log('0001-one'), log('0002-two')]).toEqual(['one\n', 'two\n'])
  await kubelet.retainJobs(new Set(['job-uid']))
  expect(existsSync(join(home, 'logs/job-uid'))).toBe(true)
  await kubelet.retainJobs(new Set())
  expect(existsSync(join(home, 'logs/job-uid'))).toBe(false)
})

test('the last words of a failed program are its message, where that is asked for', async () => {
  const terminationMessagePolicy = 'FallbackToLogsOnError'
  const uid = stage().run(
    'p',
    { ...sh('echo one; echo two >&2; exit 1'), terminationMessagePolicy },
    sh('echo three; exit 1'),
  )
  await stage().api.phase(uid, 'Failed')
  expect(state(uid)!.state!.terminated!.message).toBe('one\ntwo')
  expect(state(uid, 'c1')!.state!.terminated!.message).toBeUndefined()
})

test.each([
  ['at the usual path', '/dev/termination-log', {}],
  ['at a path of its own', '/tmp/last-words', { terminationMessagePath: '/tmp/last-words' }],
])('a program leaves its message %s', async (_, path, more) => {
  const uid = stage().run('p', { ...sh(`echo noise; printf 'out of luck' > ${path}; exit 3`), ...more })
  await stage().api.phase(uid, 'Failed')
  expect(state(uid)!.state!.terminated).toMatchObject({ exitCode: 3, message: 'out of luck' })
  expect(existsSync(path)).toBe(false)
})

test('of a message that is too long the beginning is kept, also of a program that did well', async () => {
  const uid = stage().run('p', sh('head -c 9000 /dev/zero | tr "\\0" x > /dev/termination-log'))
  await stage().api.phase(uid, 'Succeeded')
  expect(state(uid)!.state!.terminated).toMatchObject({ exitCode: 0, message: 'x'.repeat(4096) })
})

test('activeDeadlineSeconds ends the pod', async () => {
  const { api } = stage()
  const uid = api.create('p', { activeDeadlineSeconds: 1, containers: [{ name: 'main', ...sh('sleep 600') }] })
  const status = await api.phase(uid, 'Failed')
  expect(status.reason).toBe('DeadlineExceeded')
})

test('a pod that restarts on failure does, after a while, and counts', async () => {
  const { api } = stage()
  const uid = api.create('p', {
    restartPolicy: 'OnFailure',
    containers: [{ name: 'main', ...sh('[ -e x ] || { touch x; exit 1; }; until [ -e go ]; do sleep 0.02; done') }],
  })
  await until('the second run', () => state(uid)?.restartCount === 1 && state(uid)?.state?.running)
  expect(api.status(uid).phase).toBe('Running')
  writeFileSync(join(stage().home, 'pods/p/work/go'), '')
  await api.phase(uid, 'Succeeded')
  expect(state(uid)).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 1 } } })
})

test('images that are not used are mentioned once per job', async () => {
  const { api } = stage()
  const owner = { apiVersion: 'v1', kind: 'Job', name: 'j', uid: 'job-uid', controller: true }
  const spec = { containers: [{ name: 'main', image: 'node:24-alpine', ...sh('exit 0') }] }
  for (const name of ['j-0', 'j-1']) api.create(name, spec, { uid: name, ownerReferences: [owner] })
  await api.phase('j-0', 'Succeeded')
  await api.phase('j-1', 'Succeeded')
  const message = 'commands run as they are on this machine; image node:24-alpine is not used here'
  expect(api.events).toEqual([{ pod: 'j-0', type: 'Normal', reason: 'ImageNotUsed', message }])
})
