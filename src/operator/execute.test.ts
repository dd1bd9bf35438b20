import { beforeEach, describe, expect, test } from 'vitest'
import type { KubeObject, TrainingJob } from '../api/types.ts'
import type { Action, CreatedKind, Decision, Reason } from '../core/decision.ts'
import { SimulatedApi } from '../rehearse/simulated-api.ts'
import { type Answer, execute, JobCache, JobMemory, type Request } from './execute.ts'

const UID = 'job-uid'
const START = Date.UTC(2026, 0, 1)

let api: SimulatedApi
let memory: JobMemory<JobCache>
let sent: string[]
/** What the cluster says instead, by `verb Kind/name`. */
let answers: Map<string, Answer>

beforeEach(() => {
  api = new SimulatedApi(START)
  api.putJob({ apiVersion: 'v1', kind: 'GenericJob', metadata: { name: 'j', uid: UID }, spec: {} } as TrainingJob)
  memory = new JobMemory(new JobCache())
  sent = []
  answers = new Map()
})

const cluster = {
  send(request: Request): Promise<Answer> {
    const name = nameOf(request)
    sent.push(name)
    return Promise.resolve(answers.get(name) ?? api.send(request))
  },
}

function nameOf(request: Request): string {
  if (request.verb === 'create') return `create ${request.kind}/${request.object.metadata.name}`
  if (request.verb === 'recordEvent') return `event ${request.reason.event}`
  return 'kind' in request ? `${request.verb} ${request.kind}/${request.name}` : request.verb
}

function carry(decision: Partial<Decision>, { now = START, replicas = 1 } = {}) {
  const whole: Decision = { status: {}, changed: false, urgent: false, actions: [], reasons: [], ...decision }
  const { uid, resourceVersion } = api.job!.metadata
  const lacksStatus = api.job!.status === undefined
  return execute(cluster, { uid: uid!, resourceVersion: resourceVersion!, replicas, lacksStatus }, whole, memory, now)
}

function object(kind: CreatedKind, name: string, owner = UID): KubeObject {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'GenericJob', name: 'j', uid: owner, controller: true }]
  return { apiVersion: 'v1', kind, metadata: { name, ownerReferences } }
}

function create(kind: CreatedKind, name: string): Action {
  return { verb: 'create', kind, object: object(kind, name) }
}

function reason(event: string, message = event): Reason {
  return { object: 'job', type: 'Normal', event, message }
}

const quota: Answer = { done: false, refusal: 'Forbidden', message: 'exceeded quota' }

test('an urgent status is stored before anything is done', async () => {
  await carry({ status: { phase: 'Running' }, changed: true, urgent: true, actions: [create('Pod', 'a')] })
  expect(sent).toEqual(['updateStatus', 'create Pod/a'])
  expect(api.job!.status).toEqual({ phase: 'Running' })
})

test('a status decided from an old job is refused, and then nothing is done', async () => {
  const { uid } = api.job!.metadata
  const decision = { status: {}, changed: true, urgent: true, actions: [create('Pod', 'a')], reasons: [reason('X')] }
  const outcome = await execute(cluster, { uid: uid!, resourceVersion: '0', replicas: 1 }, decision, memory, START)
  expect(outcome).toMatchObject({ again: true, told: [] })
  expect(sent).toEqual(['updateStatus'])
})

test('a status the server fails to store is tried again later and later', async () => {
  answers.set('updateStatus', { done: false, refusal: 'ServerError', message: 'timeout' })
  const urgent = { changed: true, urgent: true, actions: [create('Pod', 'a')] }
  expect(await carry(urgent)).toMatchObject({ again: false, wakeAt: START + 1000 })
  expect(await carry(urgent)).toMatchObject({ wakeAt: START + 2000 })
  expect(api.pod('a')).toBeUndefined()
})

const newborn = (decision: Partial<Decision>, statusMayWait = false) => {
  const { uid, resourceVersion } = api.job!.metadata
  const whole: Decision = { status: {}, changed: true, urgent: true, actions: [], reasons: [], ...decision }
  const job = { uid: uid!, resourceVersion: resourceVersion!, replicas: 1, isNewborn: true, statusMayWait }
  return execute(cluster, job, whole, memory, START)
}

test('the first status of a newborn job is on the way with all but its first pod', async () => {
  const underWay = new Set<string>()
  let together: string[] = []
  const slow = {
    async send(request: Request): Promise<Answer> {
      underWay.add(nameOf(request))
      if (underWay.size > together.length) together = [...underWay]
      await Promise.resolve()
      underWay.delete(nameOf(request))
      return api.send(request)
    },
  }
  const { uid, resourceVersion } = api.job!.metadata
  const actions = [create('Service', 's'), create('Pod', 'a'), create('Pod', 'b')]
  const decision = { status: { phase: 'Pending' }, changed: true, urgent: true, actions, reasons: [reason('Created')] }
  const job = { uid: uid!, resourceVersion: resourceVersion!, replicas: 1, isNewborn: true }
  const outcome = await execute(slow, job, decision, memory, START)
  expect(together).toEqual(['create Service/s', 'create Pod/b', 'updateStatus'])
  expect(outcome).toMatchObject({ again: false, status: 'stored', told: [{ event: 'Created' }] })
  expect(api.job!.status).toEqual({ phase: 'Pending' })
})

test('a newborn job that is not what it seemed gets no more pods, and is looked at again', async () => {
  answers.set('updateStatus', { done: false, refusal: 'Conflict', message: 'changed' })
  const actions = Array.from({ length: 100 }, (_, i) => create('Pod', `p${i}`))
  expect(await newborn({ actions, reasons: [reason('X')] })).toMatchObject({ again: true, status: 'refused' })
  expect(api.list('Pod').length).toBeLessThanOrEqual(32)
})

test('a newborn job whose status the server fails to store is tried again later', async () => {
  answers.set('updateStatus', { done: false, refusal: 'ServerError', message: 'timeout' })
  expect(await newborn({ actions: [create('Pod', 'a')] })).toMatchObject({ status: 'refused', wakeAt: START + 1000 })
})

test('the status of a newborn job that wants nothing is stored all the same', async () => {
  expect(await newborn({ status: { phase: 'Paused' } })).toMatchObject({ status: 'stored' })
  expect(sent).toEqual(['updateStatus'])
})

describe('while there is more important work for the API', () => {
  const pending = { status: { phase: 'Pending' }, changed: true }
  const busy = (decision: Partial<Decision>) => newborn({ ...pending, ...decision }, true)

  beforeEach(() => {
    memory = new JobMemory(new JobCache(), { news: 3000, details: 9000 })
  })

  test('the first status of a newborn job is stored when its pods have been created and news are due', async () => {
    const outcome = await busy({ actions: [create('Pod', 'a')], reasons: [reason('Created')] })
    expect(outcome).toMatchObject({ status: 'deferred', wakeAt: START + 3000, told: [{ event: 'Created' }] })
    expect(sent).toEqual(['create Pod/a', 'event Created'])
    const running = { status: { phase: 'Running' }, changed: true, worth: 'turn' } as const
    expect(await carry(running, { now: START + 2999 })).toMatchObject({ status: 'deferred', wakeAt: START + 3000 })
    expect(await carry(running, { now: START + 3000 })).toMatchObject({ status: 'stored' })
    expect(sent.slice(2)).toEqual(['updateStatus'])
  })

  test('what was given time to wait is not hurried when there is less to do', async () => {
    const patience = { news: 60_000, details: 90_000 }
    memory = new JobMemory(new JobCache(), patience)
    const write = (now: number) => carry({ status: { n: 1 }, changed: true, worth: 'turn' }, { now })
    await write(START)
    patience.news = 3000
    expect(await write(START + 3000)).toMatchObject({ status: 'deferred', wakeAt: START + 60_000 })
    expect(await write(START + 60_000)).toMatchObject({ status: 'stored' })
    expect(await write(START + 70_000)).toMatchObject({ status: 'deferred', wakeAt: START + 73_000 })
  })

  test('nothing but its first pods comes before the first status, not even what the first attempt failed to create', async () => {
    answers.set('create Pod/a', quota)
    expect(await busy({ actions: [create('Pod', 'a')] })).toMatchObject({ status: 'deferred', wakeAt: START + 1000 })
    answers.clear()
    sent = []
    const outcome = await carry({ ...pending, actions: [create('Pod', 'a')] }, { now: START + 1000 })
    expect(outcome).toMatchObject({ status: 'stored' })
    expect(sent).toEqual(['updateStatus', 'create Pod/a'])
  })

  test('a first status that nothing follows from does not wait', async () => {
    expect(await busy({ status: { phase: 'Paused' } })).toMatchObject({ status: 'stored' })
    expect(sent).toEqual(['updateStatus'])
  })
})

test('a delete means one object, not whoever bears the name', async () => {
  api.send({ verb: 'create', kind: 'Pod', object: object('Pod', 'a') })
  const outcome = await carry({ actions: [{ verb: 'delete', kind: 'Pod', name: 'a', uid: 'an older one' }] })
  expect(outcome.again).toBe(true)
  expect(api.pod('a')).toBeDefined()
  const uid = api.pod('a')!.metadata.uid!
  expect(await carry({ actions: [{ verb: 'delete', kind: 'Pod', name: 'a', uid }] })).toMatchObject({ again: false })
  expect(api.pod('a')).toBeUndefined()
})

test('deleting what is gone already is done', async () => {
  const outcome = await carry({ actions: [{ verb: 'delete', kind: 'Pod', name: 'a', uid: 'x' }] })
  expect(outcome).toMatchObject({ again: false, wakeAt: undefined })
})

test('the first pod goes ahead, the rest in the order given', async () => {
  await carry({ actions: [create('Service', 's'), create('Pod', 'master'), create('Pod', 'a'), create('Pod', 'b')] })
  expect(sent).toEqual(['create Pod/master', 'create Service/s', 'create Pod/a', 'create Pod/b'])
  expect(memory.cache.list('Pod').map((pod) => pod.metadata.name)).toEqual(['master', 'a', 'b'])
})

test('under a quota nobody takes the place of the first pod', async () => {
  answers.set('create Pod/master', quota)
  await carry({ actions: [create('Service', 's'), create('Pod', 'master'), create('Pod', 'a')] })
  expect(sent.filter((name) => name.startsWith('create'))).toEqual(['create Pod/master'])
})

test('no pod goes ahead of its PodGroup', async () => {
  await carry({ actions: [create('Service', 's'), create('PodGroup', 'g'), create('Pod', 'master')] })
  expect(sent).toEqual(['create Service/s', 'create PodGroup/g', 'create Pod/master'])
})

test('at most sixteen requests are under way, and Services are not awaited', async () => {
  let underWay = 0
  let most = 0
  const slow = {
    async send(request: Request): Promise<Answer> {
      most = Math.max(most, ++underWay)
      await Promise.resolve()
      underWay--
      return api.send(request)
    },
  }
  const actions = [create('Service', 's'), ...Array.from({ length: 40 }, (_, i) => create('Pod', `p${i}`))]
  const { uid, resourceVersion } = api.job!.metadata
  const decision = { status: {}, changed: false, urgent: false, actions, reasons: [] }
  await execute(slow, { uid: uid!, resourceVersion: resourceVersion!, replicas: 40 }, decision, memory, START)
  expect(most).toBe(16)
  expect(api.list('Pod')).toHaveLength(40)
})

test('AlreadyExists, ours and alive: done, and known from then on', async () => {
  api.send({ verb: 'create', kind: 'Pod', object: object('Pod', 'a') })
  const outcome = await carry({ actions: [create('Pod', 'a')], reasons: [reason('NewReplica')] })
  expect(outcome).toMatchObject({ again: false, wakeAt: undefined, told: [{ event: 'NewReplica' }] })
  expect(memory.cache.list('Pod')).toHaveLength(1)
  expect(memory.refused.troubles).toEqual([])
})

test('AlreadyExists, ours and Terminating: waited for', async () => {
  api.send({ verb: 'create', kind: 'Pod', object: object('Pod', 'a') })
  api.update('Pod', 'a', (pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: 'soon' } }))
  const outcome = await carry({ actions: [create('Pod', 'a')], reasons: [reason('NewReplica')] })
  expect(outcome).toMatchObject({ again: false, wakeAt: undefined, told: [] })
  expect(memory.cache.list('Pod')[0]!.metadata.deletionTimestamp).toBe('soon')
})

test("AlreadyExists, somebody else's: reported once, tried again, never touched", async () => {
  api.send({ verb: 'create', kind: 'Pod', object: object('Pod', 'a', 'another job') })
  const before = api.pod('a')
  const actions = [create('Pod', 'a'), create('Pod', 'b')]
  const outcome = await carry({ actions })
  expect(outcome.told).toMatchObject([{ event: 'NameTaken', type: 'Warning' }])
  expect(outcome.wakeAt).toBe(START + 1000)
  expect(memory.refused.troubles).toMatchObject([{ reason: 'NameTaken', kind: 'Pod', name: 'a' }])
  expect(memory.cache.list('Pod').map((pod) => pod.metadata.name)).toEqual(['b'])

  sent = []
  await carry({ actions: [create('Pod', 'a')] }, { now: START + 500 })
  expect(sent).toEqual([])
  await carry({ changed: true, urgent: true, actions: [create('Pod', 'a')] }, { now: START + 600 })
  const later = await carry({ actions: [create('Pod', 'a')] }, { now: START + 1000 })
  expect(sent).toEqual(['updateStatus', 'create Pod/a', 'get Pod/a'])
  expect(later).toMatchObject({ told: [], wakeAt: START + 3000 })
  expect(api.pod('a')).toBe(before)

  api.remove('Pod', 'a')
  api.send({ verb: 'create', kind: 'Pod', object: object('Pod', 'a') })
  await carry({ actions: [create('Pod', 'a')] }, { now: START + 3000 })
  expect(memory.refused.troubles).toEqual([])
})

test('an object that vanishes between the two looks is created by the next decision', async () => {
  answers.set('create Pod/a', { done: false, refusal: 'AlreadyExists', message: '' })
  expect(await carry({ actions: [create('Pod', 'a')] })).toMatchObject({ again: true, told: [] })
})

test('a refused Service stops further creations and is reported', async () => {
  answers.set('create Service/s', quota)
  const actions = [create('Service', 's'), ...Array.from({ length: 40 }, (_, i) => create('Pod', `p${i}`))]
  const outcome = await carry({ actions, reasons: [reason('NewReplica'), reason('Running')] })
  // Those already under way could not be called back.
  expect(sent.filter((name) => name.startsWith('create Pod')).length).toBeLessThanOrEqual(16)
  expect(outcome.told.map(({ event }) => event)).toEqual(['Running', 'FailedCreateService'])
  expect(outcome.told[1]!.message).toContain('exceeded quota')
  sent = []
  await carry({ actions }, { now: START + 999 })
  expect(sent).toEqual([])
  answers.clear()
  await carry({ actions }, { now: START + 1000 })
  expect(api.list('Pod')).toHaveLength(40)
})

test('a refused TensorBoard is reported and delays nothing', async () => {
  answers.set('create TensorBoard/t', quota)
  const outcome = await carry({
    actions: [create('TensorBoard', 't'), create('Pod', 'a')],
    reasons: [reason('NewReplica')],
  })
  expect(outcome.told.map(({ event }) => event)).toEqual(['NewReplica', 'FailedCreateTensorBoard'])
  expect(api.pod('a')).toBeDefined()
  const next = await carry({
    actions: [create('TensorBoard', 't'), create('Pod', 'b')],
    reasons: [reason('NewReplica', 'b')],
  })
  expect(next.told.map(({ event }) => event)).toEqual(['NewReplica'])
})

test('a Service that is ours already lets the pods follow in the next pass', async () => {
  api.send({ verb: 'create', kind: 'Service', object: object('Service', 's') })
  const actions = [create('Service', 's'), ...Array.from({ length: 40 }, (_, i) => create('Pod', `p${i}`))]
  expect((await carry({ actions })).again).toBe(true)
})

test('a pod refused for quota is told once and tried again ever later', async () => {
  answers.set('create Pod/a', quota)
  const actions = [create('Pod', 'a')]
  const told: string[] = []
  const delays: number[] = []
  let now = START
  for (let i = 0; i < 8; i++) {
    const outcome = await carry({ actions }, { now })
    told.push(...outcome.told.map(({ event }) => event))
    delays.push((outcome.wakeAt! - now) / 1000)
    now = outcome.wakeAt!
  }
  expect(told).toEqual(['FailedCreatePod'])
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
})

test('what is no longer wanted is no trouble any more', async () => {
  answers.set('create Pod/a', quota)
  await carry({ actions: [create('Pod', 'a')] })
  const outcome = await carry({ actions: [] })
  expect(memory.refused.troubles).toEqual([])
  expect(outcome.wakeAt).toBeUndefined()
})

test('the answers of own writes are in the cache before any watch brings them', async () => {
  await carry({ status: { phase: 'Running' }, changed: true, urgent: true, actions: [create('Pod', 'a')] })
  expect(memory.cache.job).toBe(api.job)
  expect(memory.cache.list('Pod')).toEqual([api.pod('a')])
  const uid = api.pod('a')!.metadata.uid!
  await carry({ actions: [{ verb: 'delete', kind: 'Pod', name: 'a', uid }] })
  expect(memory.cache.list('Pod')).toEqual([])
})

test.each([
  { replicas: 500, pace: 1000 },
  { replicas: 501, pace: 5000 },
])('a status of $replicas replicas that can wait is written once in $pace ms', async ({ replicas, pace }) => {
  const write = (now: number, n: number) => carry({ status: { n }, changed: true }, { now, replicas })
  await write(START, 1)
  const early = await write(START + pace - 1, 2)
  expect(early.wakeAt).toBe(START + pace)
  expect(api.job!.status).toEqual({ n: 1 })
  await write(START + pace, 3)
  expect(api.job!.status).toEqual({ n: 3 })
  expect(sent.filter((name) => name === 'updateStatus')).toHaveLength(2)
})

test('an urgent status does not wait', async () => {
  await carry({ status: { n: 1 }, changed: true, urgent: true })
  await carry({ status: { n: 2 }, changed: true, urgent: true }, { now: START + 1 })
  expect(api.job!.status).toEqual({ n: 2 })
})

test('a reason is told once until the status that holds it is stored, then it is news again', async () => {
  const failed = { status: { n: 1 }, changed: true, reasons: [reason('ReplicaFailed')] }
  await carry({ status: { n: 0 }, changed: true })
  expect((await carry(failed, { now: START + 100 })).told).toHaveLength(1)
  await carry({}, { now: START + 150 })
  expect((await carry(failed, { now: START + 200 })).told).toHaveLength(0)
  expect((await carry(failed, { now: START + 1000 })).told).toHaveLength(0)
  await carry({}, { now: START + 1100 })
  expect((await carry({ ...failed, urgent: true }, { now: START + 5000 })).told).toHaveLength(1)
})

test('a job in a bad way records a burst of events, then one in ten seconds', async () => {
  const reasons = Array.from({ length: 100 }, (_, i) => reason('ReplicaFailed', `worker-${i}`))
  const outcome = await carry({ reasons })
  expect(outcome.told).toHaveLength(100)
  expect(sent).toHaveLength(25)
  expect(memory.said.dropped).toBe(75)
  sent = []
  await carry({ reasons: [reason('A'), reason('B'), reason('C')] }, { now: START + 20_000 })
  expect(sent).toEqual(['event A', 'event B'])
})

test('the job itself is deleted by its uid', async () => {
  expect((await carry({ actions: [{ verb: 'deleteJob', uid: 'another' }] })).again).toBe(true)
  memory.cache.putJob(api.job!)
  api.send({ verb: 'create', kind: 'Pod', object: object('Pod', 'a') })
  await carry({ actions: [{ verb: 'deleteJob', uid: UID }] })
  expect(api.job).toBeUndefined()
  expect(memory.cache.job).toBeUndefined()
  expect(api.list('Pod')).toEqual([])
})
