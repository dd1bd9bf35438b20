import { expect, test } from 'vitest'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { decideEviction, storageLimitsOf } from './storage-limits.ts'

const MIB = 1024 * 1024

function pod(sizeLimit: string | undefined, ...ephemeral: Array<string | undefined>): Pod {
  const containers = ephemeral.map((limit, i) => ({
    name: `c${i}`,
    ...(limit !== undefined && { resources: { limits: { 'ephemeral-storage': limit } } }),
  }))
  return { spec: { containers, volumes: [{ name: 'cache', emptyDir: { ...(sizeLimit && { sizeLimit }) } }] } } as Pod
}

const judge = (limited: Pod, cache: number, whole = cache) => {
  const limits = storageLimitsOf(limited)
  return limits && decideEviction(limits, { volumes: new Map([['cache', cache]]), pod: whole })
}

test('a pod without limits is not looked at', () => {
  expect(storageLimitsOf(pod(undefined, undefined))).toBeUndefined()
  expect(storageLimitsOf(pod('0', '0'))).toBeUndefined()
  expect(storageLimitsOf({ spec: { containers: [] } } as Pod)).toBeUndefined()
})

test.each([
  [pod('1Mi', undefined), MIB, undefined],
  [pod('1Mi', undefined), MIB + 1, 'Usage of EmptyDir volume "cache" exceeds the limit "1Mi".'],
  [pod('0.5Gi', undefined), 1024 * MIB, 'Usage of EmptyDir volume "cache" exceeds the limit "512Mi".'],
  [pod('1M', undefined), 1_000_001, 'Usage of EmptyDir volume "cache" exceeds the limit "1M".'],
])('an emptyDir may hold what its limit says, and no more: %j', (limited, bytes, message) => {
  expect(judge(limited, bytes)).toBe(message)
})

test('what containers may take together counts for the whole pod', () => {
  const limited = pod(undefined, '2Mi', undefined, '1Mi')
  expect(judge(limited, 0, 3 * MIB)).toBeUndefined()
  expect(judge(limited, 0, 3 * MIB + 1)).toBe(
    'Pod ephemeral local storage usage exceeds the total limit of containers 3Mi.',
  )
})
