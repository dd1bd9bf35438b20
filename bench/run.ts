// What running a job on this machine costs: from the request to the process, the whole command, many jobs at once, and
// beside other launchers.
import { elapsed } from '../scripts/elapsed.ts'
import type { BenchOptions, BenchResult } from './result.ts'
import { HomeUnderTest } from './run/home-under-test.ts'
import { runTrainings } from './run/many-trainings.ts'
import { measureMemory, runWhole, runWholeAlone, timeStarts } from './run/small-jobs.ts'

export async function run({ smoke }: BenchOptions): Promise<BenchResult> {
  const start = performance.now()
  const say = (line: string): void => console.log(`${elapsed(start).padStart(8)}  ${line}`)
  const home = await HomeUnderTest.make()
  try {
    const alone = await runWholeAlone(home, 'whole-alone')
    say(`trainyard run of 4 replicas, no home running: ${alone.toFixed(2)} s CPU with the home's start`)
    await home.start()
    await home.deleteAll()
    const memory = await measureMemory(home, smoke ? 2 : 50)
    say(
      `home: ${mib(memory.idle)} idle, ${mib(memory.perRunning)} per running job, ${mib(memory.perFinished)} per finished`,
    )
    const starts = await timeStarts(home, smoke ? 3 : 100)
    const [p50, p99] = [quantile(starts, 0.5), quantile(starts, 0.99)]
    say(`submit → process started, ${starts.length} jobs one by one: p50 ${p50} ms, p99 ${p99} ms`)
    const wholes: number[] = []
    for (let i = 0; i < (smoke ? 1 : 7); i++) wholes.push(await runWhole(home, `whole-${i}`))
    const whole = quantile(
      wholes.sort((a, b) => a - b),
      0.5,
    )
    say(`trainyard run of 4 replicas, home running: ${whole.toFixed(2)} s CPU`)
    await home.deleteAll()
    const trainings = await runTrainings(home, smoke ? 2 : 50)
    const { jobs, seconds, restarts, homeCpu, homeRss } = trainings
    say(`${jobs} trainings of 2 processes at once: all succeeded after ${seconds.toFixed(1)} s, ${restarts} restarts`)
    say(`  the home: ${(homeCpu / jobs).toFixed(2)} s CPU per job, ${mib(homeRss)}`)
    // Peers are several gigabytes; a smoke does without them.
    const race = smoke ? undefined : await (await import('./run/peers.ts')).raceLaunchers(home, 3)
    for (const [name, { seconds: took, cpu }] of Object.entries(race ?? {})) {
      const ratio = (cpu / race!.torchrun.cpu).toFixed(2)
      say(
        `2 processes with ${name.padEnd(9)}: ${took.toFixed(1)} s, ${cpu.toFixed(2)} s CPU, ${ratio} of torchrun alone`,
      )
    }
    return {
      figures: { starts: { p50, p99, all: starts }, wholes, alone, memory, trainings, race },
      aims: [
        { name: 'submit → process started, p50', value: p50, atMost: 100, unit: 'ms' },
        { name: 'trainyard run of 4 replicas, home running, CPU', value: whole, atMost: 1.5, unit: 's' },
        { name: 'the same with no home running, its start included', value: alone, atMost: 1.5, unit: 's' },
      ],
    }
  } finally {
    await home.remove()
  }
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}

const mib = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} MiB`
