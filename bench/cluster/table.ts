import { sumOf } from './audit.ts'
import { type Spread, spreadOf } from './median.ts'
import type { LoadFigures, RaceFigures } from './race.ts'

const KINDS = ['PyTorchTrainingJob', 'TFJob'] as const
/** Whose figures stand for a kind. */
const ALIASES: Record<string, readonly string[]> = {
  PyTorchTrainingJob: ['PyTorchTrainingJob', 'PyTorchJob'],
  TFJob: ['TFJob'],
}

const ROWS: Record<string, (figures: LoadFigures) => number> = {
  'created → first pod p50, ms': ({ createdToFirstPod }) => createdToFirstPod.p50,
  'created → first pod p99, ms': ({ createdToFirstPod }) => createdToFirstPod.p99,
  'created → all pods p50, ms': ({ createdToAllPods }) => createdToAllPods.p50,
  'master done → Succeeded p50, ms': ({ masterDoneToSucceeded }) => masterDoneToSucceeded.p50,
  'master done → Succeeded p99, ms': ({ masterDoneToSucceeded }) => masterDoneToSucceeded.p99,
  'all over, s': ({ seconds }) => seconds,
  'jobs/s': ({ jobsPerSecond }) => jobsPerSecond,
  'requests per job': ({ requestsPerJob }) => requestsPerJob,
  ...Object.fromEntries(KINDS.map((kind) => [`  of a ${kind}`, (figures: LoadFigures) => requestsOf(figures, kind)])),
  '  of everybody else': ({ requests, jobs }) => requests.others / jobs,
  'CPU of the operator, s': ({ cpuSeconds }) => cpuSeconds,
  'CPU of apiserver and etcd, s': ({ cpuOfOthers }) => apiOf(cpuOfOthers),
  'CPU of everybody else, s': ({ cpuOfOthers }) => sumOf(cpuOfOthers) - apiOf(cpuOfOthers),
  'peak memory, MiB': ({ peakMib }) => peakMib,
}

function apiOf(cpu: Record<string, number>): number {
  return (cpu['kube-apiserver'] ?? Number.NaN) + (cpu.etcd ?? Number.NaN)
}

function requestsOf({ kinds }: LoadFigures, kind: string): number {
  return ALIASES[kind]?.map((name) => kinds[name]?.requestsPerJob).find((value) => value !== undefined) ?? Number.NaN
}

const NAME = 34
const CELL = 26

/** Medians with their spread; in brackets what it is of ours. */
export function printTable(titles: Record<string, string>, results: Record<string, readonly RaceFigures[]>): void {
  const names = Object.keys(results).filter((name) => results[name]!.length > 0)
  for (const load of Object.keys(results[names[0] ?? '']?.[0]?.loads ?? {})) {
    console.log(`\n${load.padEnd(NAME)}${names.map((name) => titles[name]!.padStart(CELL)).join('')}`)
    for (const [row, figure] of Object.entries(ROWS)) {
      const spreads = names.map((name) => spreadOf(results[name]!.map(({ loads }) => figure(loads[load]!))))
      const ours = names.includes('ours') ? spreads[names.indexOf('ours')]!.median : Number.NaN
      const cells = spreads.map((spread, index) => cellOf(spread, names[index] === 'ours' ? Number.NaN : ours))
      console.log(`${row.padEnd(NAME)}${cells.join('')}`)
    }
    for (const name of names) console.log(`${titles[name]} asks: ${mostAsked(results[name]![0]!.loads[load]!)}`)
  }
  console.log('')
}

function cellOf({ median, least, most }: Spread, ours: number): string {
  if (Number.isNaN(median)) return '–'.padStart(CELL)
  const digits = Math.abs(median) >= 100 ? 0 : 1
  const spread = least === most ? '' : ` ${least.toFixed(digits)}–${most.toFixed(digits)}`
  const ratio = Number.isFinite(ours) && ours !== 0 ? ` [${(median / ours).toFixed(2)}x]` : ''
  return `${median.toFixed(digits)}${spread}${ratio}`.padStart(CELL)
}

/** What it asks the API for per job, the most frequent first. */
export function mostAsked({ requests, jobs }: LoadFigures): string {
  const sorted = Object.entries(requests.byWhat).sort(([, a], [, b]) => b - a)
  return sorted
    .map(([what, count]) => `${(count / jobs).toFixed(2)} ${what}`)
    .slice(0, 10)
    .join(', ')
}
