import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PodSpec } from '../../gen/kubernetes-types.ts'
import { until } from './until.ts'
import { useStage } from './with-kubelet.ts'

// Nothing is mounted: this must do with Node and sh alone.
const stage = useStage({ mounts: false })
const sh = (script: string) => ({ name: 'main', command: ['/bin/sh', '-c', script] })
const base64 = (text: string) => Buffer.from(text).toString('base64')

async function outputOf(spec: PodSpec, metadata = {}): Promise<string> {
  const uid = stage().api.create('p', spec, metadata)
  const status = await stage().api.phase(uid, 'Succeeded', 'Failed')
  const log = stage().log(uid)
  if (status.phase === 'Failed') throw new Error(`${JSON.stringify(status.containerStatuses)} ${log}`)
  return log
}

test('the job of the golden transcript: a config map as the working directory', async () => {
  const code =
    "import { readdirSync } from 'node:fs'\nconsole.log(readdirSync('.').join(), process.cwd().endsWith('/code'))\n"
  stage().api.configMaps.set('digits-code', { data: { 'train.mjs': code } })
  const container = {
    name: 'train',
    command: ['node', 'train.mjs'],
    workingDir: '/job',
    volumeMounts: [{ name: 'code', mountPath: '/job' }],
  }
  const id = stage().api.create('p', {
    containers: [container],
    volumes: [{ name: 'code', configMap: { name: 'digits-code' } }],
  })
  await stage().api.phase(id, 'Succeeded')
  expect(stage().log(id, 'train')).toBe('train.mjs true\n')
  expect(existsSync('/job')).toBe(false)
})

test('the environment comes from values, config maps, secrets, fields and resources, in order', async () => {
  const { api } = stage()
  api.configMaps.set('c', { data: { A: 'from-map', PATHS: '/data/x' } })
  api.secrets.set('s', { data: { PASSWORD: base64('geheim /data') } })
  const env = [
    { name: 'GREETING', value: 'hi $(X_A) $(NAME) $$(NAME) $(NOPE)' },
    { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'AGAIN', value: '$(NAME)-$(A)' },
    { name: 'LABEL', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
    { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'requests.memory', divisor: '1Mi' } } },
    { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'c', key: 'A' } } },
    { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'PASSWORD' } } },
    { name: 'NONE', valueFrom: { secretKeyRef: { name: 'none', key: 'x', optional: true } } },
    { name: '-i', value: 'no option' },
    { name: 'odd.name-1', value: 'odd' },
    { name: 'TRAINYARD_POD_UID', value: 'forged' },
  ]
  const script = 'console.log(JSON.stringify([process.env, process.argv.slice(1)]))'
  const container = {
    name: 'main',
    command: ['node', '-e', script],
    args: ['--', '$(AGAIN)', '$$(AGAIN)', '$(HOME)'],
    env,
    envFrom: [
      { prefix: 'X_', configMapRef: { name: 'c' } },
      { configMapRef: { name: 'c' } },
      { secretRef: { name: 's' } },
    ],
    resources: { limits: { cpu: '1500m' }, requests: { memory: '100Mi' } },
    volumeMounts: [{ name: 'd', mountPath: '/data' }],
  }
  const log = await outputOf(
    { containers: [container], volumes: [{ name: 'd', emptyDir: {} }] },
    { uid: 'u-1', labels: { app: 'x' } },
  )
  const [seen, args] = JSON.parse(log)
  expect(seen).toMatchObject({
    GREETING: 'hi from-map $(NAME) $(NAME) $(NOPE)',
    NAME: 'p',
    AGAIN: 'p-from-map',
    LABEL: 'x',
    CPU: '2',
    MEMORY: '100',
    KEY: 'from-map',
    SECRET: 'geheim /data',
    PASSWORD: 'geheim /data',
    PATHS: join(stage().home, 'pods/p/volumes/d/x'),
    HOSTNAME: 'p',
    'odd.name-1': 'odd',
    '-i': 'no option',
    TRAINYARD_POD_UID: 'u-1',
  })
  expect(seen).not.toHaveProperty('NONE')
  expect(args).toEqual(['p-from-map', '$(AGAIN)', '$(HOME)'])
})

test('volumes are there under their mount paths', async () => {
  const { api, home } = stage()
  mkdirSync(join(home, 'host'))
  writeFileSync(join(home, 'host/file'), 'from host')
  api.configMaps.set('c', { data: { a: 'A', b: 'B' }, binaryData: { bin: base64('bin') } })
  api.secrets.set('s', { data: { token: base64('T') } })
  api.claims.set('kept', {})
  const mount = (name: string, more = {}) => ({ name, mountPath: `/m/${name}`, ...more })
  const script = [
    'cat /m/host/file; echo',
    'ls /m/config /m/items; cat /m/items/deep/one; echo; stat -c %a /m/items/deep/one /m/secret/token',
    'cat /m/down/labels /m/all/token /m/all/a /m/sub; echo',
    'echo kept > /m/claim/x; echo e > /m/empty/x; echo s > /m/shm/x; cat /m/empty/x /m/shm/x',
    'echo y > /m/inner/y',
  ].join('\n')
  const log = await outputOf(
    {
      containers: [
        {
          ...sh(script),
          volumeMounts: [
            ...['host', 'config', 'items', 'secret', 'down', 'all', 'claim', 'empty', 'shm'].map((name) => mount(name)),
            { name: 'config', mountPath: '/m/sub', subPath: 'b' },
            { name: 'claim', mountPath: '/m/inner', subPath: 'deeper' },
          ],
        },
      ],
      volumes: [
        { name: 'host', hostPath: { path: join(home, 'host'), type: 'Directory' } },
        { name: 'config', configMap: { name: 'c' } },
        { name: 'items', configMap: { name: 'c', items: [{ key: 'a', path: 'deep/one', mode: 0o600 }] } },
        { name: 'secret', secret: { secretName: 's', defaultMode: 0o400 } },
        { name: 'down', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        { name: 'all', projected: { sources: [{ secret: { name: 's' } }, { configMap: { name: 'c' } }] } },
        { name: 'claim', persistentVolumeClaim: { claimName: 'kept' } },
        { name: 'empty', emptyDir: {} },
        { name: 'shm', emptyDir: { medium: 'Memory' } },
      ],
    },
    { labels: { app: 'x' } },
  )
  const pod = join(home, 'pods/p/volumes')
  expect(log).toBe(`from host\n${pod}/config:\na\nb\nbin\n\n${pod}/items:\ndeep\nA\n600\n400\napp="x"TAB\ne\ns\n`)
  expect(readFileSync(join(home, 'volumes/default/kept/x'), 'utf8')).toBe('kept\n')
  expect(readFileSync(join(home, 'volumes/default/kept/deeper/y'), 'utf8')).toBe('y\n')
  expect(existsSync('/m')).toBe(false)
})

test('a working directory that its volume does not have is made there', async () => {
  const container = { ...sh('pwd'), workingDir: '/m/new/deep', volumeMounts: [{ name: 'e', mountPath: '/m' }] }
  const log = await outputOf({ containers: [container], volumes: [{ name: 'e', emptyDir: {} }] })
  expect(log).toBe(`${join(stage().home, 'pods/p/volumes/e/new/deep')}\n`)
})

test('a missing config map is waited for, with what is waited for in the status', async () => {
  const { api } = stage()
  const uid = api.create('p', {
    containers: [{ ...sh('cat /c/x'), volumeMounts: [{ name: 'c', mountPath: '/c' }] }],
    volumes: [{ name: 'c', configMap: { name: 'late' } }],
  })
  const waiting = { reason: 'ContainerCreating', message: 'configmap "late" not found' }
  await until(
    'the reason to be told',
    () => api.status(uid).containerStatuses?.[0]?.state?.waiting?.message === waiting.message,
  )
  expect(api.status(uid)).toMatchObject({ phase: 'Pending', containerStatuses: [{ state: { waiting } }] })
  expect(api.events.filter(({ reason }) => reason === 'FailedMount')).toHaveLength(1)
  api.configMaps.set('late', { data: { x: 'came' } })
  await api.phase(uid, 'Succeeded')
  expect(stage().log(uid)).toBe('came')
})

test.each([
  [{ secretKeyRef: { name: 'none', key: 'x' } }, 'secret "none" not found'],
  [{ configMapKeyRef: { name: 'c', key: 'none' } }, "couldn't find key none in configmap c"],
])('a missing value is waited for: %j', async (valueFrom, message) => {
  const { api } = stage()
  api.configMaps.set('c', { data: {} })
  const uid = api.create('p', { containers: [{ ...sh('exit 0'), env: [{ name: 'X', valueFrom }] }] })
  await until(
    'the reason to be told',
    () => api.status(uid).containerStatuses?.[0]?.state?.waiting?.message === message,
  )
  expect(api.status(uid).containerStatuses![0]!.state!.waiting!.reason).toBe('CreateContainerConfigError')
})

test.each([
  [{ nfs: { server: 'x', path: '/' } }, {}, 'volume "v" is of type nfs, which cannot be had on this machine'],
  [{ hostPath: { path: '/no/such' } }, {}, 'hostPath /no/such of volume "v" is not on this machine'],
  [{ hostPath: { path: '/', type: 'CharDevice' } }, {}, 'hostPath / of volume "v" is not a character device'],
  [{ hostPath: { path: '/', type: 'BlockDevice' } }, {}, 'hostPath / of volume "v" is not a block device'],
  [{ emptyDir: {} }, { subPath: '../..' }, 'subPath "../.." leads out of its volume'],
  [{ emptyDir: {} }, { subPathExpr: 'run-$(NONE)' }, 'subPathExpr "run-$(NONE)" names NONE, which has no value'],
  [{ emptyDir: {} }, { mountPath: '/' }, 'a volume cannot be mounted at /'],
])('a mount that cannot be made fails the pod: %j %j', async (source, more, message) => {
  const { api } = stage()
  const uid = api.create('p', {
    containers: [{ ...sh('exit 0'), volumeMounts: [{ name: 'v', mountPath: '/v', ...more }] }],
    volumes: [{ name: 'v', ...source }],
  })
  const status = await api.phase(uid, 'Failed')
  expect(status.containerStatuses![0]!.state!.terminated).toMatchObject({ reason: 'StartError', message })
})

test('peers of two jobs with the same ports meet their own peers only', async () => {
  const { api } = stage()
  const listen = `require('net').createServer((s) => s.end(process.env.JOB)).listen(process.env.PORT, '0.0.0.0', () => console.log('up'))`
  const dial = `const go = () => require('net').connect(process.argv[1].split(':')[1], process.argv[1].split(':')[0])
    .on('data', (d) => { console.log(String(d)); process.exit() }).on('error', () => setTimeout(go, 20)); go()`
  const marks = (places: object[]) => ({
    'trainyard.dev/peers': JSON.stringify({
      peers: {
        master: { replicas: 1, host: 'j-master-{i}.svc', ports: [23456] },
        worker: { replicas: 1, host: 'j-worker-{i}.svc', ports: [] },
      },
      places,
    }),
  })
  const dialled = []
  for (const job of ['one', 'two']) {
    const owner = [{ apiVersion: 'v1', kind: 'Job', name: 'j', uid: job, controller: true }]
    const span = { from: 0, peer: 'master-0', port: 23456 }
    api.create(
      `${job}-master`,
      {
        hostname: 'j-master-0',
        containers: [
          {
            name: 'main',
            command: ['node', '-e', listen],
            env: [
              { name: 'PORT', value: '23456' },
              { name: 'JOB', value: job },
            ],
          },
        ],
      },
      {
        uid: `${job}-m`,
        ownerReferences: owner,
        annotations: marks([{ container: 'main', env: 'PORT', spans: [{ ...span, to: 5, part: 'port' }] }]),
      },
    )
    const address = 'j-master-0.svc:23456'
    api.create(
      `${job}-worker`,
      { hostname: 'j-worker-0', containers: [{ name: 'main', command: ['node', '-e', dial, address, 'j-master-0'] }] },
      {
        uid: `${job}-w`,
        ownerReferences: owner,
        annotations: marks([
          { container: 'main', command: 3, spans: [{ ...span, to: address.length, part: 'hostport' }] },
        ]),
      },
    )
    dialled.push(`${job}-w`)
  }
  for (const uid of dialled) await api.phase(uid, 'Succeeded')
  expect(dialled.map((uid) => stage().log(uid))).toEqual(['one\n', 'two\n'])
  const message = 'j-master-0 typed by hand is left as it is and does not resolve on this machine'
  expect(api.events).toContainEqual({ pod: 'one-worker', type: 'Warning', reason: 'PeerNotResolved', message })
})
