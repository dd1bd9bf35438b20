// Jobs whose programs do next to nothing, so that what is left is what we add.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyJob, isFinished, resourceOf } from '../../src/cli/home/running-jobs.ts'
import { PODS } from '../../src/kube/index.ts'
import { fromTimestamp } from '../../src/lib/time.ts'
import { runCounted } from './counted.ts'
import { type HomeUnderTest, launcher } from './home-under-test.ts'

export function smallJob(name: string, command: string[], replicas = 1): AnyJob {
  const template = { spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'c', image: 'i', command }] } }
  return {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'GenericJob',
    metadata: { name, namespace: 'default' },
    spec: {
      successRules: [{ worker: ['*'] }],
      failureRules: [],
      replicaSpecs: [{ type: 'worker', replicas, template }],
    },
  } as object as AnyJob
}

/** Milliseconds from the request that creates a job to the start of its process, one job after the other. */
export async function timeStarts(home: HomeUnderTest, count: number): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const begun = Date.now()
    const { metadata } = await home.create(smallJob(`start-${i}`, ['true']))
    const at = { namespace: 'default', name: metadata.name! }
    const resource = resourceOf(smallJob('', []))
    while (!isFinished(await home.client.get(resource, at))) await sleep(20)
    const labelSelector = `trainyard.dev/job-uid=${metadata.uid}`
    const [pod] = (await home.client.list(PODS, { labelSelector })).items
    const started = fromTimestamp(pod?.status?.containerStatuses?.[0]?.state?.terminated?.startedAt)
    if (started === undefined) throw new Error(`start-${i} does not say when its process started`)
    times.push(started - begun)
  }
  await home.deleteAll()
  return times.sort((a, b) => a - b)
}

/** CPU seconds of a whole `trainyard run` of four replicas: of the command, the home and the shells around programs. */
export async function runWhole(home: HomeUnderTest, name: string): Promise<number> {
  const file = join(home.dir, `${name}.json`)
  writeFileSync(file, JSON.stringify(smallJob(name, ['true'], 4)))
  const before = home.cpu(true)
  const { cpu } = await runCounted([process.execPath, launcher, 'run', '-f', file], home.env, home.dir)
  return cpu + home.cpu(true) - before
}

/** … and of one that has to start the home first. */
export async function runWholeAlone(home: HomeUnderTest, name: string): Promise<number> {
  const file = join(home.dir, `${name}.json`)
  writeFileSync(file, JSON.stringify(smallJob(name, ['true'], 4)))
  const { cpu } = await runCounted([process.execPath, launcher, 'run', '-f', file], home.env, home.dir)
  return cpu + home.cpu(true)
}

const SETTLED = 12_000

export interface Memory {
  idle: number
  perRunning: number
  perFinished: number
}

/** The home's resident memory in MiB, with this many jobs of one replica. */
export async function measureMemory(home: HomeUnderTest, count: number): Promise<Memory> {
  // A home gives back what starting took a few seconds later; before that it is not idle.
  await sleep(SETTLED)
  const idle = home.rss()
  const go = join(home.dir, 'go')
  const wait = ['sh', '-c', `until test -e ${go}; do sleep 1; done`]
  for (let i = 0; i < count; i++) await home.create(smallJob(`wait-${i}`, wait))
  const isUp = async () =>
    (await home.client.list(PODS)).items.filter(({ status }) => status?.phase === 'Running').length === count
  while (!(await isUp())) await sleep(100)
  const running = home.rss()
  writeFileSync(go, '')
  await home.untilFinished(count)
  const finished = home.rss()
  await home.deleteAll()
  return { idle, perRunning: (running - idle) / count, perFinished: (finished - idle) / count }
}
