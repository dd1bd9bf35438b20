// Many workloads, each under the three policies.
import { backfill, fifo, ours } from './policies.ts'
import { type Figures, simulate } from './simulate.ts'
import { buildNodes, buildTrace } from './trace.ts'

const GANGS = 120
const POLICIES = { ours, backfill, fifo }

export interface Comparison {
  workloads: number
  nodes: number
  figures: Record<keyof typeof POLICIES, Figures>
  /** Ours against backfill, and the mean over the workloads of each one's own ratio. */
  makespanRatio: number
  worstMakespanRatio: number
  highWaitRatio: number
}

export function compare(workloads: number, nodeCount: number): Comparison {
  const nodes = buildNodes(nodeCount)
  const all = Array.from({ length: workloads }, (_, seed) => {
    const trace = buildTrace(seed + 1, GANGS)
    return {
      ours: simulate(trace, nodes, ours),
      backfill: simulate(trace, nodes, backfill),
      fifo: simulate(trace, nodes, fifo),
    }
  })
  const figures = {
    ours: meanOf(all.map((each) => each.ours)),
    backfill: meanOf(all.map((each) => each.backfill)),
    fifo: meanOf(all.map((each) => each.fifo)),
  }
  const ratios = all.map((each) => each.ours.makespan / each.backfill.makespan)
  return {
    workloads,
    nodes: nodeCount,
    figures,
    makespanRatio: mean(ratios),
    worstMakespanRatio: Math.max(...ratios),
    highWaitRatio: figures.ours.wait.high / figures.backfill.wait.high,
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function meanOf(figures: readonly Figures[]): Figures {
  const of = (read: (each: Figures) => number): number => mean(figures.map(read))
  return {
    makespan: of(({ makespan }) => makespan),
    utilisation: of(({ utilisation }) => utilisation),
    wait: {
      high: of(({ wait }) => wait.high),
      normal: of(({ wait }) => wait.normal),
      low: of(({ wait }) => wait.low),
    },
    stops: of(({ stops }) => stops),
  }
}

export function printComparison({ workloads, nodes, figures, worstMakespanRatio }: Comparison): void {
  const worst = `worst makespan ${worstMakespanRatio.toFixed(2)}x backfill`
  console.log(`${workloads} workloads of ${GANGS} gangs on ${nodes} nodes, means; ${worst}`)
  console.log('policy      makespan  utilisation  wait high / normal / low (s)     stops')
  for (const [name, { makespan, utilisation, wait, stops }] of Object.entries(figures)) {
    const waits = [wait.high, wait.normal, wait.low].map((value) => value.toFixed(0).padStart(7)).join(' ')
    const parts = [`${makespan.toFixed(0)} s`.padStart(10), `${(utilisation * 100).toFixed(1)} %`.padStart(11), waits]
    console.log(`${name.padEnd(9)} ${parts.join('  ')} ${stops.toFixed(1).padStart(12)}`)
  }
}
