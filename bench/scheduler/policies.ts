// The three that are compared: ours, and the two that everybody knows.
import { decidePlacement } from '../../src/scheduler/place/decide-placement.ts'
import type { GroupFacts, NodeFacts, PodFacts } from '../../src/scheduler/place/snapshot.ts'
import type { Policy, Running, Scene, Verdict } from './simulate.ts'
import { type Gang, GPUS_PER_NODE, QUEUES } from './trace.ts'

/** As in the home: two hours. */
const PATIENCE = 7_200

/** Strictly in the order of arrival: whoever does not fit holds up all behind it. */
export const fifo: Policy = (scene) => inOrder(scene, false)
/** In the order of arrival, but whoever fits may go. */
export const backfill: Policy = (scene) => inOrder(scene, true)

function inOrder({ nodes, waiting, running }: Scene, passing: boolean): Verdict {
  const free = freeGpus(nodes, running)
  const start: Verdict['start'] = []
  for (const gang of waiting) {
    const on = seatsFor(gang, free)
    if (on) start.push({ gang, on })
    else if (!passing) break
  }
  return { start, stop: [] }
}

function freeGpus(nodes: readonly NodeFacts[], running: readonly Running[]): Map<string, number> {
  const free = new Map(nodes.map(({ name }) => [name, GPUS_PER_NODE]))
  for (const { gang, on } of running) for (const node of on) free.set(node, free.get(node)! - gang.gpus)
  return free
}

/** The first node that has room for each pod, or nothing at all. */
function seatsFor(gang: Gang, free: Map<string, number>): string[] | undefined {
  const on: string[] = []
  for (const [node] of free) {
    while (on.length < gang.pods && free.get(node)! >= gang.gpus) {
      free.set(node, free.get(node)! - gang.gpus)
      on.push(node)
    }
  }
  if (on.length === gang.pods) return on
  for (const node of on) free.set(node, free.get(node)! + gang.gpus)
  return undefined
}

/** Looks again after those have left who had to, as the real one does. */
export const ours: Policy = ({ now, nodes, waiting, running }) => {
  const stop: Gang[] = []
  let start: Verdict['start'] = []
  let stays = [...running]
  let waits = [...waiting]
  for (;;) {
    const { groups, pods, byKey } = factsOf(waits, stays)
    const usual = { namespaces: new Map(), openWithoutSelector: true, patience: PATIENCE * 1000 }
    const placement = decidePlacement({ nodes, queues: QUEUES, groups, pods, now: now * 1000, ...usual })
    const seats = Map.groupBy(placement.bindings, ({ pod }) => byKey.get(pod.group)!)
    for (const [gang, bindings] of seats) {
      const on = bindings.map(({ node }) => node)
      start.push({ gang, on })
      stays.push({ gang, on, since: now })
    }
    waits = waits.filter((gang) => !seats.has(gang))
    const gone = new Set(placement.evictions.map(({ pod }) => byKey.get(pod.group)!))
    if (gone.size === 0) return { start, stop }
    // Who was only just let in has not begun yet.
    const fresh = new Set(start.filter(({ gang }) => gone.has(gang)).map(({ gang }) => gang))
    stop.push(...[...gone].filter((gang) => !fresh.has(gang)))
    start = start.filter(({ gang }) => !fresh.has(gang))
    stays = stays.filter(({ gang }) => !gone.has(gang))
    waits.push(...gone)
  }
}

function factsOf(waiting: readonly Gang[], running: readonly Running[]) {
  const groups: GroupFacts[] = []
  const pods: PodFacts[] = []
  const byKey = new Map<string, Gang>()
  const enter = (gang: Gang, on: readonly string[]): void => {
    const key = `default/${gang.name}`
    const createdAt = gang.arrives * 1000
    byKey.set(key, gang)
    groups.push({
      ...SOME,
      key,
      name: gang.name,
      queue: gang.queue,
      minMember: gang.pods,
      createdAt,
      whole: on.length > 0,
    })
    const requests = new Map([
      ['gpu', gang.gpus],
      ['pods', 1],
    ])
    for (let i = 0; i < gang.pods; i++) {
      const name = `${gang.name}-${i}`
      const place = on[i] === undefined ? { state: 'waiting' as const } : { state: 'placed' as const, node: on[i]! }
      const rest = { queue: gang.queue, role: '', shape: `${gang.gpus}`, nodeSelector: {}, holder: gang.name }
      pods.push({ uid: name, name, namespace: 'default', group: key, requests, createdAt, ...rest, ...place })
    }
  }
  for (const gang of waiting) enter(gang, [])
  for (const { gang, on } of running) enter(gang, on)
  return { groups, pods, byKey }
}

const SOME = { namespace: 'default', priority: 0, roles: [] }
