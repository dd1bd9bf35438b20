// What one look costs: thousands of pending pods on a thousand nodes, with room and without.
import { decidePlacement } from '../../src/scheduler/place/decide-placement.ts'
import type { GroupFacts, PodFacts, QueueFacts, Snapshot } from '../../src/scheduler/place/snapshot.ts'
import { heapOf, timeOf } from '../measure.ts'
import { buildNodes } from './trace.ts'

const NODES = 1_000
const QUEUES = 30

export interface Cycle {
  pods: number
  gangSize: number
  room: 'free' | 'full'
  ms: number
  microsecondsPerPod: number
  heapMiB: number
}

export function measureCycle(pods: number, gangSize: number, room: Cycle['room'], budgetMs: number): Cycle {
  const snapshot = buildSnapshot(pods, gangSize, room)
  const { bindings } = decidePlacement(snapshot)
  const expected = room === 'free' ? pods : 0
  if (bindings.length !== expected) throw new Error(`${bindings.length} of ${pods} pods were placed, not ${expected}`)
  const ms = timeOf(() => decidePlacement(snapshot), budgetMs)
  const heapMiB = heapOf(() => decidePlacement(snapshot), 3) / 2 ** 20
  return { pods, gangSize, room, ms, microsecondsPerPod: (ms * 1000) / pods, heapMiB }
}

function buildSnapshot(count: number, gangSize: number, room: Cycle['room']): Snapshot {
  const queues = Array.from({ length: QUEUES }, (_, i): QueueFacts => {
    const rules = { priority: i % 3, preemptible: i % 2 === 0, closed: false }
    return { name: `q${i}`, namespace: 't9k-system', quota: new Map([['cpu', 10 ** 9]]), ...rules }
  })
  const groups: GroupFacts[] = []
  const pods: PodFacts[] = []
  const nodes = buildNodes(NODES)
  for (let i = 0; i < count; i++) {
    const g = Math.floor(i / gangSize)
    const [key, queue] = [`default/g${g}`, `q${g % QUEUES}`]
    const minMember = Math.min(gangSize, count - g * gangSize)
    if (i % gangSize === 0)
      groups.push({
        key,
        name: `g${g}`,
        namespace: 'default',
        queue,
        priority: g % 5,
        minMember,
        roles: [],
        createdAt: g,
        whole: false,
      })
    pods.push(podOf(`p${i}`, key, queue, (g % 7) + 1, i))
  }
  if (room === 'full') {
    const free = new Map([
      ['cpu', 64_000],
      ['gpu', 8],
      ['pods', 110],
    ])
    for (const [i, { name }] of nodes.entries()) {
      const holder = { ...podOf(`h${i}`, 'default/gone', undefined, 0, 0), requests: free, shape: 'all' }
      pods.push({ ...holder, state: 'placed', node: name })
    }
  }
  const usual = { namespaces: new Map(), openWithoutSelector: true, now: 10 ** 9, patience: Number.POSITIVE_INFINITY }
  return { nodes, queues, groups, pods, ...usual }
}

function podOf(name: string, group: string, queue: string | undefined, cpus: number, createdAt: number): PodFacts {
  const requests = new Map([
    ['cpu', cpus * 500],
    ['pods', 1],
  ])
  const rest = { role: '', shape: `${cpus}`, nodeSelector: {}, holder: group, state: 'waiting' as const }
  return { uid: name, name, namespace: 'default', group, queue, requests, createdAt, ...rest }
}
