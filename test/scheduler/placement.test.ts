import { describe, expect, test } from 'vitest'
import { decidePlacement } from '../../src/scheduler/place/decide-placement.ts'
import { StagedCluster } from './staged-cluster.ts'

const four = (): StagedCluster =>
  new StagedCluster().node('n1', { cpu: 4 }).node('n2', { cpu: 4 }).queue('q').queue('high', {}, { priority: 9 })

describe('all or nothing', () => {
  test('a gang is placed as a whole, over several nodes', () => {
    const { bound } = four().gang('g', 'q', 4, { cpu: 2 }).decide()
    expect(bound).toEqual(['g-0@n1', 'g-1@n1', 'g-2@n2', 'g-3@n2'])
  })

  test('or not at all, and smaller ones behind it may go', () => {
    const told = four().gang('big', 'q', 3, { cpu: 3 }).gang('small', 'q', 2, { cpu: 4 }).decide()
    expect(told.bound).toEqual(['small-0@n1', 'small-1@n2'])
  })

  test('what is more than the minimum comes as far as there is room', () => {
    const told = four().gang('g', 'q', 6, { cpu: 2 }, { minMember: 2 }).decide()
    expect(told.bound).toHaveLength(4)
    expect(told.waits.g?.message).toBe('needs 2 CPU, 0 of 8 free; 1st of 1 in queue q')
  })

  test('every role needs its own minimum', () => {
    const cluster = new StagedCluster().node('n', { cpu: 8 }).queue('q')
    cluster.gang('g', 'q', 2, { cpu: 1 }, { minMember: 2, roles: [{ name: 'ps', minMember: 1 }] })
    expect(cluster.decide().waits.g).toEqual({
      reason: 'NotEnoughMembers',
      message: '0 of the 1 pods that role ps of its group needs are there; 1st of 1 in queue q',
    })
  })

  test('a member that comes back joins those that run; others that are gone for good are not waited for', () => {
    const cluster = four().gang('g', 'q', 2, { cpu: 1 }, { on: ['n1'], minMember: 3, whole: true })
    expect(cluster.decide().bound).toEqual(['g-1@n1'])
  })

  test('a gang of which nothing runs any more needs all its members again', () => {
    const told = four().gang('g', 'q', 2, { cpu: 1 }, { minMember: 3, whole: true }).decide()
    expect(told.bound).toEqual([])
    expect(told.waits.g?.reason).toBe('NotEnoughMembers')
  })

  test('two gangs that wait for each other: the later one gives way', () => {
    const cluster = four()
      .gang('first', 'q', 3, { cpu: 2 }, { on: ['n1', 'n1'], whole: true })
      .gang('second', 'q', 3, { cpu: 2 }, { on: ['n2', 'n2'], whole: true })
    expect(cluster.decide()).toMatchObject({ bound: [], evicted: ['second-0', 'second-1'] })
  })

  test('a gang that was never whole and cannot become so gives its room back', () => {
    const told = four()
      .gang('g', 'q', 5, { cpu: 2 }, { on: ['n1'] })
      .decide()
    expect(told).toMatchObject({ bound: [], evicted: ['g-0'] })
  })
})

describe('whose turn', () => {
  test('the queue of higher priority, then priority in the queue, then age', () => {
    const cluster = new StagedCluster().node('n', { cpu: 3 }).queue('low').queue('high', {}, { priority: 5 })
    cluster
      .pod('old', 'low', { cpu: 1 })
      .pod('new', 'low', { cpu: 1 })
      .pod('urgent', 'low', { cpu: 1 }, { priority: 1 })
      .pod('top', 'high', { cpu: 1 })
    expect(cluster.decide().bound).toEqual(['top@n', 'urgent@n', 'old@n'])
  })

  test('queues of equal priority take turns by the part of their quota', () => {
    const cluster = new StagedCluster().node('n', { cpu: 3 }).queue('a', { cpu: 8 }).queue('b', { cpu: 4 })
    for (const i of [0, 1, 2]) cluster.pod(`a${i}`, 'a', { cpu: 1 }).pod(`b${i}`, 'b', { cpu: 1 })
    expect(cluster.decide().bound).toEqual(['a0@n', 'b0@n', 'a1@n'])
  })

  test('who has waited too long has nodes kept for it', () => {
    const cluster = new StagedCluster().node('n1', { cpu: 4 }).node('n2', { cpu: 4 }).queue('q')
    cluster
      .pod('runs', 'q', { cpu: 2 }, { node: 'n1' })
      .gang('large', 'q', 1, { cpu: 4 })
      .pod('taken', 'q', { cpu: 1 }, { node: 'n2' })
      .pod('small', 'q', { cpu: 2 })
      .pod('smaller', 'q', { cpu: 2 })
    expect(cluster.decide().bound).toEqual(['small@n1', 'smaller@n2'])
    cluster.settings.patience = 1
    const told = cluster.decide()
    expect(told.bound).toEqual(['small@n1'])
    expect(told.waits.smaller?.message).toBe(
      'what is free is kept for large, which has waited longer; 2nd of 2 in queue q, after large',
    )
  })

  test('the more of the cluster somebody needs, the longer it waits until room is kept for it', () => {
    const waitsFor = (pods: number, cpu: number): number | undefined => {
      const cluster = four().pod('runs', 'q', { cpu: 1 }, { node: 'n1' }).pod('too', 'q', { cpu: 1 }, { node: 'n2' })
      cluster.settings.patience = 1_000_000_000
      const gang = cluster.gang('g', 'q', pods, { cpu }).snapshot.groups.at(-1)!
      return (decidePlacement(cluster.snapshot).wakeAt! - gang.createdAt) / cluster.settings.patience
    }
    expect([waitsFor(1, 4), waitsFor(2, 4)]).toEqual([2.5, 4])
  })
})

describe('making room', () => {
  test('of a gang all go, of its extras as few as possible', () => {
    const elastic = four().gang('e', 'q', 4, { cpu: 2 }, { minMember: 2, on: ['n1', 'n1', 'n2', 'n2'] })
    expect(elastic.gang('h', 'high', 1, { cpu: 2 }).decide().evicted).toEqual(['e-3'])
    const stiff = four().gang('s', 'q', 4, { cpu: 2 }, { on: ['n1', 'n1', 'n2', 'n2'] })
    expect(stiff.gang('h', 'high', 1, { cpu: 2 }).decide().evicted).toHaveLength(4)
  })

  test('nobody leaves who does not have to', () => {
    const cluster = four()
      .gang('a', 'q', 1, { cpu: 4 }, { on: ['n1'], priority: 1 })
      .gang('b', 'q', 1, { cpu: 1 }, { on: ['n2'] })
      .gang('h', 'high', 1, { cpu: 4 })
    expect(cluster.decide().evicted).toEqual(['b-0'])
  })

  test('of two that would suffice the one goes that holds less, however many pods it is', () => {
    const cluster = new StagedCluster().node('n1', { cpu: 4 }).node('n2', { cpu: 3 }).queue('q')
    cluster
      .queue('high', {}, { priority: 9 })
      .gang('one', 'q', 1, { cpu: 4 }, { on: ['n1'] })
      .gang('many', 'q', 3, { cpu: 1 }, { on: ['n2', 'n2', 'n2'] })
      .gang('h', 'high', 1, { cpu: 3 })
    expect(cluster.decide().evicted).toEqual(['many-0', 'many-1', 'many-2'])
  })

  test('not from queues that are not preemptible, nor for a gang that would still not fit', () => {
    const cluster = new StagedCluster().node('n', { cpu: 4 }).queue('firm', {}, { preemptible: false })
    cluster.queue('q').queue('high', {}, { priority: 9 })
    cluster.gang('f', 'firm', 1, { cpu: 2 }, { on: ['n'] }).gang('s', 'q', 1, { cpu: 2 }, { on: ['n'] })
    cluster.gang('h', 'high', 1, { cpu: 4 })
    expect(cluster.decide().evicted).toEqual([])
  })

  test('the room of those who leave is kept for whom they leave', () => {
    const cluster = four()
      .pod('goes', 'q', { cpu: 4 }, { node: 'n1', state: 'leaving' })
      .pod('stays', 'q', { cpu: 3 }, { node: 'n2' })
      .gang('h', 'high', 1, { cpu: 4 })
      .pod('other', 'q', { cpu: 1 })
      .pod('another', 'q', { cpu: 1 })
    const told = cluster.decide()
    expect(told).toMatchObject({ bound: ['other@n2'], evicted: [] })
    expect(told.waits.h?.message).toBe('room is being made for it: 1 pod is leaving; 1st of 1 in queue high')
  })
})

describe('queues', () => {
  const one = (rest: object, quota = {}): StagedCluster =>
    new StagedCluster().node('n', { cpu: 8 }).queue('q', quota, rest)

  test.each([
    ['closed', one({ closed: true }), 'q', 'QueueClosed', 'queue q is closed; 1st of 1 in queue q'],
    ['missing', one({}), 'nix', 'QueueNotFound', 'queue nix does not exist; there is q'],
    [
      'for others',
      one({ namespaceSelector: { matchLabels: { team: 'red' } } }),
      'q',
      'NamespaceNotAllowed',
      'queue q is not open to namespace default; 1st of 1 in queue q',
    ],
    [
      'too small a quota',
      one({}, { cpu: 3 }),
      'q',
      'QuotaTooSmall',
      '2 pods need 4 CPU together, but the quota of queue q is 3 in all; 1st of 1 in queue q',
    ],
  ])('%s', (_, cluster, queue, reason, message) => {
    const told = cluster.gang('g', queue, 2, { cpu: 2 }).decide()
    expect(told).toEqual({ bound: [], evicted: [], waits: { g: { reason, message } } })
  })

  test('a selector of namespaces lets in whom it names; without one it is a matter of the cluster', () => {
    const byName = { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['default'] }] }
    expect(one({ namespaceSelector: byName }).gang('g', 'q', 1, {}).decide().bound).toHaveLength(1)
    const strict = one({}).gang('g', 'q', 1, {})
    strict.settings.openWithoutSelector = false
    expect(strict.decide().waits.g?.reason).toBe('NamespaceNotAllowed')
  })

  test('a quota below what is used lets nobody in and sends nobody away', () => {
    const told = one({}, { cpu: 2 })
      .gang('a', 'q', 1, { cpu: 4 }, { on: ['n'] })
      .gang('b', 'q', 1, { cpu: 1 })
      .decide()
    expect(told).toMatchObject({ bound: [], evicted: [] })
    expect(told.waits.b?.message).toBe(
      'needs 1 CPU, 0 of 2 left in the quota of queue q; 4 are in use, more than the quota; a holds 4; 1st of 1 in queue q',
    )
  })

  test('a queue uses only the nodes it selects', () => {
    const cluster = new StagedCluster().node('a', { cpu: 1 }).node('b', { cpu: 1 }, { labels: { gpu: 'yes' } })
    const nodeSelector = { matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }
    cluster.queue('q', {}, { nodeSelector }).gang('g', 'q', 1, { cpu: 1 }).gang('h', 'q', 1, { cpu: 1 })
    const told = cluster.decide()
    expect(told.bound).toEqual(['g-0@b'])
    expect(told.waits.h?.message).toBe('needs 1 CPU, 0 of 1 free; 1st of 1 in queue q')
  })
})

describe('what is said', () => {
  const machine = (): StagedCluster => new StagedCluster().node('n', { cpu: 8 }).queue('q')

  test('of a pod without a queue: what is missing and who has it', () => {
    const told = machine()
      .pod('sweep-3', undefined, { cpu: 4 }, { node: 'n' })
      .pod('digits', undefined, { cpu: 3 }, { node: 'n' })
      .pod('p', undefined, { cpu: 2 })
      .pod('huge', undefined, { cpu: 9 })
      .decide()
    expect(told.waits.p?.message).toBe('needs 2 CPU, 1 of 8 free; sweep-3 holds 4, digits holds 3')
    expect(told.waits.huge?.message).toBe('needs 9 CPU, but the machine has 8 in all')
  })

  test('of a gang: all it needs together, and its place in the queue', () => {
    const cluster = machine().gang('holder', 'q', 1, { cpu: 6 }, { on: ['n'] })
    for (const name of ['a', 'b', 'c', 'd', 'e']) cluster.gang(name, 'q', 3, { cpu: 2 })
    const { waits } = cluster.decide()
    expect(waits.a?.message).toBe('3 pods need 6 CPU together, 2 of 8 are free; holder holds 6; 1st of 5 in queue q')
    expect(waits.c?.message).toContain('3rd of 5 in queue q, after b, a')
    expect(waits.e?.message).toContain('5th of 5 in queue q, after d, c, b and 1 more')
  })

  test('of a gang in a queue of lower priority: how many of others go first', () => {
    const cluster = machine().queue('high', {}, { priority: 5 }).queue('shut', {}, { priority: 9, closed: true })
    cluster.pod('holder', undefined, { cpu: 8 }, { node: 'n' }).pod('outside', 'shut', { cpu: 1 })
    cluster.pod('low', 'q', { cpu: 1 }).pod('first', 'high', { cpu: 1 })
    const position = (): string | undefined => cluster.decide().waits.low?.message.replace(/.*holds 8; /, '')
    expect(position()).toBe('1st of 1 in queue q, behind 1 of a queue of higher priority')
    cluster.pod('second', 'high', { cpu: 2 })
    expect(position()).toBe('1st of 1 in queue q, behind 2 of queues of higher priority')
    expect(cluster.decide().waits.first?.message).toMatch(/1st of 2 in queue high$/)
  })

  test('of a cluster that could never do it', () => {
    const pair = (): StagedCluster => new StagedCluster().node('a', { cpu: 4 }).node('b', { cpu: 4 }).queue('q')
    const messages = [
      pair().gang('g', 'q', 5, { cpu: 2 }),
      pair().gang('g', 'q', 1, { cpu: 5 }),
      pair().gang('g', 'q', 2, { cpu: 3 }).gang('h', 'q', 2, { cpu: 1 }),
      pair().gang('g', 'q', 3, { cpu: 2.5 }),
      pair().gang('g', 'q', 1, { 'nvidia.com/gpu': 1 }),
    ].map((cluster) => cluster.decide().waits.g?.message.replace(/;.*/, ''))
    expect(messages).toEqual([
      '5 pods need 10 CPU together, but the cluster has 8 in all',
      'needs 5 CPU on one node, but the largest has 4',
      undefined,
      'its 3 pods would not fit on 2 nodes even if these were empty',
      'needs 1 nvidia.com/gpu, but the cluster has 0 in all',
    ])
  })

  test('of room that is there, but in pieces', () => {
    const cluster = new StagedCluster().node('a', { cpu: 4 }).node('b', { cpu: 4 }).queue('q')
    cluster
      .pod('x', 'q', { cpu: 2 }, { node: 'a' })
      .pod('y', 'q', { cpu: 2 }, { node: 'b' })
      .gang('g', 'q', 1, { cpu: 3 })
    expect(cluster.decide().waits.g?.message).toBe(
      'needs 3 CPU on one node, at most 2 of 4 free on any of 2; x holds 2, y holds 2; 1st of 1 in queue q',
    )
  })

  test('of nodes that are not fit for it', () => {
    const cluster = new StagedCluster().node('a', { cpu: 4 }).node('b', { cpu: 4 }, { usable: false }).queue('q')
    cluster.pod('p', undefined, { cpu: 1 }, { nodeSelector: { disk: 'fast' } })
    expect(cluster.decide().waits.p).toEqual({
      reason: 'NoMatchingNode',
      message: 'none of 2 nodes matches its nodeSelector and is ready',
    })
  })

  test('of a pod whose group nobody has made', () => {
    const cluster = machine().pod('p', 'q', { cpu: 1 }, { group: 'default/gone' })
    expect(cluster.decide().waits.gone).toEqual({
      reason: 'GroupNotFound',
      message: 'its pod group gone does not exist',
    })
  })
})
