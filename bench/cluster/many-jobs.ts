// npm run soak -- cluster: thousands of jobs at once, and whether those that are over make new ones wait.
import { stopProcess } from '../../scripts/real/processes.ts'
import { apiVersionOf, type KubeObject } from '../../src/kube/index.ts'
import { type Arena, NAMESPACE, openArena } from './arena.ts'
import { prepareOurs } from './ours.ts'
import { type LoadFigures, measure, type Under, untilQuiet } from './race.ts'
import { Stopwatch } from './stopwatch.ts'
import { mostAsked } from './table.ts'
import { memoryOf } from './usage.ts'
import { PYTORCH } from './workload.ts'

export interface ManyJobs {
  atOnce: number
  finished: number
}

/** A played node takes a thousand pods. */
const NODES = 40
const PACED = { jobs: 40, perSecond: 2 }
const AT_A_TIME = 32
const HOURS = 4 * 3_600_000
/** More than this and jobs that are over are not free. */
const FLAT = 1.5

/** Resolves with the exit code. */
export async function soakManyJobs(counts: ManyJobs, say: (line: string) => void): Promise<number> {
  const contender = await prepareOurs()
  const arena = await openArena(NODES)
  try {
    await contender.install(arena)
    let process = await contender.start(arena)
    const watch = new Stopwatch(arena.client, contender.workloads)
    await watch.ready()
    const under = (): Under => ({ arena, process, watch, contender })
    const tell = (what: string, figures: LoadFigures): void => {
      const { createdToFirstPod: first, seconds, requestsPerJob, cpuSeconds, peakMib } = figures
      const times = `created → first pod p50 ${first.p50.toFixed(0)} ms, p99 ${first.p99.toFixed(0)} ms`
      const cost = `${requestsPerJob.toFixed(1)} requests and ${((cpuSeconds * 1000) / figures.jobs).toFixed(0)} ms CPU per job`
      say(
        `${what}: ${figures.jobs} jobs in ${seconds.toFixed(0)} s, ${times}, ${cost}, ${peakMib.toFixed(0)} MiB at most`,
      )
      const cpu = Object.entries(figures.cpuOfOthers).map(([name, value]) => `${name} ${value.toFixed(1)}`)
      say(`  asks per job: ${mostAsked(figures)}; CPU of the others, s: ${cpu.join(', ')}`)
    }
    const alone = await measure(under(), 'alone', PACED, HOURS)
    tell('nothing else there', alone)
    const burst = await measure(under(), 'burst', { jobs: counts.atOnce }, HOURS)
    tell('all at once', burst)
    const missing = counts.finished - counts.atOnce - PACED.jobs
    await addFinished(arena, missing, say)
    // The operator looks at each of them once; what comes after that is theirs.
    await untilQuiet(under())
    const among = await measure(under(), 'among', PACED, HOURS)
    tell(`${counts.finished} finished jobs there`, among)
    await stopProcess(process, 10_000)
    const started = performance.now()
    process = await contender.start(arena)
    const startedIn = (performance.now() - started) / 1000
    const after = await measure(under(), 'after', PACED, HOURS)
    tell(`the operator started anew among them in ${startedIn.toFixed(1)} s`, after)
    const memory = memoryOf(process).now
    await watch.stop()
    await stopProcess(process, 10_000)
    const ratio = among.createdToFirstPod.p50 / alone.createdToFirstPod.p50
    const isFlat = ratio <= FLAT
    console.log(
      `soak cluster: ${counts.atOnce} jobs at once, 0 lost, ${burst.jobsPerSecond.toFixed(1)} jobs/s; with ${counts.finished} ` +
        `finished jobs there the first pod comes after ${ratio.toFixed(2)}x the time (${isFlat ? 'flat' : `not flat: more than ${FLAT}`}), ` +
        `the operator takes ${memory.toFixed(0)} MiB`,
    )
    return isFlat ? 0 : 1
  } finally {
    await arena.close()
  }
}

/** Jobs that are over, without the trouble of running them. */
async function addFinished({ client }: Arena, count: number, say: (line: string) => void): Promise<void> {
  const { resource, spec } = PYTORCH
  let next = 0
  const add = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) {
      const metadata = { namespace: NAMESPACE, name: `finished-${i}` }
      // Paused, so that nobody begins it before it is over.
      const paused = { ...spec, runMode: { pause: { enabled: true } } }
      const made = await client.create(resource, {
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
        metadata,
        spec: paused,
      } as KubeObject)
      await finish(made)
      if ((i + 1) % 1000 === 0) say(`${i + 1} of ${count} finished jobs added`)
    }
  }
  const finish = async ({ metadata: { name = '' } }: KubeObject): Promise<void> => {
    const now = new Date().toISOString().replace(/\.\d+/, '')
    const status = { phase: 'Succeeded', completionTime: now, startTime: now, observedGeneration: 1 }
    const at = { namespace: NAMESPACE, name }
    await client.patch(resource, at, { type: 'merge', body: { status } }, { subresource: 'status' })
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, add))
}
