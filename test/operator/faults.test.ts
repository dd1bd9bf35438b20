// What may befall an operator, other than its own death.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  abortOf,
  type Connection,
  ConnectionError,
  CRDS,
  KubeClient,
  type KubeObject,
  loadConnection,
  NODES,
  type ObjectName,
  pause,
  type Resource,
  type WatchOptions,
} from '../../src/kube/index.ts'
import { operateWhileLeading } from '../../src/operator/lead.ts'
import { OperatorMetrics } from '../../src/operator/metrics.ts'
import { type Operator, startOperator } from '../../src/operator/operator.ts'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { trainingJobs } from '../conformance/manifests.ts'
import { type Actor, eventually, Stage } from '../conformance/stage.ts'
import { installCrds } from './operator-at-work.ts'
import { statusDriver } from './status-driver.ts'

let dir: string
let server: RunningServer
let connection: Connection
let client: KubeClient
const operators: Operator[] = []
const errors: string[] = []

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'trainyard-faults-'))
  server = await startServer({ dir, log: () => {} })
  connection = await loadConnection({ kubeconfig: server.kubeconfigPath })
  client = new KubeClient(connection)
  errors.length = 0
})
afterEach(async () => {
  await Promise.all(operators.splice(0).map((operator) => operator.stop()))
  await client.close()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function operate(): Promise<Operator> {
  const operator = startOperator({ client, onError: (where, error) => errors.push(`${where}: ${error}`) })
  operators.push(operator)
  await operator.ready
  return operator
}

/** Lists this resource once and never hears of changes. */
class Deaf extends KubeClient {
  readonly #to: string
  constructor(to: string) {
    super(connection)
    this.#to = to
  }

  override watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions = {}): WatchEvents<T> {
    return resource.plural === this.#to ? silence<T>(options.signal) : super.watch(resource, options)
  }

  override get<T extends KubeObject>(resource: Resource<T>, at: ObjectName, signal?: AbortSignal): Promise<T> {
    if (at.name === 'unasked') throw new ConnectionError('cut', 'nobody can say')
    return super.get(resource, at, signal)
  }
}

type WatchEvents<T extends KubeObject> = ReturnType<typeof KubeClient.prototype.watch<T>>

// biome-ignore lint/correctness/useYield: it never has anything to say
async function* silence<T extends KubeObject>(signal: AbortSignal | undefined): WatchEvents<T> {
  if (signal !== undefined) await abortOf(signal)
}

const openStage = () => Stage.open({ kubeconfig: server.kubeconfigPath, driver: statusDriver(client) })
const onFailure = () => ({ restartPolicy: 'OnFailure' })

test('kinds that are installed while the operator runs are found', async () => {
  await operate()
  expect(errors).toEqual([])
  await installCrds(client)
  const stage = await openStage()
  const job = await trainingJobs(stage).generic({ worker: 1 })
  await job.run('worker-0', 0)
  await job.reaches('Succeeded')
  await stage.close()
})

test('an API that goes away and comes back is taken up where it stood', async () => {
  await installCrds(client)
  await operate()
  const stage = await openStage()
  const job = await trainingJobs(stage).pytorch({ master: 1 }, {}, onFailure)
  const first = await job.run('master-0', 1)
  const port = Number(new URL(server.url).port)
  await server.stop()
  await eventually('the operator has noticed', async () => expect(errors.join()).toContain('watching pods'))
  server = await startServer({ dir, port, log: () => {} })
  await job.run('master-0', 0, first)
  expect((await job.reaches('Succeeded')).backoffCount).toBe(1)
  await stage.close()
})

test('two operators at once do no harm to each other', async () => {
  await installCrds(client)
  await Promise.all([operate(), operate(), operate()])
  const stage = await openStage()
  const jobs = await Promise.all(
    Array.from({ length: 4 }, () => trainingJobs(stage).pytorch({ master: 1, worker: 2 }, {}, onFailure)),
  )
  for (const job of jobs) {
    const pods = await job.start('master-0', 'worker-0', 'worker-1')
    const failed = await job.exit('worker-1', 1)
    await job.pod('worker-1', failed)
    await job.start('worker-1')
    await job.exit('master-0', 0)
    const status = await job.reaches('Succeeded')
    expect(status.backoffCount).toBe(1)
    expect((await job.pod('worker-0')).metadata?.uid).toBe(pods[1]?.metadata?.uid)
  }
  expect(errors).toEqual([])
  await stage.close()
})

test('of two operators one works, and the other takes over at once when it is ended', async () => {
  await installCrds(client)
  const leaders: string[] = []
  const metrics = new OperatorMetrics()
  const podLists: string[] = []
  const stand = (identity: string) => {
    const stop = new AbortController()
    const election = { client, namespace: 'default', name: 'operator', identity }
    const own = new KubeClient(connection, {
      onAnswer: (method, path, _code, _took, watch) => {
        if (method === 'GET' && path.endsWith('/pods') && !watch) podLists.push(identity)
      },
    })
    const onLead = (operator: Operator | undefined) => leaders.push(`${identity} ${operator ? 'leads' : 'stops'}`)
    const ended = operateWhileLeading({ client: own, election, metrics, onLead }, stop.signal)
    return {
      async end() {
        stop.abort()
        await ended
        await own.close()
      },
    }
  }
  const first = stand('first')
  await eventually('the first leads', async () => expect(leaders).toEqual(['first leads']))
  const second = stand('second')
  await eventually('the second knows the cluster too', async () => expect(podLists).toEqual(['first', 'second']))
  const stage = await openStage()
  const job = await trainingJobs(stage).pytorch({ master: 1 }, {}, onFailure)
  const failed = await job.run('master-0', 1)
  await first.end()
  await eventually('the second leads', async () =>
    expect(leaders).toEqual(['first leads', 'first stops', 'second leads']),
  )
  await job.run('master-0', 0, failed)
  expect((await job.reaches('Succeeded')).backoffCount).toBe(1)
  expect(await metrics.registry.metrics()).toContain('trainyard_jobs{')
  // It had nothing to read before it could begin.
  expect(podLists).toEqual(['first', 'second'])
  await second.end()
  expect(await metrics.registry.metrics()).not.toContain('trainyard_jobs{')
  await stage.close()
})

test('somebody who writes to the job all the time does not keep it from its end', async () => {
  await installCrds(client)
  await operate()
  const stage = await openStage()
  const job = await trainingJobs(stage).pytorch({ master: 1 }, {}, onFailure)
  let writing = true
  // Dozens of writes a second, so that most of the operator's meet one in between.
  const meddler = (async () => {
    for (let i = 0; writing; i++) {
      await job.patch({ metadata: { annotations: { meddled: `${i}` } } })
      await pause(5)
    }
  })()
  const first = await job.run('master-0', 1)
  await job.run('master-0', 0, first)
  const status = await job.reaches('Succeeded')
  writing = false
  await meddler
  expect(status.backoffCount).toBe(1)
  await stage.close()
})

test('a pod on a node that is gone is replaced; one on a node we know nothing of is not', async () => {
  await installCrds(client)
  const deaf = new Deaf('nodes')
  const operator = startOperator({ client: deaf })
  operators.push(operator)
  await operator.ready
  await client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'new' } })
  const stage = await openStage()
  const bind = async (job: Actor, node: string) => {
    const { namespace, name } = (await job.pod('worker-0')).metadata!
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: node } }
    await client.raw({ method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/${name}/binding`, body })
  }
  for (const node of ['new', 'unasked']) {
    const job = await trainingJobs(stage).generic({ worker: 1 })
    const kept = await job.pod('worker-0')
    await bind(job, node)
    await job.start('worker-0')
    await job.reaches('Running')
    expect((await job.pod('worker-0')).metadata?.uid).toBe(kept.metadata?.uid)
  }
  const unlucky = await trainingJobs(stage).generic({ worker: 1 })
  const lost = await unlucky.pod('worker-0')
  await bind(unlucky, 'nowhere')
  await unlucky.pod('worker-0', lost)
  await stage.close()
  await operators.pop()!.stop()
  await deaf.close()
})

test("decisions know the operator's own deeds before the watch tells them", async () => {
  await installCrds(client)
  const sent: string[] = []
  const deaf = new (class extends Deaf {
    override create<T extends KubeObject>(resource: Resource<T>, object: T): Promise<T> {
      sent.push(`${resource.plural} ${object.metadata.name}`)
      return super.create(resource, object)
    }
  })('pods')
  const operator = startOperator({ client: deaf })
  operators.push(operator)
  await operator.ready
  const stage = await openStage()
  const job = await trainingJobs(stage).pytorch({ master: 1, worker: 1 })
  await job.hasReplicas('master-0', 'worker-0')
  // Every pause makes it look again, with no news of its pods.
  for (const enable of [true, false]) {
    await job.patch({ spec: { runMode: { pause: { enable } } } })
    await job.hasReplicas(...(enable ? [] : ['master-0', 'worker-0']))
  }
  await eventually('it is told', async () => expect((await job.status()).phase).toBe('Resuming'))
  expect(sent.filter((line) => line.startsWith('pods'))).toHaveLength(4)
  await stage.close()
  await operators.pop()!.stop()
  await deaf.close()
})

test('a kind that somebody else has defined is left alone, unless we are told to take it over', async () => {
  await installCrds(client)
  const body = { metadata: { labels: { 'app.kubernetes.io/name': 'another' } } }
  await client.patch(CRDS, { name: 'tfjobs.kubeflow.org' }, { type: 'merge', body })
  await operate()
  const stage = await openStage()
  const foreign = await trainingJobs(stage).tfjob({ Worker: 1 })
  const own = await trainingJobs(stage).generic({ worker: 1 })
  await own.run('worker-0', 0)
  await own.reaches('Succeeded')
  expect(await foreign.pods()).toEqual([])
  expect(errors).toEqual([expect.stringContaining('tfjobs.kubeflow.org: Error: the definition is not ours')])
  operators.push(startOperator({ client, takeOver: ['TFJob'] }))
  await foreign.run('worker-0', 0)
  await foreign.reaches('Succeeded')
  await stage.close()
})

test('pods that the API refuses are reported, and tried again', async () => {
  await installCrds(client)
  await operate()
  const stage = await openStage()
  const volumeMounts = [{ name: 'missing', mountPath: '/data' }]
  const template = stage.template({ name: 'main', volumeMounts })
  const job = await trainingJobs(stage).generic({ worker: 1 }, {}, () => ({ template }))
  await eventually('an event tells', async () => {
    const events = (await job.events()).join('\n')
    expect(events).toContain('FailedCreatePod')
    expect(events).toContain('missing')
  })
  expect((await job.status()).phase).toBe('Pending')
  await stage.close()
})
