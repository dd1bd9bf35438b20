import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Of repeated measurements the one at a quarter from below: what disturbs only ever adds. */
export function lowerQuartile(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN
}

/** CPU milliseconds of this thread so far: what others do to the machine meanwhile does not count. */
export function cpuNow(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

// The kernel counts a thread's CPU in steps of a few milliseconds, so calls are measured by the batch.
const BATCH_MS = 50

/** CPU milliseconds one call takes, from as many batches of calls as fit into `budgetMs`, at least three. */
export function timeOf(work: () => unknown, budgetMs: number): number {
  let warmUp = 0
  const start = performance.now()
  for (; performance.now() < start + budgetMs / 4 || warmUp < 2; warmUp++) work()
  const calls = Math.max(1, Math.ceil((BATCH_MS * warmUp) / (performance.now() - start)))
  collectGarbage()
  const times: number[] = []
  for (const end = performance.now() + budgetMs; performance.now() < end || times.length < 3; ) {
    const begun = cpuNow()
    for (let call = 0; call < calls; call++) work()
    times.push((cpuNow() - begun) / calls)
  }
  return lowerQuartile(times)
}

/** Bytes of heap that what `work` returns keeps alive: the mean of several, since one of them is below the noise. */
export function heapOf(work: () => unknown, copies: number): number {
  work()
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const kept = Array.from({ length: copies }, work)
  collectGarbage()
  return (process.memoryUsage().heapUsed - before) / kept.length
}
