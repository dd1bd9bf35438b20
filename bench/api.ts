// The embedded API and a genuine kube-apiserver with etcd, side by side on this machine, at equal durability: both answer
// a write when it is on disk.
import { setTimeout as delay } from 'node:timers/promises'
import { elapsed } from '../scripts/elapsed.ts'
import { type FanOut, measureFanOut } from './api/fan-out.ts'
import { type HomeStart, measureHome } from './api/home.ts'
import { cpuMs, residentMb, type Subject, startEmbedded, startReal } from './api/subject.ts'
import { CLIENTS, createPods, type ListTime, listPods, prepareNamespace, updatePods } from './api/traffic.ts'
import type { BenchOptions, BenchResult } from './result.ts'

interface Counts {
  rounds: number
  writes: number
  pods: number
  watchers: number
  told: number
  starts: number
  quietMs: number
}

const FULL: Counts = { rounds: 5, writes: 500, pods: 10_000, watchers: 100, told: 50, starts: 5, quietMs: 12_000 }
const SMOKE: Counts = { rounds: 1, writes: 40, pods: 100, watchers: 10, told: 5, starts: 1, quietMs: 500 }

interface Figures {
  readyMs: number
  readyCpuMs: number
  idleMb: number
  createsPerSecond: number[]
  updatesPerSecond: number[]
  /** Of all its processes, for one create or update. */
  cpuMsPerWrite: number[]
  lists: ListTime[]
  fanOut: FanOut[]
  busyMb: number
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export async function run({ smoke }: BenchOptions): Promise<BenchResult> {
  const counts = smoke ? SMOKE : FULL
  const start = performance.now()
  const say = (line: string): void => console.log(`bench api: ${elapsed(start).padStart(7)}  ${line}`)
  // Whoever interrupts it leaves no servers behind: they end with this process, but not with a signal.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const home = await measureHome(counts.starts, counts.quietMs)
  say('the home was started and left idle')
  const subjects = [await startEmbedded(), await startReal(say)] as const
  try {
    await delay(counts.quietMs)
    const [ours, theirs] = subjects.map(emptyFigures) as [Figures, Figures]
    const both = [
      [subjects[0], ours],
      [subjects[1], theirs],
    ] as const
    for (const [subject] of both) await prepareNamespace(subject)
    // In turn, so that a busy moment of the machine meets both.
    for (let round = 0; round < counts.rounds; round++) {
      for (const [subject, figures] of both) {
        const before = cpuMs(subject.pids)
        figures.createsPerSecond.push(await createPods(subject, `c${round}`, counts.writes))
        figures.updatesPerSecond.push(await updatePods(subject, `u${round}`, counts.writes))
        figures.cpuMsPerWrite.push((cpuMs(subject.pids) - before) / (2 * counts.writes))
        figures.fanOut.push(await measureFanOut(subject, `f${round}`, counts.watchers, counts.told))
      }
      say(`round ${round + 1} of ${counts.rounds}`)
    }
    const there = (counts.writes + CLIENTS) * counts.rounds
    for (const [subject] of both) await createPods(subject, 'fill', Math.max(0, counts.pods - there))
    for (let round = 0; round < counts.rounds; round++) {
      for (const [subject, figures] of both) figures.lists.push(await listPods(subject))
    }
    for (const [subject, figures] of both) figures.busyMb = residentMb(subject.pids)
    const homeReadyMs = median(home.later.map(({ readyMs }) => readyMs))
    const homeIdleMb = median(home.later.map(({ idleMb }) => idleMb))
    const homeCpuMs = median(home.later.map(({ cpuMs }) => cpuMs))
    print(ours, theirs, { readyMs: homeReadyMs, cpuMs: homeCpuMs, idleMb: homeIdleMb })
    const rate = (figures: Figures, what: 'createsPerSecond' | 'updatesPerSecond'): number => median(figures[what])
    return {
      figures: { home, embedded: ours, real: theirs, counts },
      aims: [
        { name: 'home, process start to ready', value: homeReadyMs, atMost: 1_000, unit: 'ms' },
        { name: 'home, idle resident memory', value: homeIdleMb, atMost: 120, unit: 'MB' },
        ...(['createsPerSecond', 'updatesPerSecond'] as const).map((what) => ({
          name: `${what === 'createsPerSecond' ? 'creates' : 'updates'}/s of kube-apiserver and etcd against ours`,
          value: rate(theirs, what) / rate(ours, what),
          atMost: 1,
          unit: 'x',
        })),
      ],
    }
  } finally {
    for (const subject of subjects) {
      await subject.agent.destroy()
      await subject.stop()
    }
  }
}

function emptyFigures({ readyMs, readyCpuMs, pids }: Subject): Figures {
  return {
    readyMs,
    readyCpuMs,
    idleMb: residentMb(pids),
    createsPerSecond: [],
    updatesPerSecond: [],
    cpuMsPerWrite: [],
    lists: [],
    fanOut: [],
    busyMb: 0,
  }
}

/** Ratios are ours to theirs; what is better depends on the row, and is said. */
function print(ours: Figures, theirs: Figures, home: Omit<HomeStart, 'upMs'>): void {
  const rows: Array<[string, number, number, string, 'more' | 'less']> = [
    ['start to ready (home / both)', home.readyMs, theirs.readyMs, 'ms', 'less'],
    ['CPU until ready (home / both)', home.cpuMs, theirs.readyCpuMs, 'ms', 'less'],
    ['start to ready (server alone / both)', ours.readyMs, theirs.readyMs, 'ms', 'less'],
    ['idle memory (home / both)', home.idleMb, theirs.idleMb, 'MB', 'less'],
    ['idle memory (server alone / both)', ours.idleMb, theirs.idleMb, 'MB', 'less'],
    [`creates, ${CLIENTS} clients`, median(ours.createsPerSecond), median(theirs.createsPerSecond), '/s', 'more'],
    [`updates, ${CLIENTS} clients`, median(ours.updatesPerSecond), median(theirs.updatesPerSecond), '/s', 'more'],
    ['CPU per write', median(ours.cpuMsPerWrite), median(theirs.cpuMsPerWrite), 'ms', 'less'],
    ...listRow(ours, theirs),
    ...(['p50', 'p99'] as const).map((part): [string, number, number, string, 'less'] => [
      `watch fan-out, ${part}`,
      median(ours.fanOut.map((each) => each[part])),
      median(theirs.fanOut.map((each) => each[part])),
      'ms',
      'less',
    ]),
    ['memory with the pods', ours.busyMb, theirs.busyMb, 'MB', 'less'],
  ]
  console.log(`${''.padEnd(40)}${'embedded'.padStart(13)}${'real'.padStart(13)}${'ratio'.padStart(9)}`)
  for (const [name, left, right, unit, better] of rows) {
    const cell = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`.padStart(13)
    const isBetter = better === 'more' ? left >= right : left <= right
    console.log(
      `${name.padEnd(40)}${cell(left)}${cell(right)}${(left / right).toFixed(2).padStart(9)}  ${isBetter ? 'ahead' : 'BEHIND'}`,
    )
  }
}

function listRow(ours: Figures, theirs: Figures): Array<[string, number, number, string, 'less']> {
  const { items = 0 } = ours.lists[0] ?? {}
  return [
    [
      `list of ${items} pods`,
      median(ours.lists.map(({ ms }) => ms)),
      median(theirs.lists.map(({ ms }) => ms)),
      'ms',
      'less',
    ],
  ]
}
