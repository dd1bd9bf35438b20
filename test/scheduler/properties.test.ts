// What holds of every placement, whatever the cluster has been through.
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { decidePlacement, type Placement } from '../../src/scheduler/place/decide-placement.ts'
import type { NodeFacts, QueueFacts } from '../../src/scheduler/place/snapshot.ts'
import { explainWait } from '../../src/scheduler/words/explain-wait.ts'
import { closingLine } from '../closing-line.ts'
import { RestlessCluster, type Wish } from './restless-cluster.ts'
import {
  isTheSameAgain,
  keepsNodes,
  keepsQuotas,
  leavesNoPieces,
  preemptsDownwards,
  saysWhy,
  servesWhoeverFits,
} from './rules-of-placement.ts'

const RUNS = Math.ceil(Number(process.env.TRAINYARD_RUNS ?? 3_000) / 20)
const SEED = Number(process.env.TRAINYARD_SEED ?? Math.floor(Math.random() * 2 ** 31))
const NAMES = ['a', 'b', 'c', 'd']
/** What will not pass by waiting. */
const FINAL = ['QuotaTooSmall', 'ClusterTooSmall', 'QueueClosed', 'NoNode']

const seen = { looks: 0, bindings: 0, evictions: 0, releases: 0 }
afterAll(() => {
  closingLine(
    `scheduler properties: ${seen.looks} looks, ${seen.bindings} bindings, ${seen.evictions} evictions, ${seen.releases} releases, seed ${SEED}`,
  )
})

const small = (max: number, min = 0) => fc.integer({ min, max })

const anyNodes = fc.array(fc.record({ cpu: small(8, 1), gpu: small(4) }), { minLength: 1, maxLength: 3 }).map((all) =>
  all.map(
    ({ cpu, gpu }, i): NodeFacts => ({
      name: `n${i}`,
      allocatable: new Map([
        ['pods', 20],
        ['cpu', cpu],
        ['gpu', gpu],
      ]),
      labels: {},
      usable: true,
    }),
  ),
)

const anyQuota = fc
  .option(small(12, 1), { nil: undefined })
  .map((cpu) => new Map(cpu === undefined ? [] : [['cpu', cpu]]))
const anyQueues = fc
  .tuple(...NAMES.map(() => fc.record({ priority: small(3), preemptible: fc.boolean(), quota: anyQuota })))
  .map((all) =>
    all.map((rest, i): QueueFacts => ({ name: NAMES[i]!, namespace: 't9k-system', closed: false, ...rest })),
  )

const anyWish: fc.Arbitrary<Wish> = fc.record({
  queue: fc.constantFrom(...NAMES),
  size: small(6, 1),
  minMember: small(6, 1),
  cpu: small(4, 1),
  gpu: fc.constantFrom(0, 0, 0, 1, 2),
  priority: small(2),
})

type Event =
  | { do: 'add'; wish: Wish }
  | { do: 'look' | 'settle' }
  | { do: 'lose' | 'finish' | 'open'; which: number }
  | { do: 'close' | 'break' | 'mend'; which: number }
  | { do: 'quota'; which: number; cpu: number }

const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('add' as const), wish: anyWish }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('look' as const, 'settle' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('lose' as const, 'finish' as const), which: small(50) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('break' as const, 'mend' as const), which: small(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('open' as const, 'close' as const), which: small(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('quota' as const), which: small(3), cpu: small(12, 1) }) },
)

test('after every look: quotas and nodes hold, no gang is in pieces, nobody is wronged', () => {
  fc.assert(
    fc.property(anyNodes, anyQueues, fc.array(anyEvent, { minLength: 10, maxLength: 40 }), (nodes, queues, events) => {
      const cluster = new RestlessCluster(nodes, queues)
      for (const event of events) {
        befall(cluster, event)
        look(cluster)
      }
      for (const [i] of NAMES.entries()) cluster.changeQueue(i, { closed: false })
      for (const [i] of nodes.entries()) cluster.turn(i, true)
      comeToRest(cluster)
    }),
    { numRuns: RUNS, seed: SEED },
  )
})

function befall(cluster: RestlessCluster, event: Event): void {
  if (event.do === 'add') cluster.add(event.wish)
  if (event.do === 'settle') cluster.settle()
  if (event.do === 'lose') cluster.lose(event.which)
  if (event.do === 'finish') cluster.finish(event.which)
  if (event.do === 'open' || event.do === 'close') cluster.changeQueue(event.which, { closed: event.do === 'close' })
  if (event.do === 'break' || event.do === 'mend') cluster.turn(event.which, event.do === 'mend')
  if (event.do === 'quota') cluster.changeQueue(event.which, { quota: new Map([['cpu', event.cpu]]) })
}

function look(cluster: RestlessCluster): Placement {
  const before = cluster.snapshot
  const placement = cluster.step()
  seen.looks++
  seen.bindings += placement.bindings.length
  seen.evictions += placement.evictions.filter(({ reason }) => reason === 'Preempted').length
  seen.releases += placement.evictions.filter(({ reason }) => reason === 'Released').length
  isTheSameAgain(before, placement)
  keepsQuotas(before, placement)
  keepsNodes(before, placement)
  leavesNoPieces(before, placement)
  preemptsDownwards(before, placement)
  servesWhoeverFits(before, placement)
  saysWhy(placement)
  return placement
}

/** If everything that runs ends, everybody who could ever run has run: no circle of waiting is left. */
function comeToRest(cluster: RestlessCluster): void {
  for (let quiet = 0; quiet < 3; ) {
    const { bindings, evictions } = look(cluster)
    cluster.settle()
    quiet = bindings.length + evictions.length > 0 || cluster.finish(0) ? 0 : quiet + 1
  }
  const { waiting, ground } = decidePlacement(cluster.snapshot)
  for (const each of waiting) expect(FINAL).toContain(explainWait(ground, each).reason)
}
