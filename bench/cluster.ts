// Operators of training jobs side by side, on a genuine kube-apiserver with nodes that are only played: Trainyard, Kubeflow's
// training-operator, JobSet, and the limit, a client that makes only the writes that are needed.

import { elapsed } from '../scripts/elapsed.ts'
import { buildPrograms } from '../scripts/real/build.ts'
import { judge } from './cluster/aims.ts'
import { prepareBare } from './cluster/bare.ts'
import type { Contender } from './cluster/contender.ts'
import { jobSet } from './cluster/jobset.ts'
import { prepareOurs } from './cluster/ours.ts'
import { type Course, type RaceFigures, race } from './cluster/race.ts'
import { printTable } from './cluster/table.ts'
import { trainingOperator } from './cluster/training-operator.ts'
import type { BenchOptions, BenchResult } from './result.ts'

const CONTENDERS: Record<string, () => Contender | Promise<Contender>> = {
  ours: prepareOurs,
  bare: () => prepareBare('own'),
  same: () => prepareBare('same'),
  tuned: () => trainingOperator('tuned'),
  stock: () => trainingOperator('stock'),
  jobset: jobSet,
}

const FULL: Course = {
  nodes: 20,
  idleMs: 5_000,
  loads: { paced: { jobs: 80, perSecond: 2 }, burst: { jobs: 400 } },
  timeoutMs: 1_200_000,
}
const SMOKE: Course = {
  nodes: 2,
  idleMs: 500,
  loads: { paced: { jobs: 4, perSecond: 4 }, burst: { jobs: 8 } },
  timeoutMs: 120_000,
}

export async function run({ smoke, runs = 3, only }: BenchOptions): Promise<BenchResult> {
  const start = performance.now()
  const say = (line: string): void => console.log(`bench cluster: ${elapsed(start).padStart(7)}  ${line}`)
  const names = only ?? (smoke ? ['ours', 'bare', 'same'] : Object.keys(CONTENDERS))
  const contenders = new Map<string, Contender>()
  for (const name of names) {
    const prepare = CONTENDERS[name]
    if (!prepare) throw new Error(`nobody is called ${name}; there are ${Object.keys(CONTENDERS).join(', ')}`)
    contenders.set(name, await prepare())
  }
  await buildPrograms(
    [...contenders.values()].flatMap(({ programs }) => programs),
    say,
  )
  const results: Record<string, RaceFigures[]> = Object.fromEntries(names.map((name) => [name, []]))
  const rounds = smoke ? 1 : runs
  for (let round = 1; round <= rounds; round++) {
    // Forth and back, so that a busy hour of the machine or a warm disk favours nobody.
    const order = round % 2 === 1 ? [...contenders] : [...contenders].reverse()
    for (const [name, contender] of order) {
      results[name]!.push(
        await race(contender, smoke ? SMOKE : FULL, (line) => say(`run ${round} of ${rounds}, ${line}`)),
      )
    }
  }
  const titles = Object.fromEntries([...contenders].map(([name, contender]) => [name, contender.name]))
  printTable(titles, results)
  return { figures: { course: smoke ? SMOKE : FULL, titles, results }, aims: judge(results) }
}
