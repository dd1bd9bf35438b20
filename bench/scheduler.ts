// The scheduler: how good its decisions are, what one of them costs, and how many workloads it admits in a second.
// TRAINYARD_WORKLOADS=50 admits fewer than 500 of each queue: an eye on it, where 15 000 take too long.
import type { BenchOptions, BenchResult } from './result.ts'
import { type Admission, measureAdmission } from './scheduler/admission.ts'
import { compare, printComparison } from './scheduler/compare.ts'
import { type Cycle, measureCycle } from './scheduler/cycle.ts'

export async function run({ smoke }: BenchOptions): Promise<BenchResult> {
  // The largest gang needs half of sixteen nodes, and all of eight.
  const comparisons = (smoke ? [16] : [16, 8]).map((nodes) => compare(smoke ? 3 : 200, nodes))
  for (const comparison of comparisons) printComparison(comparison)

  const sizes = smoke ? [100, 200] : [1_000, 2_500, 5_000, 10_000]
  const budget = smoke ? 20 : 1_000
  const cycles: Cycle[] = []
  const measure = (pods: number, gang: number, room: Cycle['room']): Cycle => {
    const cycle = measureCycle(pods, gang, room, budget)
    cycles.push(cycle)
    const { ms, microsecondsPerPod, heapMiB } = cycle
    const what = `${String(pods).padStart(6)} pods in gangs of ${String(gang).padStart(5)}, ${room}`
    console.log(
      `${what}: ${ms.toFixed(1).padStart(7)} ms  ${microsecondsPerPod.toFixed(2)} µs per pod  ${heapMiB.toFixed(1)} MiB`,
    )
    return cycle
  }
  const growth = (room: Cycle['room']): number => {
    const all = sizes.map((pods) => measure(pods, 4, room))
    return all.at(-1)!.microsecondsPerPod / all[0]!.microsecondsPerPod
  }
  const [free, full] = [growth('free'), growth('full')]
  const most = sizes.at(-1)!
  // As Volcano's testers cut the same number of pods.
  for (const gang of [1, 20, 500, most]) if (gang <= most) measure(most, gang, 'free')
  const slowest = Math.max(...cycles.filter(({ pods }) => pods === most).map(({ ms }) => ms))

  const perQueue = Number(process.env.TRAINYARD_WORKLOADS ?? 500)
  console.log('admission through the embedded API')
  const admission = smoke ? await measureAdmission(3, 0.02) : await measureAdmission(30, perQueue / 500)
  printAdmission(admission)
  const cpuEach = admission.cpuSeconds / admission.workloads
  return {
    figures: { comparisons, cycles, admission, peakRssMiB: process.resourceUsage().maxRSS / 1024 },
    aims: [
      ...comparisons.flatMap(({ nodes, makespanRatio, highWaitRatio }) => [
        { name: `makespan against backfill, ${nodes} nodes, mean`, value: makespanRatio, atMost: 1.05, unit: 'x' },
        {
          name: `wait of the high queue against backfill, ${nodes} nodes`,
          value: highWaitRatio,
          atMost: 0.5,
          unit: 'x',
        },
      ]),
      { name: 'look with room, per pod at 10000 against 1000', value: free, atMost: 1.5, unit: 'x' },
      { name: 'look without room, per pod at 10000 against 1000', value: full, atMost: 1.5, unit: 'x' },
      { name: 'look at 10000 pods on 1000 nodes, the slowest cut, CPU', value: slowest, atMost: 500, unit: 'ms' },
      {
        name: 'admission, CPU against the empty loop',
        value: admission.cpuSeconds / admission.emptyLoop.cpuSeconds,
        atMost: 2.5,
        unit: 'x',
      },
      {
        name: 'admission, CPU per workload (43/s, as Kueue on its CI: 23)',
        value: cpuEach * 1000,
        atMost: 23,
        unit: 'ms',
      },
    ],
  }
}

function printAdmission({
  workloads,
  seconds,
  cpuSeconds,
  perSecond,
  floorSeconds,
  emptyLoop,
  writes,
  rssMiB,
}: Admission): void {
  console.log(
    `${workloads} workloads in ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s CPU), ${perSecond.toFixed(1)}/s; their own work takes ${floorSeconds.toFixed(0)} s`,
  )
  console.log(`  ${writes.driver} writes of the users, ${writes.scheduler} of the scheduler; ${rssMiB.toFixed(0)} MiB`)
  console.log(
    `  ${emptyLoop.writes} writes without any decision: ${emptyLoop.seconds.toFixed(1)} s (${emptyLoop.cpuSeconds.toFixed(1)} s CPU), ${emptyLoop.perSecond.toFixed(1)}/s`,
  )
}
