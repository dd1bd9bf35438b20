// Kueue's own load through the embedded API: 30 queues of 500 workloads, small, medium and large, each running for a
// moment. Next to it a loop that makes the same writes and decides nothing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { buildCrd } from '../../src/api/build-crd.ts'
import { kinds } from '../../src/api/kinds.ts'
import {
  CRDS,
  fixedToken,
  Informer,
  KubeClient,
  type KubeObject,
  NODES,
  PODS,
  type Request,
} from '../../src/kube/index.ts'
import { POD_GROUPS, QUEUES } from '../../src/scheduler/facts/resources.ts'
import { startScheduler } from '../../src/scheduler/scheduler.ts'
import { startServer } from '../../src/server/server.ts'

/** As in Kueue's generator: how many of each per queue, what they ask for, how long they run. */
const CLASSES = [
  { name: 'large', count: 50, cpu: 20, ms: 1_000, priority: 100 },
  { name: 'medium', count: 100, cpu: 5, ms: 500, priority: 50 },
  { name: 'small', count: 350, cpu: 1, ms: 200, priority: 0 },
] as const
const QUOTA = 20
const SIDE_BY_SIDE = 32

export interface Admission {
  workloads: number
  seconds: number
  perSecond: number
  /** Of this process, which is server, scheduler and users in one: what else the machine does is not in it. */
  cpuSeconds: number
  /** Seconds the work itself takes if every quota is always used to the full. */
  floorSeconds: number
  meanSecondsToAdmission: Record<string, number>
  writes: { scheduler: number; driver: number }
  emptyLoop: { seconds: number; cpuSeconds: number; perSecond: number; writes: number }
  rssMiB: number
}

export async function measureAdmission(queues: number, part: number): Promise<Admission> {
  const scene = await openScene(queues)
  try {
    const wishes = buildWishes(queues, part)
    const busy = await admitAll(scene, wishes)
    const writes = busy.writes.scheduler + busy.writes.driver
    const emptyLoop = await writeOnly(scene, wishes, writes / wishes.length)
    const rssMiB = process.memoryUsage().rss / 2 ** 20
    const work = CLASSES.reduce((sum, { count, cpu, ms }) => sum + (Math.ceil(count * part) * cpu * ms) / 1000, 0)
    return { workloads: wishes.length, ...busy, floorSeconds: work / QUOTA, emptyLoop, rssMiB }
  } finally {
    await scene.close()
  }
}

/** All threads of this process. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

class CountingClient extends KubeClient {
  writes = 0
  override raw(request: Request): Promise<unknown> {
    if (request.method !== 'GET') this.writes++
    return super.raw(request)
  }
}

interface Scene {
  driver: CountingClient
  scheduling: CountingClient
  close(): Promise<void>
}

async function openScene(queues: number): Promise<Scene> {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
  const server = await startServer({ dir: join(dir, 'server'), log: () => {} })
  const connection = {
    server: server.url,
    namespace: 'default',
    tls: { ca: server.ca },
    token: fixedToken(server.token),
  }
  const [driver, scheduling] = [new CountingClient(connection), new CountingClient(connection)]
  for (const kind of kinds.filter(({ job }) => !job)) await driver.create(CRDS, buildCrd(kind))
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }
  await driver.create(NODES, node)
  const capacity = { cpu: '100k', memory: '1Ti', pods: '1M' }
  const status = { capacity, allocatable: capacity, conditions: [{ type: 'Ready', status: 'True' }] }
  await driver.patch(NODES, { name: 'n' }, { type: 'merge', body: { status } }, { subresource: 'status' })
  for (let i = 0; i < queues; i++) {
    const metadata = { name: `q${i}`, namespace: 'default' }
    const spec = { quota: { requests: { cpu: QUOTA } } }
    await driver.create(QUEUES, { apiVersion: 'scheduler.tensorstack.dev/v1beta1', kind: 'Queue', metadata, spec })
  }
  const close = async (): Promise<void> => {
    await Promise.all([driver.close(), scheduling.close()])
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  return { driver, scheduling, close }
}

interface Wish {
  name: string
  class: (typeof CLASSES)[number]
  queue: string
}

function buildWishes(queues: number, part: number): Wish[] {
  const perQueue = CLASSES.flatMap((each) =>
    Array.from({ length: Math.ceil(each.count * part) }, (_, i) => ({ each, i })),
  )
  return perQueue.flatMap(({ each, i }) =>
    Array.from({ length: queues }, (_, q) => ({ name: `${each.name}-${q}-${i}`, class: each, queue: `q${q}` })),
  )
}

async function admitAll({ driver, scheduling }: Scene, wishes: readonly Wish[]) {
  const byName = new Map(wishes.map((wish) => [wish.name, wish]))
  const created = new Map<string, number>()
  const waited = new Map<string, number[]>()
  const stopping = new AbortController()
  let [admitted, left] = [0, wishes.length]
  let done!: () => void
  const allDone = new Promise<void>((resolve) => {
    done = resolve
  })
  const runs = new Set<string>()
  const onChange = ({ object }: { object: Pod & KubeObject }): void => {
    const wish = byName.get(object.metadata.name ?? '')
    if (!wish || !object.spec?.nodeName || runs.has(wish.name)) return
    runs.add(wish.name)
    admitted++
    const seconds = (performance.now() - (created.get(wish.name) ?? performance.now())) / 1000
    waited.set(wish.class.name, [...(waited.get(wish.class.name) ?? []), seconds])
    setTimeout(() => void finish(driver, wish.name).then(() => --left === 0 && done()), wish.class.ms)
  }
  const trim = ({ apiVersion, kind, metadata, spec }: Pod & KubeObject) => {
    const { name, namespace, uid, resourceVersion } = metadata
    return {
      apiVersion,
      kind,
      metadata: { name, namespace, uid, resourceVersion },
      spec: { nodeName: spec?.nodeName, containers: [] },
    }
  }
  const pods = new Informer({ client: driver, resource: PODS, trim, onChange, onError: () => {} })
  const watching = pods.run(stopping.signal)
  await pods.synced
  const scheduler = startScheduler({ client: scheduling })
  await scheduler.ready
  const before = { driver: driver.writes, scheduler: scheduling.writes }
  const start = performance.now()
  const cpuStart = cpuNow()
  const progress = setInterval(() => {
    const seconds = ((performance.now() - start) / 1000).toFixed(0)
    console.log(`  ${seconds} s: ${created.size} created, ${admitted} admitted, ${wishes.length - left} done`)
  }, 10_000)
  await inTurns(wishes, async (wish) => {
    created.set(wish.name, performance.now())
    await submit(driver, wish)
  })
  await allDone
  clearInterval(progress)
  const seconds = (performance.now() - start) / 1000
  const cpuSeconds = cpuNow() - cpuStart
  const writes = { scheduler: scheduling.writes - before.scheduler, driver: driver.writes - before.driver }
  await scheduler.stop()
  stopping.abort()
  await watching
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length)
  const meanSecondsToAdmission = Object.fromEntries([...waited].map(([name, all]) => [name, mean(all)]))
  return { seconds, cpuSeconds, perSecond: wishes.length / seconds, meanSecondsToAdmission, writes }
}

async function submit(client: KubeClient, { name, queue, class: { cpu, priority } }: Wish): Promise<void> {
  const group = { apiVersion: 'scheduler.tensorstack.dev/v1beta1', kind: 'PodGroup' }
  const metadata = { name, namespace: 'default' }
  await client.create(POD_GROUPS, { ...group, metadata, spec: { minMember: 1, queue, priority } })
  const labels = { 'scheduler.tensorstack.dev/group-name': name, 'scheduler.tensorstack.dev/queue': queue }
  const container = { name: 'c', image: 'i', resources: { requests: { cpu: String(cpu) } } }
  const spec = { schedulerName: 't9k-scheduler', restartPolicy: 'Never', containers: [container] }
  await client.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, labels }, spec })
}

async function finish(client: KubeClient, name: string): Promise<void> {
  const body = { status: { phase: 'Succeeded' } }
  await client.patch(PODS, { namespace: 'default', name }, { type: 'merge', body }, { subresource: 'status' })
}

/** The same number of writes of the same kinds, one after the other for each workload. */
async function writeOnly({ driver }: Scene, wishes: readonly Wish[], writesEach: number) {
  const before = driver.writes
  const start = performance.now()
  const cpuStart = cpuNow()
  let [owed, done] = [0, 0]
  const progress = setInterval(() => {
    console.log(`  ${((performance.now() - start) / 1000).toFixed(0)} s: ${done} written without any decision`)
  }, 10_000)
  await inTurns(wishes, async (wish) => {
    const own = { ...wish, name: `e-${wish.name}` }
    await submit(driver, own)
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: own.name }, target: { name: 'n' } }
    await driver.raw({ method: 'POST', path: `/api/v1/namespaces/default/pods/${own.name}/binding`, body: binding })
    await finish(driver, own.name)
    owed += writesEach - 4
    for (; owed >= 1; owed--) {
      const body = { status: { pending: Math.round(owed * 1000), running: 1 } }
      await driver.patch(
        POD_GROUPS,
        { namespace: 'default', name: own.name },
        { type: 'merge', body },
        { subresource: 'status' },
      )
    }
    done++
  })
  clearInterval(progress)
  const seconds = (performance.now() - start) / 1000
  const cpuSeconds = cpuNow() - cpuStart
  return { seconds, cpuSeconds, perSecond: wishes.length / seconds, writes: driver.writes - before }
}

async function inTurns<T>(items: readonly T[], handle: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) await handle(items[next++]!)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
}
