// Gangs of ours placed by scheduler-plugins' own scheduler, on a node of 256 CPU that kwok plays.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { createPlayedNodes, OUTCOME } from '../../scripts/real/kwok.ts'
import { phaseOfJob } from '../../src/api/job-phase.ts'
import type { TrainingJob } from '../../src/api/types.ts'
import { EVENTS, KubeClient, type KubeObject, loadConnection, NAMESPACES, NODES, PODS } from '../../src/kube/index.ts'
import { JOBS } from '../../src/operator/resources.ts'
import { closingLine } from '../closing-line.ts'
import { installCrds } from '../operator/operator-at-work.ts'
import { OperatorProcess } from '../operator/operator-process.ts'
import { realCluster } from '../real-cluster.ts'
import { GROUPS, SCHEDULER_NAME, startCoscheduling } from './scheduler.ts'

const LONG = 600_000
/** The scheduler looks again at what did not fit after half a minute at the latest; a machine may be busy. */
const PATIENCE = { timeout: 400_000, interval: 250 }
const RESOURCE = JOBS.PyTorchTrainingJob
const namespace = `gangs-${randomBytes(3).toString('hex')}`
/** Which of the two stands there is chance: coscheduling tells the cause to one pod, and may take it back. */
const WHY = /nodes fit: 1 (too little cpu|without room for the rest of its gang)$/
const seen: string[] = []

let client: KubeClient
let operator: OperatorProcess | undefined
let stopScheduler: (() => Promise<void>) | undefined

beforeAll(async () => {
  const { kubeconfig } = realCluster()
  client = new KubeClient(await loadConnection({ kubeconfig }))
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await installCrds(client)
  stopScheduler = await startCoscheduling(client)
  const flags = ['--gang-scheduler', 'coscheduling', '--leader-elect=false', '--metrics-address', 'off']
  operator = new OperatorProcess(['--kubeconfig', kubeconfig, ...flags])
  await operator.says('at work')
}, LONG)
afterAll(async () => {
  await operator?.end()
  await stopScheduler?.()
  await client.close()
  closingLine(`coscheduling: ${seen.join('; ')}`)
}, LONG)

/** A master and workers, each in need of so many CPUs; they run for a second. */
async function create(name: string, workers: number, cpu: string, gang = true, annotations = {}): Promise<void> {
  const requests = { cpu }
  const spec = {
    containers: [{ name: 'pytorch', image: 'played', resources: { requests, limits: requests } }],
    ...(!gang && { schedulerName: SCHEDULER_NAME }),
  }
  const role = (type: string, replicas: number) => ({ type, replicas, template: { metadata: { annotations }, spec } })
  const job = {
    apiVersion: `${RESOURCE.group}/${RESOURCE.version}`,
    kind: RESOURCE.kind,
    metadata: { namespace, name },
    spec: {
      ...(gang && { scheduler: { t9kScheduler: { queue: 'default' } } }),
      replicaSpecs: [role('master', 1), ...(workers > 0 ? [role('worker', workers)] : [])],
    },
  }
  await client.create(RESOURCE, job as unknown as TrainingJob, { fieldValidation: 'Strict' })
}

const get = (name: string): Promise<TrainingJob> => client.get(RESOURCE, { namespace, name })

async function podsOf(name: string): Promise<Array<Pod & KubeObject>> {
  const labelSelector = `trainyard.dev/job-uid=${(await get(name)).metadata.uid}`
  return (await client.list(PODS, { namespace, labelSelector })).items
}

async function placed(name: string): Promise<number> {
  return (await podsOf(name)).filter(({ spec }) => spec?.nodeName).length
}

async function ends(name: string): Promise<void> {
  await expect.poll(async () => phaseOfJob(await get(name)), { ...PATIENCE, message: name }).toBe('Succeeded')
}

function conditionOf(job: TrainingJob, type: string) {
  return job.status?.conditions?.find((condition) => condition.type === type)
}

/** Status and an event say that it waits, and for what. */
async function isHeldUp(name: string): Promise<void> {
  const held = async () => conditionOf(await get(name), 'HeldUp')
  await expect.poll(held, { ...PATIENCE, message: name }).toMatchObject({
    status: 'True',
    reason: 'Unschedulable',
    message: expect.stringMatching(WHY),
  })
  const events = async () => (await client.list(EVENTS, { namespace })).items
  const told = { reason: 'Unschedulable', involvedObject: expect.objectContaining({ name, kind: RESOURCE.kind }) }
  await expect.poll(events, PATIENCE).toContainEqual(expect.objectContaining(told))
}

test(
  'pods that are no gang are placed in part',
  async () => {
    await create('loose', 2, '100', false, { [OUTCOME]: 'run' })
    await expect.poll(() => placed('loose'), PATIENCE).toBe(2)
    await client.delete(RESOURCE, { namespace, name: 'loose' }, { propagationPolicy: 'Foreground' })
    await expect.poll(async () => (await client.list(PODS, { namespace })).items, PATIENCE).toEqual([])
  },
  LONG,
)

test(
  'of two gangs of which only one fits, one waits whole for the other',
  async () => {
    await Promise.all([create('first', 1, '100'), create('second', 1, '100')])
    await Promise.all([ends('first'), ends('second')])
    seen.push('two gangs for one place, both ended')
  },
  LONG,
)

test(
  'a gang that does not fit has no pod placed and says why; when a node comes it runs whole',
  async () => {
    await create('large', 2, '100')
    await isHeldUp('large')
    expect(await placed('large')).toBe(0)
    // Others go by: what is free is not held by those who wait.
    await create('small', 1, '100')
    await ends('small')
    const waiting = await podsOf('large')
    expect(waiting.map(({ spec }) => spec?.nodeName)).toEqual([undefined, undefined, undefined])
    expect((await client.get(GROUPS, { namespace, name: 'large' })) as object).toMatchObject({ spec: { minMember: 3 } })
    seen.push('3 pods for 256 CPU in need of 300, none placed, told why')

    const { kubectl, kubeconfig } = realCluster()
    await createPlayedNodes(kubectl, kubeconfig, 2)
    await ends('large')
    const ran = await podsOf('large')
    expect(ran.map(({ metadata }) => metadata.uid).sort()).toEqual(waiting.map(({ metadata }) => metadata.uid).sort())
    expect(new Set(ran.map(({ spec }) => spec?.nodeName))).toEqual(new Set(['kwok-0', 'kwok-1']))
    expect(conditionOf(await get('large'), 'HeldUp')).toMatchObject({ status: 'False' })
    expect((await client.list(NODES)).items).toHaveLength(2)
    seen.push('with a second node all of them ran')
  },
  LONG,
)
