import { expect, test, vi } from 'vitest'
import type { Event } from '../../gen/kubernetes-types.ts'
import { toTimestamp } from '../lib/time.ts'
import { ApiError } from './errors.ts'
import { EventRecorder, type EventRecorderOptions } from './event-recorder.ts'
import type { KubeObject } from './resource.ts'

const job: KubeObject = { apiVersion: 'x/v1', kind: 'Job', metadata: { namespace: 'n', name: 'j', uid: 'u' } }
const note = (message: string) => ({ type: 'Normal' as const, reason: 'Test', message })

function recorder(options: Partial<EventRecorderOptions> = {}) {
  const written: string[] = []
  const dropped: string[] = []
  let failing: Error | undefined
  let forgotten = false
  const client = {
    async create(_: unknown, event: { message?: string }) {
      if (failing) throw failing
      written.push(`create ${event.message}`)
      return event
    },
    async patch(_: unknown, __: unknown, patch: { body: { count?: number } }) {
      if (failing ?? forgotten) throw failing ?? new ApiError({ code: 404 })
      written.push(`count ${patch.body.count}`)
      return {}
    },
  }
  const events = new EventRecorder({
    client: client as unknown as EventRecorderOptions['client'],
    component: 'test',
    onDropped: ({ message }) => dropped.push(message),
    ...options,
  })
  return {
    events,
    written,
    dropped,
    fail(error: Error | undefined) {
      failing = error
    },
    forget() {
      forgotten = true
    },
  }
}

test('the same words are counted, other words are a new event, in order', async () => {
  const { events, written } = recorder()
  for (const words of ['a', 'b', 'a', 'a']) events.record(job, note(words))
  await events.flush()
  expect(written).toEqual(['create a', 'create b', 'count 2', 'count 3'])
})

test('an event the API has forgotten is written anew', async () => {
  const { events, written, forget } = recorder()
  events.record(job, note('a'))
  await events.flush()
  forget()
  events.record(job, note('a'))
  await events.flush()
  expect(written).toEqual(['create a', 'create a'])
})

test('an object that talks too much is cut short and may speak again later; others are not affected', async () => {
  let now = 0
  const { events, written, dropped } = recorder({ burst: 3, perMinute: 2, now: () => now })
  for (let i = 0; i < 5; i++) events.record(job, note(`${i}`))
  events.record({ ...job, metadata: { ...job.metadata, uid: 'other' } }, note('other'))
  now = 60_000
  for (let i = 5; i < 9; i++) events.record(job, note(`${i}`))
  await events.flush()
  expect(written).toContain('create other')
  expect(written.filter((line) => line !== 'create other')).toEqual([
    'create 0',
    'create 1',
    'create 2',
    'create 5',
    'create 6',
  ])
  expect(dropped).toEqual(['3', '4', '7', '8'])
})

test('a failing API does not reach the caller and does not stop later events', async () => {
  const errors: unknown[] = []
  const { events, written, fail } = recorder({ onError: (error) => errors.push(error) })
  fail(new Error('down'))
  events.record(job, note('lost'))
  await events.flush()
  fail(undefined)
  events.record(job, note('kept'))
  await events.stop()
  expect(errors).toHaveLength(1)
  expect(written).toEqual(['create kept'])
  events.record(job, note('too late'))
  await events.flush()
  expect(written).toEqual(['create kept'])
})

test('while there is more important work events wait, but not for ever, and keep the time they were said at', async () => {
  vi.useFakeTimers()
  try {
    let busy = true
    const times: Array<string | undefined> = []
    const { events, written } = recorder({
      isBusy: () => busy,
      client: {
        create: async (_: unknown, event: Event) => {
          times.push(event.firstTimestamp)
          written.push(`create ${event.message}`)
          return event
        },
      } as unknown as EventRecorderOptions['client'],
    })
    const start = Date.now()
    const second = (instant: number) => toTimestamp(Math.floor(instant / 1000) * 1000)
    events.record(job, note('a'))
    await vi.advanceTimersByTimeAsync(59_000)
    events.record(job, note('b'))
    expect(written).toEqual([])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(written).toEqual(['create a'])
    busy = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(written).toEqual(['create a', 'create b'])
    expect(times).toEqual([second(start), second(start + 59_000)])
  } finally {
    vi.useRealTimers()
  }
})

test('a warning does not wait for more important work, nor does what was said of the same object before it', async () => {
  const { events, written } = recorder({ isBusy: () => true })
  const other = { ...job, metadata: { ...job.metadata, uid: 'other' } }
  events.record(other, note('of another'))
  events.record(job, note('before'))
  events.record(job, { ...note('in trouble'), type: 'Warning' })
  events.record(job, note('after'))
  await vi.waitFor(() => expect(written).toEqual(['create before', 'create in trouble']))
  expect(events.waiting).toBe(2)
  await events.stop()
  expect(written.slice(2)).toEqual(['create of another', 'create after'])
  expect(events.waiting).toBe(0)
})

test('what waits for more important work is written at the end', async () => {
  const { events, written } = recorder({ isBusy: () => true })
  events.record(job, note('a'))
  expect(written).toEqual([])
  await events.stop()
  expect(written).toEqual(['create a'])
})

test('not too many events wait for more important work', async () => {
  const { events, written } = recorder({ isBusy: () => true, burst: 10_000 })
  for (let i = 0; i < 2_600; i++) events.record(job, note(`${i}`))
  await vi.waitFor(() => expect(written).toHaveLength(100))
  await events.stop()
  expect(written).toHaveLength(2_600)
})

test('events rest, so that what they tell of goes first', async () => {
  vi.useFakeTimers()
  try {
    const { events, written } = recorder({ rest: 250 })
    events.record(job, note('a'))
    await vi.advanceTimersByTimeAsync(200)
    expect(written).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    expect(written).toEqual(['create a'])
    events.record(job, note('b'))
    await events.stop()
    expect(written).toEqual(['create a', 'create b'])
  } finally {
    vi.useRealTimers()
  }
})
