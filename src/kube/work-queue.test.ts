import { afterEach, expect, test, vi } from 'vitest'
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A queue whose workers wait until the test lets them go. */
function heldQueue(options: Partial<WorkQueueOptions> = {}) {
  const begun: string[] = []
  const held = new Map<string, { finish: () => void; fail: () => void }>()
  const queue = new WorkQueue({
    workers: 2,
    handle: (key) =>
      new Promise((resolve, reject) => {
        begun.push(key)
        held.set(key, { finish: resolve, fail: () => reject(new Error(`${key} failed`)) })
      }),
    ...options,
  })
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const finish = async (key: string) => {
    held.get(key)!.finish()
    await settle()
  }
  const fail = async (key: string) => {
    held.get(key)!.fail()
    await settle()
  }
  return { queue, begun, finish, fail }
}

test('a key waits once, however often it is added', async () => {
  const { queue, begun, finish } = heldQueue({ workers: 1 })
  queue.add('a')
  queue.add('b')
  queue.add('b')
  await finish('a')
  await finish('b')
  expect(begun).toEqual(['a', 'b'])
})

test('a key has one worker; what comes meanwhile is worked on afterwards', async () => {
  const { queue, begun, finish } = heldQueue()
  queue.add('a')
  queue.add('a')
  queue.add('a')
  expect(begun).toEqual(['a'])
  await finish('a')
  expect(begun).toEqual(['a', 'a'])
  await finish('a')
  expect(begun).toEqual(['a', 'a'])
})

test('no more workers than allowed', async () => {
  const { queue, begun, finish } = heldQueue()
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key)
  expect(begun).toEqual(['a', 'b'])
  expect(queue.depth).toBe(2)
  await finish('b')
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('live work goes before resync, and lifts a key out of it', async () => {
  const { queue, begun, finish } = heldQueue({ workers: 1 })
  queue.add('first')
  for (const key of ['r1', 'r2', 'r3']) queue.add(key, 'resync')
  queue.add('live')
  queue.add('r3')
  await finish('first')
  await finish('live')
  await finish('r3')
  await finish('r1')
  expect(begun).toEqual(['first', 'live', 'r3', 'r1', 'r2'])
})

test('failed work is done again, each time later, and success forgets that', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const failures: number[] = []
  const { queue, begun, fail, finish } = heldQueue({
    backoff: { first: 1_000, most: 3_000 },
    onError: (_, __, count) => failures.push(count),
  })
  queue.add('a')
  for (const wait of [1_000, 2_000, 3_000, 3_000]) {
    const before = begun.length
    await fail('a')
    await vi.advanceTimersByTimeAsync(wait / 2 - 1)
    expect(begun).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(wait / 2 + 2)
    expect(begun).toHaveLength(before + 1)
  }
  expect(failures).toEqual([1, 2, 3, 4])
  await finish('a')
  queue.add('a')
  await fail('a')
  expect(failures.at(-1)).toBe(1)
  await queue.stop()
})

test('a schedule is kept to the millisecond, replaced by the next one, and dropped', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const start = Date.now()
  const done: Array<[string, number]> = []
  const queue = new WorkQueue({ handle: async (key) => void done.push([key, Date.now() - start]) })
  queue.schedule('late', start + 3_600_000)
  queue.schedule('soon', start + 50_000)
  queue.schedule('soon', start + 70_000)
  queue.schedule('never', start + 10)
  queue.schedule('never', undefined)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(done).toEqual([
    ['soon', 70_000],
    ['late', 3_600_000],
  ])
  expect(vi.getTimerCount()).toBe(0)
})

test('stopping waits for the work in hand, aborts it and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  let aborted = false
  const queue = new WorkQueue({
    handle: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true
          reject(signal.reason)
        })
      }),
    onError: () => expect.fail('an abort is no failure'),
  })
  queue.add('a')
  queue.schedule('b', Date.now() + 1_000)
  await Promise.all([queue.stop(), queue.stop()])
  queue.add('c')
  queue.schedule('c', Date.now() + 1)
  expect(aborted).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('timers and sockets get their turn between keys whose work waits for nothing', async () => {
  let worked = 0
  const queue = new WorkQueue({ workers: 4, handle: async () => void worked++ })
  for (let i = 0; i < 1_000; i++) queue.add(`key-${i}`)
  await new Promise((resolve) => setImmediate(resolve))
  expect(worked).toBeLessThan(100)
  await vi.waitFor(() => expect(worked).toBe(1_000))
})
