import { expect, test } from 'vitest'
import type { KubeObject } from '../../api/types.ts'
import { JobCache } from './own-writes.ts'

function pod(resourceVersion: string, uid = 'u1'): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', uid, resourceVersion } }
}

test('the newest resourceVersion wins, as a number', () => {
  const cache = new JobCache()
  expect(cache.put('Pod', pod('99'))).toBe(true)
  expect(cache.put('Pod', pod('100'))).toBe(true)
  expect(cache.put('Pod', pod('99'))).toBe(false)
  expect(cache.list('Pod')).toEqual([pod('100')])
})

test('an answer that arrives after the news of the deletion does not bring the object back', () => {
  const cache = new JobCache()
  cache.remove('Pod', 'a', 'u1')
  expect(cache.put('Pod', pod('5'))).toBe(false)
  expect(cache.put('Pod', pod('6', 'u2'))).toBe(true)
})

test('news of an old deletion does not remove the successor', () => {
  const cache = new JobCache()
  cache.put('Pod', pod('6', 'u2'))
  cache.remove('Pod', 'a', 'u1')
  expect(cache.list('Pod')).toHaveLength(1)
})

test('the job is kept by the same rules', () => {
  const cache = new JobCache()
  cache.putJob(pod('10'))
  expect(cache.putJob(pod('9'))).toBe(false)
  cache.removeJob('another')
  expect(cache.job).toEqual(pod('10'))
  cache.removeJob('u1')
  expect(cache.job).toBeUndefined()
  expect(cache.putJob(pod('11'))).toBe(false)
})
