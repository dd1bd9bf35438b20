// Gangs that can do with fewer: what they lose, what they keep, and how they come back.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decidePlacement } from '../../src/scheduler/place/decide-placement.ts'
import { StagedCluster } from './staged-cluster.ts'

const two = (): StagedCluster =>
  new StagedCluster().node('n1', { cpu: 2 }).node('n2', { cpu: 2 }).queue('q').queue('high', {}, { priority: 1 })
const ELASTIC = { minMember: 2, whole: true }

describe('an elastic gang', () => {
  test('starts with what there is room for, and not with fewer than it needs', () => {
    const gang = (cpu: number) => new StagedCluster().node('n', { cpu }).queue('q').gang('e', 'q', 4, { cpu: 1 }, FRESH)
    const FRESH = { minMember: 2 }
    expect(gang(4).decide().bound).toEqual(['e-0@n', 'e-1@n', 'e-2@n', 'e-3@n'])
    expect(gang(3).decide().bound).toEqual(['e-0@n', 'e-1@n', 'e-2@n'])
    expect(gang(1).decide()).toMatchObject({
      bound: [],
      waits: { e: { message: expect.stringMatching(/^2 pods need 2 CPU together/) } },
    })
  })

  test('grows back when there is room again, one by one', () => {
    const lost = two().gang('e', 'q', 4, { cpu: 2 }, { ...ELASTIC, on: ['n1', 'n2'] })
    expect(lost.decide().bound).toEqual([])
    expect(lost.node('n3', { cpu: 2 }).decide().bound).toEqual(['e-2@n3'])
    expect(lost.node('n4', { cpu: 2 }).decide().bound.sort()).toEqual(['e-2@n3', 'e-3@n4'])
  })

  test('gives up its highest ranks to whoever goes first, and its leader last, however young that is', () => {
    const on = ['n1', 'n1', 'n2', 'n2']
    for (const [wants, evicted] of [
      [1, ['e-3']],
      [2, ['e-2', 'e-3']],
    ] as const) {
      const cluster = two().gang('e', 'q', 4, { cpu: 1 }, { ...ELASTIC, on })
      Object.assign(cluster.snapshot.pods[0]!, { createdAt: 500 })
      for (let i = 0; i < wants; i++) cluster.pod(`h${i}`, 'high', { cpu: 1 })
      expect(cluster.decide().evicted.sort()).toEqual(evicted)
    }
  })

  test('places its leader before all others, however young that is', () => {
    const cluster = two().gang('e', 'q', 4, { cpu: 1 }, { ...ELASTIC, on: [undefined, 'n1', 'n2', undefined] })
    Object.assign(cluster.snapshot.pods[0]!, { createdAt: 500 })
    cluster.pod('other', undefined, { cpu: 1 }, { node: 'n1' })
    expect(cluster.decide().bound).toEqual(['e-0@n2'])
  })
})

describe('a leader that finds no room', () => {
  test('gets that of the highest rank, and then they wait for it to be gone', () => {
    const cluster = two().gang('e', 'q', 5, { cpu: 1 }, { ...ELASTIC, on: [undefined, 'n1', 'n1', 'n2', 'n2'] })
    const told = cluster.decide()
    expect(told).toMatchObject({ bound: [], evicted: ['e-4'] })
    expect(told.waits.e?.message).toMatch(/^room is being made for it: 1 pod is leaving/)
    Object.assign(cluster.snapshot.pods[4]!, { state: 'leaving' })
    expect(cluster.decide()).toMatchObject({ bound: [], evicted: [] })
  })

  test('gets its share of a quota, too', () => {
    const cluster = new StagedCluster().node('n', { cpu: 9 }).queue('q', { cpu: 3 })
    cluster.gang('e', 'q', 4, { cpu: 1 }, { ...ELASTIC, on: [undefined, 'n', 'n', 'n'] })
    expect(cluster.decide()).toMatchObject({ bound: [], evicted: ['e-3'] })
    Object.assign(cluster.snapshot.pods[3]!, { state: 'leaving' })
    expect(cluster.decide()).toMatchObject({ bound: [], evicted: [] })
    Object.assign(cluster.snapshot.pods[3]!, { state: 'waiting', node: undefined })
    expect(cluster.decide()).toMatchObject({ bound: ['e-0@n'], evicted: [] })
  })

  test('gets nothing of a gang that needs all it has, nor where it would not help', () => {
    const stiff = two().gang('s', 'q', 3, { cpu: 2 }, { whole: true, on: [undefined, 'n1', 'n2'] })
    expect(stiff.decide().evicted).toEqual([])
    const large = two().gang('e', 'q', 3, { cpu: 1 }, { minMember: 1, whole: true, on: [undefined, 'n1', 'n2'] })
    large.pod('o1', undefined, { cpu: 1 }, { node: 'n1' }).pod('o2', undefined, { cpu: 1 }, { node: 'n2' })
    const wide = large.snapshot.pods[0]!
    Object.assign(wide, { requests: new Map([['cpu', 2000]]), shape: 'wide' })
    expect(large.decide().evicted).toEqual([])
  })

  test('whatever is lost, never fewer than it needs are left, and the leader is not among those who go', () => {
    const world = fc.record({
      size: fc.integer({ min: 1, max: 6 }),
      min: fc.integer({ min: 1, max: 6 }),
      on: fc.array(fc.constantFrom('n1', 'n2', undefined), { minLength: 6, maxLength: 6 }),
      capacity: fc.integer({ min: 1, max: 4 }),
    })
    fc.assert(
      fc.property(world, ({ size, min, on, capacity }) => {
        const cluster = new StagedCluster().node('n1', { cpu: capacity }).node('n2', { cpu: capacity }).queue('q')
        cluster.gang('e', 'q', size, { cpu: 1 }, { minMember: Math.min(min, size), whole: true, on })
        const { evictions } = decidePlacement(cluster.snapshot)
        const placed = on.slice(0, size).filter(Boolean).length
        expect(evictions.every(({ pod }) => !pod.leads)).toBe(true)
        // The leader takes the room of the last one who goes.
        if (evictions.length > 0) expect(placed - evictions.length + 1).toBeGreaterThanOrEqual(Math.min(min, size))
      }),
      { numRuns: 500 },
    )
  })
})
