import { expect, test } from 'vitest'
import { findOverdue } from '../../src/scheduler/max-duration.ts'
import { StagedCluster } from './staged-cluster.ts'

test('age counts from creation, for those who run and those who wait, in queues that limit it', () => {
  const cluster = new StagedCluster().queue('short', {}, { maxDuration: 100 }).queue('long')
  cluster.settings.now = 150
  cluster
    .pod('ran', 'short', {}, { node: 'n', createdAt: 40 })
    .pod('waited', 'short', {}, { createdAt: 50 })
    .pod('young', 'short', {}, { node: 'n', createdAt: 60 })
    .pod('younger', 'short', {}, { node: 'n', createdAt: 70 })
    .pod('leaving', 'short', {}, { node: 'n', state: 'leaving', createdAt: 0 })
    .pod('elsewhere', 'long', {}, { node: 'n', createdAt: 0 })
  const { pods, next } = findOverdue(cluster.snapshot)
  expect(pods.map(({ name }) => name)).toEqual(['ran', 'waited'])
  expect(next).toBe(160)
})
