// Queues and nodes as the commands show them, on a home that plays a cluster.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ran, trainyardIn } from '../job-commands/trainyard.ts'

const LONG = 300_000
const folder = mkdtempSync(join(tmpdir(), 'trainyard-queue-'))
const trainyard = trainyardIn(join(folder, 'home'))
const file = (name: string, objects: object[]): string => {
  const path = join(folder, name)
  writeFileSync(path, objects.map((object) => JSON.stringify(object)).join('\n---\n'))
  return path
}
const queue = (name: string, spec: object) => ({
  apiVersion: 'scheduler.tensorstack.dev/v1beta1',
  kind: 'Queue',
  metadata: { name, namespace: 't9k-system' },
  spec,
})
const job = (
  name: string,
  replicas: number,
  gpus: number,
  script: string,
  t9kScheduler: object = { queue: 'gpus' },
) => ({
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name },
  spec: {
    scheduler: { t9kScheduler },
    replicaSpecs: [
      {
        type: 'worker',
        replicas,
        template: {
          spec: {
            terminationGracePeriodSeconds: 1,
            containers: [
              {
                name: 'c',
                image: 'none',
                command: ['sh', '-c', script],
                resources: { limits: { 'nvidia.com/gpu': gpus } },
              },
            ],
          },
        },
      },
    ],
  },
})
const until = `until [ -e ${join(folder, 'go')} ]; do sleep 0.05; done`

/** Asks again until the answer fits; the test's own time limit ends it. */
async function eventually(args: string[], fits: (ran: Ran) => boolean): Promise<Ran> {
  for (;;) {
    const ran = await trainyard(...args)
    if (fits(ran)) return ran
  }
}

beforeAll(async () => {
  const { code, stderr } = await trainyard('up', '--nodes', '4', '--capacity', 'cpu=8,memory=32Gi,nvidia.com/gpu=4')
  expect(stderr).toContain('  nodes    4 nodes, each cpu 8, memory 32Gi, nvidia.com/gpu 4\n')
  expect(code).toBe(0)
}, LONG)
afterAll(async () => {
  await trainyard('down', '--force', '--purge')
  rmSync(folder, { recursive: true, force: true })
}, LONG)

test(
  'a home that runs keeps its nodes, and says how to change them',
  async () => {
    const { code, stderr } = await trainyard('up', '--nodes', '2')
    expect(code).toBe(1)
    expect(stderr).toContain('runs already, with 4 nodes, each cpu 8, memory 32Gi, nvidia.com/gpu 4;')
    expect(stderr).toContain('  change it  trainyard down && trainyard up --nodes 2\n')
    expect(await trainyard('up', '--capacity', 'much')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--capacity: "much" is not a resource and an amount, for example cpu=8'),
    })
  },
  LONG,
)

test(
  'what waits and what runs stands where one looks for it',
  async () => {
    const quota = { requests: { 'nvidia.com/gpu': 14 } }
    await trainyard('apply', '-f', file('queue.yaml', [queue('gpus', { priority: 7, quota, maxDuration: '1d' })]))
    await trainyard('apply', '-f', file('first.yaml', [job('first', 3, 4, until)]))
    await trainyard('wait', 'first', '--for', 'Running')
    await trainyard('apply', '-f', file('second.yaml', [job('second', 2, 2, 'true')]))
    const words =
      '2 pods need 4 nvidia.com/gpu together, 2 of 14 left in the quota of queue gpus; first holds 12; 1st of 1 in queue gpus'
    const shown = await eventually(['get', 'second'], ({ stderr }) => stderr.includes(words))
    expect(shown).toMatchObject({ code: 0, stderr: `waiting: ${words}\n` })

    const nodes = await eventually(['get', 'nodes'], ({ stdout }) => (stdout.match(/4\/4$/gm) ?? []).length === 3)
    expect(nodes.stdout.split('\n').map((line) => line.split(/ +/).join(' '))).toEqual([
      'NAME STATE PODS CPU MEMORY NVIDIA.COM/GPU',
      'node-1 Ready 1/500 0/8 0/32Gi 4/4',
      'node-2 Ready 1/500 0/8 0/32Gi 4/4',
      'node-3 Ready 1/500 0/8 0/32Gi 4/4',
      'node-4 Ready 0/500 0/8 0/32Gi 0/4',
      '',
    ])

    const list = await eventually(['queue', 'list'], ({ stdout }) => stdout.includes('3        2  nvidia'))
    expect(list.stdout).toBe(`NAME      STATE   PRIORITY  GROUPS  RUNNING  PENDING  USED
default   Open           0       0        0        0  -
gpus      Open           7       2        3        2  nvidia.com/gpu 12/14
`)
    const described = await trainyard('queue', 'describe', 'gpus', '-o', 'wide')
    const page = described.stdout.replaceAll(/ +/g, ' ').replaceAll(/ \d+[smh](\d+s)?(?= |\n)/g, ' AGE')
    expect(page).toBe(`Name: gpus
Namespace: t9k-system
State: Open
Priority: 7
Preemptible: yes, by queues of higher priority
Max duration: 1d
Nodes: all
Namespaces: as the cluster has it (no namespaceSelector)

Resources:
 RESOURCE USED QUOTA
 nvidia.com/gpu 12 14

Running:
 GROUP NAMESPACE PRIORITY PODS AGE
 first default 10 3 AGE

Waiting:
 # GROUP NAMESPACE PRIORITY PODS AGE WAITS FOR
 1 second default 10 2 AGE ${words}
`)
    const data = JSON.parse((await trainyard('queue', 'describe', 'gpus', '-o', 'json')).stdout)
    expect(data).toMatchObject({
      state: 'Open',
      resources: [{ resource: 'nvidia.com/gpu', used: '12', quota: '14' }],
      running: [{ name: 'first', pods: 3 }],
      waiting: [{ position: 1, name: 'second', pods: 2, waits: words }],
    })
  },
  LONG,
)

test(
  'a queue is closed and opened, and says what that means',
  async () => {
    expect(await trainyard('queue', 'close', 'gpus')).toMatchObject({
      code: 0,
      stdout: 'gpus  Open → Closed   3 running pods go on, nothing new is placed\n',
    })
    expect((await trainyard('queue', 'close', 'gpus')).stdout).toBe('gpus is Closed already\n')
    const closed = 'waiting: queue gpus is closed; 1st of 1 in queue gpus\n'
    await eventually(['get', 'second'], ({ stderr }) => stderr === closed)
    const events = await eventually(['events', 'second'], ({ stdout }) => stdout.includes('QueueClosed'))
    expect(events.stdout).toContain('queue gpus is closed')
    writeFileSync(join(folder, 'go'), '')
    expect(await trainyard('wait', 'first')).toMatchObject({ code: 0 })
    expect((await trainyard('get', 'second', '-o', 'json')).stdout).toContain('"phase": "Pending"')
    expect((await trainyard('queue', 'open', 'gpus')).stdout).toMatch(/^gpus {2}Closed → Open/)
    expect(await trainyard('wait', 'second')).toMatchObject({ code: 0 })
    expect(await trainyard('queue', 'describe', 'nix')).toMatchObject({
      code: 1,
      stderr: 'trainyard: no queue "nix"; there are default, gpus\n',
    })
  },
  LONG,
)

test(
  'whatever is wrong with a queue or a wish, `get` and `events` say it of every job',
  async () => {
    const elsewhere = { matchLabels: { team: 'elsewhere' } }
    const queues = [
      queue('shut', { closed: true }),
      queue('others', { namespaceSelector: elsewhere }),
      queue('tiny', { quota: { requests: { 'nvidia.com/gpu': 1 } } }),
      queue('nodeless', { nodeSelector: elsewhere }),
    ]
    const wrong: Array<[job: string, queue: string, gpus: number, reason: string, words: string]> = [
      ['lost', 'nowhere', 1, 'QueueNotFound', 'queue nowhere does not exist; there are default, gpus, nodeless, '],
      ['outside', 'shut', 1, 'QueueClosed', 'queue shut is closed; 1st of 1 in queue shut'],
      ['stranger', 'others', 1, 'NamespaceNotAllowed', 'queue others is not open to namespace default; 1st of 1'],
      ['large', 'tiny', 1, 'QuotaTooSmall', '2 pods need 2 nvidia.com/gpu together, but the quota of queue tiny is 1'],
      [
        'huge',
        'default',
        9,
        'ClusterTooSmall',
        '2 pods need 18 nvidia.com/gpu together, but the cluster has 16 in all',
      ],
      [
        'homeless',
        'nodeless',
        1,
        'NoMatchingNode',
        'none of 4 nodes matches the nodeSelector of queue nodeless and is',
      ],
    ]
    const jobs = wrong.map(([name, in_, gpus]) => job(name, 2, gpus, 'true', { queue: in_ }))
    expect(await trainyard('apply', '-f', file('wrong.yaml', [...queues, ...jobs]))).toMatchObject({ code: 0 })
    const names = wrong.map(([name]) => name)
    await eventually(['get', ...names], ({ stderr }) => {
      const lines = stderr.split('\n')
      return wrong.every(([name, , , , words]) =>
        lines.some((line) => line.startsWith(`waiting: ${name}: `) && line.includes(words)),
      )
    })
    for (const [name, , , reason, words] of wrong) {
      const told = await eventually(['events', name, '-o', 'wide'], ({ stdout }) => stdout.includes(reason))
      expect(told.stdout).toContain(words)
    }
    const refused = await trainyard('apply', '-f', file('proud.yaml', [job('proud', 1, 1, 'true', { priority: 101 })]))
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/priority.*(100|101)/)
    expect(await trainyard('get', 'proud')).toMatchObject({ code: 1 })
  },
  LONG,
)
