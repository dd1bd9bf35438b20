// The examples by which T9k's manual explains its scheduler's policies.
import { expect, test } from 'vitest'
import { QueueBook } from '../../src/scheduler/place/queue-book.ts'
import { StagedCluster } from './staged-cluster.ts'

/** 300 CPU, all of them in use: A has 3 × 50, B, C and D 50 each. */
function fullCluster(): StagedCluster {
  const asks = { cpu: 50 }
  const placed = { node: 'n' }
  return new StagedCluster()
    .node('n', { cpu: 300 })
    .queue('A', { cpu: 200 }, { priority: 1 })
    .queue('B', { cpu: 100 }, { priority: 1 })
    .queue('C', { cpu: 50 }, { priority: 2 })
    .queue('D', { cpu: 200 }, { priority: 2 })
    .pod('A1', 'A', asks, placed)
    .pod('A2', 'A', asks, placed)
    .pod('A3', 'A', asks, placed)
    .pod('B1', 'B', asks, placed)
    .pod('C1', 'C', asks, placed)
    .pod('D1', 'D', asks, placed)
}

test('B2 waits: no queue has a lower priority than its own', () => {
  const { bound, evicted, waits } = fullCluster().pod('B2', 'B', { cpu: 50 }).decide()
  expect({ bound, evicted }).toEqual({ bound: [], evicted: [] })
  expect(waits.B2?.reason).toBe('InsufficientResources')
})

test('C2 waits: nobody is sent away for more than the own quota', () => {
  const { bound, evicted, waits } = fullCluster().pod('C2', 'C', { cpu: 50 }).decide()
  expect({ bound, evicted }).toEqual({ bound: [], evicted: [] })
  expect(waits.C2?.reason).toBe('QuotaExceeded')
})

test('D2 gets the room of A3', () => {
  const { bound, evicted, waits } = fullCluster().pod('D2', 'D', { cpu: 50 }).decide()
  expect({ bound, evicted }).toEqual({ bound: [], evicted: ['A3'] })
  expect(waits.D2?.reason).toBe('WaitingForRoom')
})

test('all three at once end alike', () => {
  const cluster = fullCluster().pod('B2', 'B', { cpu: 50 }).pod('C2', 'C', { cpu: 50 }).pod('D2', 'D', { cpu: 50 })
  expect(cluster.decide().evicted).toEqual(['A3'])
})

test('the part that counts is the largest of its own quota: A 5/8, B 1/2', () => {
  const { queues } = twoQueues().snapshot
  const book = new QueueBook(new Map())
  const [a, b] = [queues[0]!, queues[1]!]
  book.take(
    'A',
    new Map([
      ['cpu', 3000],
      ['memory', 5],
    ]),
  )
  book.take(
    'B',
    new Map([
      ['cpu', 3000],
      ['memory', 4],
    ]),
  )
  expect(book.dominantShare(a)).toBe(5 / 8)
  expect(book.dominantShare(b)).toBe(1 / 2)
})

test('of queues of equal priority the one with the smaller part is served first', () => {
  const told = twoQueues()
    .pod('held-a', 'A', { cpu: 3, memory: 5 }, { node: 'n' })
    .pod('held-b', 'B', { cpu: 3, memory: 4 }, { node: 'n' })
    .pod('next-a', 'A', { cpu: 1 })
    .pod('next-b', 'B', { cpu: 1 })
    .decide()
  expect(told.bound).toEqual(['next-b@n'])
  expect(told.waits['next-a']?.reason).toBe('InsufficientResources')
})

function twoQueues(): StagedCluster {
  return new StagedCluster()
    .node('n', { cpu: 7, memory: 100 })
    .queue('A', { cpu: 6, memory: 8 })
    .queue('B', { cpu: 8, memory: 8 })
}
