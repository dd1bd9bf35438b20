// Seeded workloads: gangs of several sizes that arrive over a few hours, in three queues.
import type { NodeFacts, QueueFacts } from '../../src/scheduler/place/snapshot.ts'

export interface Gang {
  name: string
  queue: 'high' | 'normal' | 'low'
  pods: number
  gpus: number
  /** Seconds. */
  arrives: number
  runs: number
}

export const GPUS_PER_NODE = 8

export const QUEUES: QueueFacts[] = (['low', 'normal', 'high'] as const).map((name, priority) => ({
  name,
  namespace: 't9k-system',
  priority,
  quota: new Map(),
  preemptible: true,
  closed: false,
}))

export function buildNodes(count: number): NodeFacts[] {
  const allocatable = new Map([
    ['cpu', 64_000],
    ['gpu', GPUS_PER_NODE],
    ['pods', 110],
  ])
  return Array.from({ length: count }, (_, i) => ({
    name: `n${String(i).padStart(4, '0')}`,
    allocatable,
    labels: {},
    usable: true,
  }))
}

/** More is asked for than the nodes can do at once, so that there is a queue. */
export function buildTrace(seed: number, gangs: number): Gang[] {
  const random = randomFrom(seed)
  const pick = <T>(choices: ReadonlyArray<readonly [T, number]>): T => {
    let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [choice, weight] of choices) {
      left -= weight
      if (left < 0) return choice
    }
    return choices[0]![0]
  }
  let arrives = 0
  return Array.from({ length: gangs }, (_, i) => {
    arrives += -Math.log(1 - random()) * 45
    const gpus = pick([
      [1, 4],
      [2, 3],
      [4, 2],
      [8, 2],
    ] as const)
    const pods = pick([
      [1, 4],
      [2, 3],
      [4, 3],
      [8, 1],
    ] as const)
    const queue = pick([
      ['high', 15],
      ['normal', 50],
      ['low', 35],
    ] as const)
    const runs = Math.min(7200, Math.exp(6.2 + 0.9 * normal(random)))
    return { name: `g${i}`, queue, pods, gpus, arrives, runs }
  })
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
