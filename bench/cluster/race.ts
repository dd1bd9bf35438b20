// One contender on a cluster of its own: idle, then jobs at a steady pace, then many at once.
import { setTimeout as delay } from 'node:timers/promises'
import { lastLines, type ProcessRecord, stopProcess } from '../../scripts/real/processes.ts'
import { type Arena, openArena } from './arena.ts'
import { countRequests, type Requests, sizeOf, sumOf } from './audit.ts'
import type { Contender } from './contender.ts'
import { type JobTimes, type Load, Stopwatch } from './stopwatch.ts'
import { cpuOfOthers, cpuSeconds, memoryOf } from './usage.ts'

export interface Course {
  nodes: number
  idleMs: number
  loads: Record<string, Load>
  /** Within which a load must be done with. */
  timeoutMs: number
}

export interface Quantiles {
  p50: number
  p99: number
}

export interface KindFigures {
  jobs: number
  createdToFirstPod: Quantiles
  createdToAllPods: Quantiles
  masterDoneToSucceeded: Quantiles
  /** With its share of those about no job in particular. */
  requestsPerJob: number
  requests: Record<string, number>
}

export interface LoadFigures extends Omit<KindFigures, 'requests'> {
  seconds: number
  jobsPerSecond: number
  requests: Requests
  kinds: Record<string, KindFigures>
  cpuSeconds: number
  /** Of the control plane's parts, the played nodes and the stopwatch. */
  cpuOfOthers: Record<string, number>
  peakMib: number
}

export interface RaceFigures {
  idleMib: number
  idleCpuSeconds: number
  loads: Record<string, LoadFigures>
}

export async function race(contender: Contender, course: Course, say: (line: string) => void): Promise<RaceFigures> {
  const arena = await openArena(course.nodes)
  let contestant: ProcessRecord | undefined
  const stopwatch: Stopwatch[] = []
  try {
    await contender.install(arena)
    contestant = await contender.start(arena)
    const watch = new Stopwatch(arena.client, contender.workloads)
    stopwatch.push(watch)
    await watch.ready()
    const before = cpuSeconds([contestant.pid])
    await delay(course.idleMs)
    const idleCpuSeconds = cpuSeconds([contestant.pid]) - before
    const figures: RaceFigures = { idleMib: memoryOf(contestant).now, idleCpuSeconds, loads: {} }
    for (const [name, load] of Object.entries(course.loads)) {
      figures.loads[name] = await measure(
        { arena, process: contestant, watch, contender },
        name,
        load,
        course.timeoutMs,
      )
      say(`${contender.name}, ${name}: ${sumUp(figures.loads[name])}`)
    }
    return figures
  } catch (error) {
    const log = contestant ? `; its last lines:\n${lastLines(contestant, 20)}` : ''
    throw new Error(`${contender.name}: ${(error as Error).message}${log}`)
  } finally {
    for (const watch of stopwatch) await watch.stop()
    if (contestant) await stopProcess(contestant, 10_000)
    contender.cleanUp?.()
    await arena.close()
  }
}

/** So that a race that is cut short has not been for nothing. */
function sumUp(figures: LoadFigures): string {
  const { jobs, seconds, createdToFirstPod, masterDoneToSucceeded, requestsPerJob, cpuSeconds, peakMib } = figures
  const times = `first pod ${createdToFirstPod.p50.toFixed(0)} ms, end ${masterDoneToSucceeded.p50.toFixed(0)} ms`
  const cost = `${requestsPerJob.toFixed(2)} requests per job, ${cpuSeconds.toFixed(1)} s CPU, ${peakMib.toFixed(0)} MiB`
  return `${jobs} jobs in ${seconds.toFixed(1)} s, ${times}, ${cost}`
}

export interface Under {
  arena: Arena
  process: ProcessRecord
  watch: Stopwatch
  contender: Contender
}

export async function measure(under: Under, name: string, load: Load, timeoutMs: number): Promise<LoadFigures> {
  const { arena, process, watch, contender } = under
  const log = arena.plane.auditLog
  const prefixes = contender.workloads.map(({ prefix }) => `${prefix}-${name}`)
  const [from, cpu, others] = [sizeOf(log), cpuSeconds([process.pid]), cpuOfOthers(arena)]
  const { times, seconds } = await watch.run(name, load, timeoutMs)
  const requests = await whenQuiet(under, () => countRequests(log, from, prefixes))
  const unnamed = requests.total - prefixes.reduce((sum, prefix) => sum + sumOf(requests.byPrefix[prefix]), 0)
  const kinds = contender.workloads.map((workload, index): [string, KindFigures] => {
    const own = times.filter((job) => job.workload === workload)
    const byWhat = requests.byPrefix[prefixes[index]!] ?? {}
    const perJob = sumOf(byWhat) / own.length + unnamed / times.length
    return [workload.resource.kind, { ...timesOf(own), requestsPerJob: perJob, requests: byWhat }]
  })
  return {
    ...timesOf(times),
    seconds,
    jobsPerSecond: times.length / seconds,
    requestsPerJob: requests.total / times.length,
    requests,
    kinds: Object.fromEntries(kinds),
    cpuSeconds: cpuSeconds([process.pid]) - cpu,
    cpuOfOthers: difference(cpuOfOthers(arena), others),
    peakMib: memoryOf(process).peak,
  }
}

function difference(after: Record<string, number>, before: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]))
}

/** Until the contender asks for nothing more. */
export async function untilQuiet(under: Under): Promise<void> {
  const { auditLog } = under.arena.plane
  const from = sizeOf(auditLog)
  await whenQuiet(under, () => countRequests(auditLog, from, []))
}

/** What is written after the last job is over counts too: until nothing more is asked for. */
async function whenQuiet({ arena, contender }: Under, count: () => Promise<Requests>): Promise<Requests> {
  for (let before = await count(); ; ) {
    await delay(2_000)
    const isDone = (await contender.isDone?.(arena)) ?? true
    const now = await count()
    if (isDone && now.total === before.total) return now
    before = now
  }
}

function timesOf(jobs: readonly JobTimes[]): Omit<KindFigures, 'requests' | 'requestsPerJob'> {
  const between = (from: 'created' | 'masterDone', to: 'firstPod' | 'allPods' | 'end'): Quantiles =>
    quantilesOf(jobs.map((job) => (job[to] ?? Number.NaN) - (job[from] ?? Number.NaN)))
  return {
    jobs: jobs.length,
    createdToFirstPod: between('created', 'firstPod'),
    createdToAllPods: between('created', 'allPods'),
    masterDoneToSucceeded: between('masterDone', 'end'),
  }
}

function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const at = (part: number): number => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}
