// The genuine TensorBoard as a Deployment and a Service of ours: what it shows, and what is said when it cannot.
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DependentStatus } from '../../src/api/types.ts'
import { PODS, type Resource, SERVICES } from '../../src/kube/index.ts'
import { JOBS } from '../../src/operator/resources.ts'
import { closingLine } from '../closing-line.ts'
import { installCrds } from '../operator/operator-at-work.ts'
import type { OperatorProcess } from '../operator/operator-process.ts'
import { realCluster } from '../real-cluster.ts'
import { Bench, type Ran } from '../run/run-cli.ts'
import { eventually, type NodeJob, NodeStage } from './stage.ts'

const LONG = 600_000
const DEPLOYMENTS: Resource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
}
/** What every framework's SummaryWriter writes. */
const WRITES_SCALARS = `
import time
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter
writer = EventFileWriter('/runs/first')
for step in range(3):
    value = Summary.Value(tag='loss', simple_value=1.0 / (step + 1))
    writer.add_event(Event(wall_time=time.time(), step=step, summary=Summary(value=[value])))
writer.close()
`
/** The claim leads a TensorBoard to the node that has its image. */
const HERE = [{ name: 'runs' }]
const TAGS = 'data/plugin/scalars/tags'

let stage: NodeStage
let operator: OperatorProcess | undefined
/** The folder of the machine that is the claim `runs`. */
let runs: string
const bench = new Bench()
const opened: ChildProcess[] = []
const seen: string[] = []

beforeAll(async () => {
  stage = await NodeStage.open()
  await installCrds(stage.client)
  operator = await stage.startOperator()
  runs = mkdtempSync(join(tmpdir(), 'trainyard-runs-'))
  await stage.claim('runs', runs)
}, LONG)
afterAll(async () => {
  for (const child of opened) child.kill('SIGKILL')
  await operator?.end()
  await stage.client.close()
  await bench.close()
  rmSync(runs, { recursive: true, force: true })
  closingLine(`tensorboard on a node: ${seen.join('; ')}`)
}, LONG)

const there = (): string[] => ['--kubeconfig', realCluster().kubeconfig, '--namespace', stage.namespace]
const trainyard = (...args: string[]): Promise<Ran> => bench.run(...args, ...there())

/** A job of one replica with a TensorBoard; it does nothing unless told. */
function createJob(name: string, tensorboardSpec: object, command = ['sh', '-c', 'true']): Promise<NodeJob> {
  const { image } = stage.nodes.tensorboard
  const container = { name: 'pytorch', image, command, volumeMounts: [{ name: 'runs', mountPath: '/runs' }] }
  const volumes = [{ name: 'runs', persistentVolumeClaim: { claimName: 'runs' } }]
  const replicaSpecs = [{ type: 'master', replicas: 1, template: stage.template(container, { volumes }) }]
  return stage.create('PyTorchTrainingJob', name, { tensorboardSpec: { image, ...tensorboardSpec }, replicaSpecs })
}

async function boardOf(job: NodeJob): Promise<DependentStatus | undefined> {
  return ((await job.get()).status as { tensorboard?: DependentStatus } | undefined)?.tensorboard
}

/** Status, an event and the command say the same. */
async function isToldOf(job: NodeJob, words: string): Promise<void> {
  const note = expect.stringContaining(`is not ready: ${words}`)
  const told = { note, ready: false, type: 'Warning', reason: 'DependentNotReady' }
  await eventually(async () => expect(await boardOf(job)).toMatchObject(told))
  const { code, stderr } = await trainyard('tensorboard', job.name)
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
  await isAnEvent(job, 'TensorBoardNotReady', words)
}

async function isAnEvent(job: NodeJob, reason: string, words: string): Promise<void> {
  const event = { type: 'Warning', reason, message: expect.stringContaining(words) }
  await eventually(async () => {
    const { stdout } = await trainyard('events', job.name, '-o', 'json')
    expect((JSON.parse(stdout) as { events: object[] }).events).toContainEqual(expect.objectContaining(event))
  })
}

function isReady(job: NodeJob): Promise<DependentStatus> {
  return eventually(async () => {
    const board = await boardOf(job)
    expect(board).toMatchObject({ ready: true })
    return board!
  })
}

/** `trainyard tensorboard` with its address. */
async function open(job: NodeJob): Promise<{ read: (path: string) => Promise<unknown>; close: () => Promise<Ran> }> {
  const { child, ran } = bench.start('tensorboard', job.name, '--no-open', ...there())
  opened.push(child)
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (chunk) => {
      text += chunk
      if (text.endsWith('\n')) resolve(text.trim())
    })
    ran.then(({ stderr }) => reject(new Error(stderr)))
  })
  return {
    read: async (path) => (await fetch(new URL(path, url))).json(),
    close: () => {
      child.kill('SIGINT')
      return ran
    },
  }
}

/** What somebody in the cluster gets from the Service. */
async function readInCluster(address: string): Promise<string> {
  const { client, namespace, nodes } = stage
  const script = `fetch(${JSON.stringify(address)}).then((r) => r.text()).then((t) => console.log(t))`
  const container = { name: 'read', image: nodes.image, command: ['node', '-e', script] }
  const body = { restartPolicy: 'OnFailure', containers: [container], terminationGracePeriodSeconds: 1 }
  const at = { namespace, name: 'reader' }
  await client.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: at, spec: body })
  await eventually(async () => expect((await client.get(PODS, at)).status?.phase).toBe('Succeeded'))
  return client.text({ method: 'GET', path: `/api/v1/namespaces/${namespace}/pods/reader/log` })
}

describe.concurrent('TensorBoard', () => {
  test('shows what a job wrote, also after its end, and goes with it', { timeout: LONG }, async () => {
    const logDir = { pvc: [{ name: 'runs', subPath: ['first'] }] }
    const job = await createJob('curves', { logDir }, [stage.nodes.tensorboard.python, '-c', WRITES_SCALARS])
    await job.ends('Succeeded')
    const { note, dependent, type } = await isReady(job)
    expect([type, note]).toEqual(['Normal', `TensorBoard [${dependent!.name}] is ready`])
    const { client, namespace } = stage
    const at = { namespace, name: dependent!.name! }
    const tags = { '.': { loss: expect.anything() } }
    const { read, close } = await open(job)
    await eventually(async () => expect(await read(TAGS)).toEqual(tags))
    const scalars = (await read('data/plugin/scalars/scalars?tag=loss&run=.')) as number[][]
    expect(scalars.map(([, step]) => step)).toEqual([0, 1, 2])
    expect((await close()).code).toBe(0)
    expect(JSON.parse(await readInCluster(`http://${at.name}.${namespace}/${TAGS}`))).toEqual(tags)
    seen.push('scalars through the Service and through trainyard tensorboard')

    await client.delete(JOBS.PyTorchTrainingJob, { namespace, name: job.name }, { propagationPolicy: 'Background' })
    const labelSelector = `trainyard.dev/tensorboard=${at.name}`
    const left = async () => {
      const lists = [DEPLOYMENTS, SERVICES as Resource, PODS as Resource].map((resource) =>
        client.list(resource, { namespace, labelSelector }),
      )
      return (await Promise.all(lists)).flatMap(({ items }) => items.map(({ metadata }) => metadata.name))
    }
    await eventually(async () => expect(await left()).toEqual([]))
    seen.push('gone with its job')
  })

  test('waits for a directory that is missing, says so, and shows it when it comes', { timeout: LONG }, async () => {
    const job = await createJob('early', { trainingLogFilesets: ['t9k://pvc/runs/later'] })
    await isToldOf(job, 'folder later of the claim runs is not there yet')
    mkdirSync(join(runs, 'later'))
    expect(await isReady(job)).toMatchObject({ type: 'Normal', reason: 'DependentReady' })
    seen.push('a missing directory')
  })

  test('says that a directory cannot be read', { timeout: LONG }, async () => {
    // Its pod has given away root's right to read everything.
    mkdirSync(join(runs, 'closed'))
    chmodSync(join(runs, 'closed'), 0o000)
    const job = await createJob('curious', { trainingLogFilesets: ['t9k://pvc/runs/closed'] })
    await isToldOf(job, 'folder closed of the claim runs cannot be read')
    seen.push('one that cannot be read')
  })

  test('says that a claim is not there', { timeout: LONG }, async () => {
    const job = await createJob('claimless', { trainingLogFilesets: ['t9k://pvc/nobodys'] })
    await isToldOf(job, 'the claim nobodys does not exist')
    seen.push('a claim that is not there')
  })

  test('says that its image has no TensorBoard', { timeout: LONG }, async () => {
    const { image } = stage.nodes
    const job = await createJob('boardless', { trainingLogFilesets: ['t9k://pvc/runs'], image })
    await isToldOf(job, `image ${image} has no program "tensorboard"`)
    seen.push('an image without it')
  })

  test('says that the Secret of a bucket is not there', { timeout: LONG }, async () => {
    const s3 = { uri: ['s3://bucket/a'], secretRef: { name: 'keys' } }
    const job = await createJob('keyless', { logDir: { pvc: HERE, s3 } })
    await isToldOf(job, 'secret "keys" not found')
    seen.push('a Secret that is not there')
  })

  test('says what it reads without credentials, and can be opened', { timeout: LONG }, async () => {
    const logDir = { pvc: HERE, s3: { uri: ['s3://bucket/a'] }, http: { url: ['http://logs.invalid/a'] } }
    const job = await createJob('public', { logDir })
    const { type, note } = await isReady(job)
    expect(type).toBe('Warning')
    expect(note).toMatch(/is ready, but logDir\.s3 names no secretRef, .*; logDir\.http has no credentials/)
    const { close } = await open(job)
    expect((await close()).stderr).toContain(note)
    await isAnEvent(job, 'TensorBoardWithoutCredentials', 'logDir.http has no credentials')
    seen.push('places without credentials')
  })
})
