import { rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from './until.ts'
import { useStage } from './with-kubelet.ts'

const stage = useStage()
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
const sh = (script: string) => ['/bin/sh', '-c', script]
const file = (name: string) => join(stage().home, 'pods/p/work', name)
const status = (uid: string) => stage().api.status(uid).containerStatuses?.[0]

test('a container is ready when its readiness probe says so, and no longer when not', async () => {
  const readinessProbe = { exec: { command: ['test', '-e', 'ready'] }, periodSeconds: 0.02, failureThreshold: 1 }
  const uid = stage().run('p', { command: sh('sleep 600'), readinessProbe })
  expect((await stage().api.phase(uid, 'Running')).containerStatuses![0]).toMatchObject({ ready: false, started: true })
  const condition = () =>
    stage()
      .api.status(uid)
      .conditions?.find(({ type }) => type === 'Ready')
  expect(condition()).toMatchObject({
    status: 'False',
    reason: 'ContainersNotReady',
    message: 'containers with unready status: [main]',
  })
  writeFileSync(file('ready'), '')
  await until('ready', () => status(uid)?.ready)
  expect(condition()).toMatchObject({ status: 'True' })
  rmSync(file('ready'))
  await until('not ready', () => status(uid)?.ready === false)
  expect(stage().api.events).toContainEqual(
    expect.objectContaining({ reason: 'Unhealthy', message: 'Readiness probe failed: command ended with exit code 1' }),
  )
})

test('a container that is no longer alive is ended', async () => {
  const livenessProbe = { exec: { command: ['test', '!', '-e', 'dead'] }, periodSeconds: 0.02, failureThreshold: 2 }
  const uid = stage().run('p', { command: sh('trap "exit 8" TERM; while :; do sleep 0.02; done'), livenessProbe })
  await stage().api.phase(uid, 'Running')
  writeFileSync(file('dead'), '')
  await stage().api.phase(uid, 'Failed')
  expect(status(uid)!.state!.terminated!.exitCode).toBe(8)
})

test('nothing else is probed before a container has started up, and too long is too long', async () => {
  const startupProbe = { exec: { command: ['test', '-e', 'started'] }, periodSeconds: 0.02, failureThreshold: 10_000 }
  const livenessProbe = { exec: { command: ['test', '-e', 'started'] }, periodSeconds: 0.02, failureThreshold: 1 }
  const uid = stage().run('p', { command: sh('sleep 600'), startupProbe, livenessProbe })
  await stage().api.phase(uid, 'Running')
  await until('a failed look', () =>
    stage().api.events.some(({ message }) => message.startsWith('Startup probe failed')),
  )
  expect(status(uid)).toMatchObject({ started: false, ready: false })
  writeFileSync(file('started'), '')
  await until('started', () => status(uid)?.started && status(uid)?.ready)
  const late = stage().run('q', { command: sh('sleep 600'), startupProbe: { ...startupProbe, failureThreshold: 2 } })
  await stage().api.phase(late, 'Failed')
})

test('the grace period after a failed probe is that probe’s own', async () => {
  // Not before the program has made up its mind to stay.
  const command = sh('until [ -e stays ]; do sleep 0.01; done; false')
  const never = { exec: { command }, timeoutSeconds: 60, periodSeconds: 0.02, failureThreshold: 1 }
  const uid = stage().run('p', {
    command: sh('trap "" TERM; : >stays; while :; do sleep 0.02; done'),
    startupProbe: { ...never, terminationGracePeriodSeconds: 1 },
    livenessProbe: { ...never, terminationGracePeriodSeconds: 600 },
  })
  await stage().api.phase(uid, 'Failed')
  expect(status(uid)!.state!.terminated!.exitCode).toBe(137)
})

test.each([
  ['httpGet', { httpGet: { path: '/healthz', port: 'web' } }],
  ['tcpSocket', { tcpSocket: { port: 'web' } }],
])('%s asks the port that stands for the container’s', async (_, action) => {
  const server = `require('http').createServer((q, r) => { r.statusCode = q.url === '/healthz' ? 204 : 500; r.end() }).listen(process.env.PORT)`
  const annotations = {
    'trainyard.dev/peers': JSON.stringify({
      peers: { web: { replicas: 1, host: 'p', ports: [80] } },
      places: [{ container: 'main', env: 'PORT', spans: [{ from: 0, to: 2, peer: 'web-0', port: 80, part: 'port' }] }],
    }),
  }
  const container = {
    name: 'main',
    command: ['node', '-e', server],
    env: [{ name: 'PORT', value: '80' }],
    ports: [{ name: 'web', containerPort: 80 }],
    readinessProbe: { ...action, periodSeconds: 0.05 },
  }
  const uid = stage().api.create('p', { hostname: 'p', containers: [container] }, { annotations })
  await until('ready', () => status(uid)?.ready)
})

test('grpc asks the health service, and a port that only listens does not do', async () => {
  // Answers as a file says: with the status of a service, or with that of a call that failed.
  const server = `require('http2').createServer().on('stream', (call, headers) => {
      const asked = []
      call.on('data', (bytes) => asked.push(bytes)).on('end', () => {
        console.log(headers[':path'], JSON.stringify(Buffer.concat(asked).toString('latin1')))
        const said = require('fs').existsSync('said') ? require('fs').readFileSync('said', 'utf8') : '0'
        if (said === 'none') return call.respond({ ':status': 200, 'grpc-status': '12' }, { endStream: true })
        call.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
        call.on('wantTrailers', () => call.sendTrailers({ 'grpc-status': '0' }))
        call.end(Buffer.from(said === '0' ? [0, 0, 0, 0, 0] : [0, 0, 0, 0, 2, 8, Number(said)]))
      })
    }).listen(process.argv[1], '127.0.0.1')`
  const port = await freePort()
  const uid = stage().run('p', {
    command: ['node', '-e', server, String(port)],
    readinessProbe: { grpc: { port, service: 'lm' }, periodSeconds: 0.05, timeoutSeconds: 5, failureThreshold: 1 },
  })
  const failed = (problem: string) =>
    until(problem, () => stage().api.events.some(({ message }) => message === `Readiness probe failed: ${problem}`))
  await failed('service unhealthy (responded with "UNKNOWN")')
  writeFileSync(file('said'), '2')
  await failed('service unhealthy (responded with "NOT_SERVING")')
  expect(status(uid)?.ready).toBe(false)
  writeFileSync(file('said'), '1')
  await until('ready', () => status(uid)?.ready)
  writeFileSync(file('said'), 'none')
  await failed('this server does not implement the grpc health protocol (grpc.health.v1.Health)')
  expect(stage().log(uid)).toContain(
    String.raw`/grpc.health.v1.Health/Check "\u0000\u0000\u0000\u0000\u0004\n\u0002lm"`,
  )
})

test('a container counts as running once its postStart hook is over, and sidecars hold up the others until then', async () => {
  const { api } = stage()
  const hook = { postStart: { exec: { command: sh('until [ -e go ]; do sleep 0.02; done; echo done > hooked') } } }
  const uid = api.create('p', {
    initContainers: [{ name: 'side', command: sh('sleep 600'), restartPolicy: 'Always', lifecycle: hook }],
    containers: [{ name: 'main', command: sh('cat hooked; sleep 600') }],
  })
  await stage().line(uid, '', 'side')
  await until('a status', () => api.status(uid).initContainerStatuses)
  expect(api.status(uid)).toMatchObject({
    phase: 'Pending',
    initContainerStatuses: [{ started: false, state: { waiting: { reason: 'ContainerCreating' } } }],
  })
  writeFileSync(file('go'), '')
  await api.phase(uid, 'Running')
  expect(api.status(uid).initContainerStatuses).toMatchObject([{ started: true, state: { running: {} } }])
  await stage().line(uid, 'done\n')
})

test('a container whose postStart hook fails is ended', async () => {
  const uid = stage().run('p', {
    command: sh('trap "exit 8" TERM; touch up; while :; do sleep 0.02; done'),
    lifecycle: { postStart: { exec: { command: sh('until [ -e up ]; do sleep 0.02; done; exit 3') } } },
  })
  await stage().api.phase(uid, 'Failed')
  expect(status(uid)!.state!.terminated!.exitCode).toBe(8)
  const message = 'PostStartHook ended with exit code 3'
  expect(stage().api.events).toContainEqual({ pod: 'p', type: 'Warning', reason: 'FailedPostStartHook', message })
  expect(stage().api.written.map((each) => each.status.phase)).not.toContain('Running')
})

test('preStop runs before SIGTERM', async () => {
  const lifecycle = { preStop: { exec: { command: sh('echo bye > said') } } }
  const uid = stage().run('p', {
    command: sh('trap "cat said && exit 6" TERM; echo up; while :; do sleep 0.02; done'),
    lifecycle,
  })
  await stage().line(uid, 'up')
  stage().api.delete(uid)
  await until('the pod to be gone', () => !stage().api.pods.has(uid))
  expect(stage().api.written.at(-1)!.status.containerStatuses![0]!.state!.terminated!.exitCode).toBe(6)
})

test('stopSignal is sent instead of SIGTERM, after preStop as well', async () => {
  const command = sh('trap "exit 5" TERM; trap "exit 6" USR1; echo up; while :; do sleep 0.02; done')
  const lifecycle = { stopSignal: 'SIGUSR1' }
  const alone = stage().run('p', { command, lifecycle })
  const hooked = stage().run('q', { command, lifecycle: { ...lifecycle, preStop: { exec: { command: sh('true') } } } })
  for (const uid of [alone, hooked]) {
    await stage().line(uid, 'up')
    stage().api.delete(uid)
    await until('the pod to be gone', () => !stage().api.pods.has(uid))
    expect(stage().api.written.at(-1)!.status.containerStatuses![0]!.state!.terminated!.exitCode).toBe(6)
  }
})

test('a preStop hook that takes all the time leaves the program a moment for SIGTERM', async () => {
  const uid = stage().run('p', {
    command: sh('trap "sleep 0.5; exit 6" TERM; echo up; while :; do sleep 0.02; done'),
    lifecycle: { preStop: { exec: { command: ['sleep', '600'] } } },
  })
  await stage().line(uid, 'up')
  stage().api.delete(uid, 1)
  await until('the pod to be gone', () => !stage().api.pods.has(uid))
  expect(stage().api.written.at(-1)!.status.containerStatuses![0]!.state!.terminated!.exitCode).toBe(6)
})

test('preStop may ask a port of the container, and only no answer is a failure', async () => {
  const server = `require('http').createServer((q, r) => { r.statusCode = 500; r.end(); console.log('asked', q.url) })
    .listen(0, '127.0.0.1', function () { console.log('port', this.address().port) })`
  // Where it listens is known only once it does.
  const pod = stage().run('first', { command: ['node', '-e', server] })
  const port = Number(/port (\d+)/.exec(await stage().line(pod, 'port'))![1])
  const asking = (at: number) => ({ preStop: { httpGet: { path: '/bye', port: at, host: '127.0.0.1' } } })
  const other = stage().run('p', { command: sh('sleep 600'), lifecycle: asking(port) })
  const third = stage().run('q', { command: sh('sleep 600'), lifecycle: asking(1) })
  for (const uid of [other, third]) {
    await stage().api.phase(uid, 'Running')
    stage().api.delete(uid)
    await until('the pod to be gone', () => !stage().api.pods.has(uid))
  }
  await stage().line(pod, 'asked /bye')
  expect(stage().api.events.filter(({ reason }) => reason === 'FailedPreStopHook')).toMatchObject([
    { pod: 'q', message: 'PreStopHook failed: no answer from port 1' },
  ])
})
