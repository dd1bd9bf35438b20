// A trace in virtual time under one policy: who starts when, who is stopped, and what that costs.
import type { NodeFacts } from '../../src/scheduler/place/snapshot.ts'
import { type Gang, GPUS_PER_NODE } from './trace.ts'

export interface Running {
  gang: Gang
  /** Node of each pod. */
  on: string[]
  since: number
}

/** What a policy sees: who waits, in the order of arrival, and who runs. */
export interface Scene {
  now: number
  nodes: readonly NodeFacts[]
  waiting: readonly Gang[]
  running: readonly Running[]
}

export interface Verdict {
  start: Array<{ gang: Gang; on: string[] }>
  stop: Gang[]
}

export type Policy = (scene: Scene) => Verdict

export interface Figures {
  makespan: number
  /** Of GPU seconds that could have been used until the last arrival, the part that did work. */
  utilisation: number
  /** Mean seconds from arrival to first start, by queue. */
  wait: Record<Gang['queue'], number>
  stops: number
}

/** A job that is stopped goes on from its last checkpoint, and needs a while to get going again. */
const CHECKPOINT = 300
const RESTART = 30

export function simulate(trace: readonly Gang[], nodes: readonly NodeFacts[], policy: Policy): Figures {
  const left = new Map(trace.map((gang) => [gang.name, gang.runs]))
  const started = new Map<string, number>()
  const arrivals = [...trace]
  const lastArrival = trace.at(-1)!.arrives
  let waiting: Gang[] = []
  let running: Running[] = []
  let [now, useful, stops] = [0, 0, 0]
  while (arrivals.length + waiting.length + running.length > 0) {
    const nextEnd = Math.min(...running.map(({ gang, since }) => since + left.get(gang.name)!))
    const next = Math.min(arrivals[0]?.arrives ?? Number.POSITIVE_INFINITY, nextEnd)
    if (next === Number.POSITIVE_INFINITY) throw new Error(`${waiting.length} gangs wait for ever`)
    useful += workBetween(running, now, Math.min(next, lastArrival))
    now = next
    while (arrivals[0] && arrivals[0].arrives <= now) waiting.push(arrivals.shift()!)
    running = running.filter(({ gang, since }) => since + left.get(gang.name)! > now + 1e-6)
    const { start, stop } = policy({ now, nodes, waiting, running })
    for (const gang of stop) {
      const { since } = running.find((each) => each.gang === gang)!
      const done = Math.floor(Math.max(0, now - since) / CHECKPOINT) * CHECKPOINT
      left.set(gang.name, left.get(gang.name)! - done + RESTART)
      stops++
    }
    running = running.filter(({ gang }) => !stop.includes(gang))
    waiting = [...waiting, ...stop].sort((a, b) => a.arrives - b.arrives)
    for (const { gang, on } of start) {
      running.push({ gang, on, since: now })
      if (!started.has(gang.name)) started.set(gang.name, now)
    }
    const placed = new Set(start.map(({ gang }) => gang))
    waiting = waiting.filter((gang) => !placed.has(gang))
  }
  const wait = (queue: Gang['queue']): number => {
    const own = trace.filter((gang) => gang.queue === queue)
    return own.reduce((sum, gang) => sum + started.get(gang.name)! - gang.arrives, 0) / Math.max(1, own.length)
  }
  return {
    makespan: now,
    utilisation: useful / (nodes.length * GPUS_PER_NODE * lastArrival),
    wait: { high: wait('high'), normal: wait('normal'), low: wait('low') },
    stops,
  }
}

function workBetween(running: readonly Running[], from: number, to: number): number {
  const gpus = running.reduce((sum, { gang }) => sum + gang.pods * gang.gpus, 0)
  return gpus * Math.max(0, to - from)
}
