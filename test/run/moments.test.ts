// The moments of the golden transcript's section 2, one after the other, on a wide and on a narrow terminal.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildSummary } from '../../src/cli/run/view/summary.ts'
import { Screen } from './screen.ts'
import { StagedJob } from './staged-job.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

type Moment = 'waiting' | 'running' | 'killed' | 'done'

/** What stands on the screen at each moment, the lines above the table left out. */
async function play(columns: number, rows: number): Promise<Record<Moment, string>> {
  const job = StagedJob.digits()
  const screen = new Screen(job, columns, rows)
  const write = (key: string, line: string, attempt = 1): void => {
    job.writes(key, line, attempt)
    screen.display.line(job.view.replicas.find(({ place }) => place.key === key)!, line)
  }
  const picture = async (at: number): Promise<string> => {
    job.at = at
    for (const notice of job.view.takeNotices(job.now)) screen.display.notice(notice)
    vi.advanceTimersByTime(100)
    const text = await screen.text()
    expect(text.match(/^REPLICA/gm)).toHaveLength(1)
    return text.slice(text.lastIndexOf('\ndigits  ') + 1)
  }
  const waiting = await picture(200)
  for (const key of job.keys) job.runs(key)
  job.record({ phase: 'Running' })
  write('master-0', 'world of 4, 240 steps, batch 64 per rank')
  for (const n of [0, 2, 1]) write(`worker-${n}`, `rank ${n + 1} joined 127.0.0.1:41873`)
  for (const n of [0, 1, 2]) job.writes(`worker-${n}`, 'step  40/240')
  write('master-0', 'step  40/240  loss 1.6032  acc 0.52')
  const running = await picture(4_200)
  job.at = 7_600
  job.ends('worker-1', 137, 200)
  job.view.noteRead('worker-1#1')
  job.entry('worker-1', { replaces: 'worker-1#1', attempt: 2, restartCount: 1 }, { backoffCount: 1 })
  write('master-0', 'lost rank 2, waiting for it at step 85')
  const killed = await picture(8_000)
  job.runs('worker-1', 2)
  for (const [key, at, started, attempt] of [
    ['worker-0', 18_200, 200, 1],
    ['worker-1', 18_200, 8_200, 2],
    ['worker-2', 18_200, 200, 1],
    ['master-0', 19_000, 0, 1],
  ] as const) {
    job.at = at
    write(key, key === 'master-0' ? 'saved model.json' : 'bye', attempt)
    job.ends(key, 0, started, { attempt })
    job.view.noteRead(`${key}#${attempt}`)
    job.entry(key, { uid: `${key}#${attempt}`, phase: 'Succeeded' })
  }
  job.record({ phase: 'Succeeded', finishedBy: 'Success', completionTime: '2026-11-16T09:12:23Z' })
  job.view.takeNotices(job.now)
  screen.display.finish(buildSummary(job.view, job.now, { flags: '' }))
  const text = await screen.text()
  return { waiting, running, killed, done: text.slice(text.lastIndexOf('\ndigits  ') + 1) }
}

test('100 columns', async () => {
  expect(await play(100, 30)).toEqual({
    waiting: `digits  Pending  0:00                                                                     4 starting
REPLICA   RANK  STATE       FOR  RESTARTS  LAST LINE
master-0     0  Starting   0.2s         0
worker-0     1  Starting   0.2s         0
worker-1     2  Starting   0.2s         0
worker-2     3  Starting   0.2s         0`,
    running: `digits  Running  0:04                                                                      4 running
REPLICA   RANK  STATE       FOR  RESTARTS  LAST LINE
master-0     0  Running      4s         0  step  40/240  loss 1.6032  acc 0.52
worker-0     1  Running      4s         0  step  40/240
worker-1     2  Running      4s         0  step  40/240
worker-2     3  Running      4s         0  step  40/240`,
    killed: `digits  Running  0:08                                                         3 running · 1 starting
REPLICA   RANK  STATE       FOR  RESTARTS  LAST LINE
master-0     0  Running      8s         0  lost rank 2, waiting for it at step 85
worker-0     1  Running      8s         0  step  40/240
worker-1     2  Restarting   0s         1  was: killed by SIGKILL (exit 137)
worker-2     3  Running      8s         0  step  40/240`,
    done: `digits  Succeeded  0:19                                                                  4 succeeded
REPLICA   RANK  STATE       RAN  RESTARTS  LAST LINE
master-0     0  Succeeded   19s         0  saved model.json
worker-0     1  Succeeded   18s         0  bye
worker-1     2  Succeeded   10s         1  bye
worker-2     3  Succeeded   18s         0  bye

✓ digits succeeded in 19 s: master-0 finished, and master-0 decides. 1 restart (worker-1).
  logs     trainyard logs digits
  details  trainyard describe digits`,
  })
})

test('60 columns: the last column is cut, nothing else moves', async () => {
  const narrow = await play(60, 20)
  expect(narrow).toEqual({
    waiting: `digits  Pending  0:00                             4 starting
REPLICA   RANK  STATE       FOR  RESTARTS  LAST LINE
master-0     0  Starting   0.2s         0
worker-0     1  Starting   0.2s         0
worker-1     2  Starting   0.2s         0
worker-2     3  Starting   0.2s         0`,
    running: `digits  Running  0:04                              4 running
REPLICA   RANK  STATE       FOR  RESTARTS  LAST LINE
master-0     0  Running      4s         0  step  40/240  lo…
worker-0     1  Running      4s         0  step  40/240
worker-1     2  Running      4s         0  step  40/240
worker-2     3  Running      4s         0  step  40/240`,
    killed: `digits  Running  0:08                 3 running · 1 starting
REPLICA   RANK  STATE       FOR  RESTARTS  LAST LINE
master-0     0  Running      8s         0  lost rank 2, wai…
worker-0     1  Running      8s         0  step  40/240
worker-1     2  Restarting   0s         1  was: killed by S…
worker-2     3  Running      8s         0  step  40/240`,
    done: `digits  Succeeded  0:19                          4 succeeded
REPLICA   RANK  STATE       RAN  RESTARTS  LAST LINE
master-0     0  Succeeded   19s         0  saved model.json
worker-0     1  Succeeded   18s         0  bye
worker-1     2  Succeeded   10s         1  bye
worker-2     3  Succeeded   18s         0  bye

✓ digits succeeded in 19 s: master-0 finished, and master-0
  decides. 1 restart (worker-1).
  logs     trainyard logs digits
  details  trainyard describe digits`,
  })
})
