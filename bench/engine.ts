// How the engine's cost grows with a job, and what the commands around it cost.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '../scripts/run-program.ts'
import { decide } from '../src/core/decide.ts'
import type { Decision, Observed } from '../src/core/decision.ts'
import { read } from '../src/core/read.ts'
import { rehearse } from '../src/rehearse/rehearse.ts'
import { coldStart, unpackBuilt } from './cold-start.ts'
import { cpuNow, heapOf, timeOf } from './measure.ts'
import { buildJob, CREATED, carryOut, failLast, NOTHING } from './pytorch-job.ts'
import type { BenchOptions, BenchResult } from './result.ts'

const SIZES = [1, 10, 100, 1_000, 4_000]

interface Cost {
  ms: number
  decisionsPerSecond: number
  microsecondsPerReplica: number
  heapMiB: number
}

export async function run({ smoke }: BenchOptions): Promise<BenchResult> {
  const start = cpuNow()
  const rehearsal = rehearse(buildJob(1_000), {})
  const rehearsalMs = cpuNow() - start
  if (rehearsal.phase !== 'Succeeded') throw new Error(`the rehearsal ended ${rehearsal.phase}`)

  const sizes = smoke ? SIZES.slice(0, 3) : SIZES
  const costs = new Map(sizes.map((size) => [size, measureSize(size, smoke ? 20 : 1_500)]))
  for (const [size, cost] of costs) {
    for (const [name, { ms, decisionsPerSecond, microsecondsPerReplica, heapMiB }] of Object.entries(cost)) {
      const rate = `${Math.round(decisionsPerSecond).toLocaleString('en')}/s`.padStart(11)
      const perReplica = `${microsecondsPerReplica.toFixed(2)} µs per replica`.padStart(22)
      console.log(
        `${String(size).padStart(5)} ${name.padEnd(9)} ${ms.toFixed(3).padStart(9)} ms ${rate} ${perReplica} ${heapMiB.toFixed(3).padStart(9)} MiB`,
      )
    }
  }
  const large = costs.get(4_000) ?? costs.get(100)!
  const growth = (name: 'fresh' | 'steady' | 'oneFailed'): number =>
    large[name].microsecondsPerReplica / costs.get(100)![name].microsecondsPerReplica

  const rounds = smoke ? 1 : 15
  await mustRun(process.execPath, ['scripts/build.ts'])
  const commands = (launcher: string) => ({
    validate: coldStart([launcher, 'validate', '-f', 'examples/digits/job.yaml'], rounds),
    plan: coldStart([launcher, 'plan', '-f', 'examples/digits/job.yaml'], rounds),
  })
  const installed = unpackBuilt()
  const packed = commands(join(installed, 'bin/trainyard.js'))
  rmSync(installed, { recursive: true })
  const checkout = commands('bin/trainyard.js')

  return {
    figures: {
      costs: Object.fromEntries(costs),
      coldStart: { packed, checkout },
      rehearsalMs,
      peakRssMiB: process.resourceUsage().maxRSS / 1024,
    },
    aims: [
      { name: 'creation, time per replica at 4000 against 100', value: growth('fresh'), atMost: 1.5, unit: 'x' },
      { name: 'steady, time per replica at 4000 against 100', value: growth('steady'), atMost: 1.5, unit: 'x' },
      { name: 'one failed, time per replica at 4000 against 100', value: growth('oneFailed'), atMost: 1.5, unit: 'x' },
      { name: 'validate, CPU beyond Node’s own', value: packed.validate.beyondMs, atMost: 150, unit: 'ms' },
      { name: 'plan, CPU beyond Node’s own', value: packed.plan.beyondMs, atMost: 150, unit: 'ms' },
      {
        name: 'rehearsal of 1000 replicas, CPU, the first in its process',
        value: rehearsalMs,
        atMost: 1_000,
        unit: 'ms',
      },
    ],
  }
}

function measureSize(size: number, budgetMs: number): Record<'fresh' | 'steady' | 'oneFailed', Cost> {
  const job = buildJob(size)
  const now = CREATED + 10_000
  const decideOn = (observed: Observed): Decision => decide(read(job), observed, now)
  const created = decide(read(job), NOTHING, CREATED)
  const running = carryOut(created)
  // What the first look at the running pods finds is stored; only then is the job at rest.
  const steady: Observed = { ...running, status: decide(read(job), running, CREATED + 2_000).status }
  const atRest = decideOn(steady)
  if (atRest.changed || atRest.actions.length > 0) throw new Error(`a job of ${size} at rest is not at rest`)
  const failed = failLast(steady)
  if (!decideOn(failed).changed) throw new Error(`nobody noticed the failed pod of a job of ${size}`)
  const cost = (observed: Observed): Cost => {
    const ms = timeOf(() => decideOn(observed), budgetMs)
    const heapMiB = heapOf(() => decideOn(observed), Math.ceil(8_000 / size)) / 2 ** 20
    return { ms, decisionsPerSecond: 1_000 / ms, microsecondsPerReplica: (ms * 1_000) / size, heapMiB }
  }
  return { fresh: cost(NOTHING), steady: cost(steady), oneFailed: cost(failed) }
}
