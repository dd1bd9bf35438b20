// What is told, and in which order, is a matter of what happened; the job's record and its pods are heard through
// watches of their own, in any interleaving.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StagedJob } from './staged-job.ts'

/** Each kind of watch tells its own news in order; `read` stands for the end of an attempt's log. */
type News = { from: 'record' | 'pods' | `log ${string}`; tell: (job: StagedJob) => void }

const record = (tell: News['tell']): News => ({ from: 'record', tell })
const pods = (tell: News['tell']): News => ({ from: 'pods', tell })
const log = (uid: string): News => ({ from: `log ${uid}`, tell: (job) => job.view.noteRead(uid) })

/** Every way to shuffle the news without changing the order within one watch. */
function interleaved(news: readonly News[], choices: readonly number[]): News[] {
  const lines = [...Map.groupBy(news, ({ from }) => from).values()].map((line) => [...line])
  const all: News[] = []
  for (let i = 0; all.length < news.length; i++) {
    const open = lines.filter((line) => line.length > 0)
    all.push(open[(choices[i] ?? 0) % open.length]!.shift()!)
  }
  return all
}

function toldIn(news: readonly News[]): string[] {
  const job = StagedJob.digits()
  const told: string[] = []
  for (const { tell } of news) {
    tell(job)
    told.push(...job.view.takeNotices(job.now).map(({ text }) => text))
  }
  job.view.noteAllRead()
  told.push(...job.view.takeNotices(job.now, true).map(({ text }) => text))
  return told
}

function alwaysTells(story: readonly News[], lines: readonly string[]): void {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: story.length }), (choices) => {
      expect(toldIn(interleaved(story, choices))).toEqual(lines)
    }),
    { numRuns: 100 },
  )
}

const starts = (key: string, attempt = 1): News =>
  pods((job) => job.pod(key, { running: { startedAt: '2026-11-16T09:12:04Z' } }, attempt))
const ends = (key: string, exitCode: number, attempt = 1): News =>
  pods((job) => job.ends(key, exitCode, 0, { attempt }))
const isRunning = (running: number): News =>
  record((job) => job.record({ phase: 'Running', aggregate: { ...NONE, running } }))
const NONE = { creating: 0, pending: 0, running: 0, succeeded: 0, failed: 0, unknown: 0, deleted: 0 }
const exited = (exitCode: number) => ({ containers: [{ name: 'train', state: 'Terminated' as const, exitCode }] })
const grants = (key: string, attempt: number, exitCode: number): News =>
  record((job) => {
    const uid = `${key}#${attempt - 1}`
    const change = { uid, replaces: uid, attempt, restartCount: attempt - 1, phase: 'Failed', ...exited(exitCode) }
    job.entry(key, change, { backoffCount: attempt - 1 })
  })
const adopts = (key: string, attempt: number): News =>
  record((job) => job.entry(key, { uid: `${key}#${attempt}`, phase: 'Running' }))

test('a restart is told after the failure it follows, and the next failure after it', () => {
  alwaysTells(
    [
      starts('worker-1'),
      isRunning(4),
      ends('worker-1', 7),
      log('worker-1#1'),
      grants('worker-1', 2, 7),
      starts('worker-1', 2),
      adopts('worker-1', 2),
      ends('worker-1', 9, 2),
      log('worker-1#2'),
      grants('worker-1', 3, 9),
    ],
    [
      'digits Running: 4 of 4 running',
      'worker-1 failed: exit 7, it wrote nothing',
      'worker-1 is started again (restartPolicy OnFailure, restart 1 of 3)',
      'worker-1 failed: exit 9, it wrote nothing',
      'worker-1 is started again (restartPolicy OnFailure, restart 2 of 3)',
    ],
  )
})

test('a failure before the job was Running is told before it', () => {
  alwaysTells(
    [starts('worker-1'), ends('worker-1', 7), log('worker-1#1'), grants('worker-1', 2, 7), isRunning(3)],
    [
      'worker-1 failed: exit 7, it wrote nothing',
      'worker-1 is started again (restartPolicy OnFailure, restart 1 of 3)',
      'digits Running: 3 of 4 running',
    ],
  )
})

test('a failure that pods no longer tell of is told from the record', () => {
  alwaysTells(
    [isRunning(4), grants('worker-1', 2, 137), starts('worker-1', 2)],
    [
      'digits Running: 4 of 4 running',
      'worker-1 failed: killed by SIGKILL (exit 137)',
      'worker-1 is started again (restartPolicy OnFailure, restart 1 of 3)',
    ],
  )
})

test('where one failure starts everything again, it is told first', () => {
  alwaysTells(
    [
      isRunning(4),
      ends('worker-2', 1),
      log('worker-2#1'),
      record((job) => {
        const owed = (key: string) => ({ uid: `${key}#1`, replaces: `${key}#1`, attempt: 2 })
        job.entries({
          'master-0': owed('master-0'),
          'worker-2': { ...owed('worker-2'), restartCount: 1, phase: 'Failed', ...exited(1) },
        })
      }),
    ],
    [
      'digits Running: 4 of 4 running',
      'worker-2 failed: exit 1, it wrote nothing',
      'worker-2 is started again (restartPolicy OnFailure, restart 1 of 3)',
      'master-0 is started again (its pod was lost; no restart is spent)',
    ],
  )
})

test('what never comes is not waited for without end', () => {
  const job = StagedJob.digits()
  grants('worker-1', 2, 7).tell(job)
  expect(job.view.takeNotices(job.now)).toEqual([])
  job.at = 11_000
  expect(job.view.takeNotices(job.now)).toHaveLength(2)
})
