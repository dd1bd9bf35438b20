// The screens of the golden transcript's section 2, on a terminal emulator.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildSummary } from '../../src/cli/run/view/summary.ts'
import { Screen } from './screen.ts'
import { StagedJob } from './staged-job.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const frame = (): void => void vi.advanceTimersByTime(100)

function tell(job: StagedJob, screen: Screen): void {
  for (const notice of job.view.takeNotices(job.now)) screen.display.notice(notice)
}

function write(job: StagedJob, screen: Screen, key: string, line: string, attempt = 1): void {
  job.writes(key, line, attempt)
  screen.display.line(job.view.replicas.find(({ place }) => place.key === key)!, line)
}

function startAll(job: StagedJob): void {
  for (const key of job.keys) job.runs(key)
  job.record({ phase: 'Running' })
}

test('a job that begins', async () => {
  const job = StagedJob.digits()
  const screen = new Screen(job, 100, 30)
  job.at = 200
  frame()
  expect(await screen.text()).toBe(`
digits  Pending  0:00                                                                     4 starting
REPLICA   RANK  STATE       FOR  RESTARTS  LAST LINE
master-0     0  Starting   0.2s         0
worker-0     1  Starting   0.2s         0
worker-1     2  Starting   0.2s         0
worker-2     3  Starting   0.2s         0`)
})

test('replicas that wait say for what', async () => {
  const job = StagedJob.digits()
  const screen = new Screen(job, 100, 30)
  job.runs('master-0')
  const message = 'needs 2 CPU, 1 of 8 free; sweep-3 holds 4, digits holds 3'
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }]
  for (const key of ['worker-0', 'worker-1', 'worker-2']) job.pod(key, {}, 1, { conditions })
  write(job, screen, 'master-0', 'waiting for 3 more ranks')
  job.at = 31_000
  frame()
  expect(await screen.text()).toBe(`master-0 | waiting for 3 more ranks

digits  Pending  0:31                                                          1 running · 3 pending
REPLICA   RANK  STATE       FOR  RESTARTS  LAST LINE
master-0     0  Running     31s         0  waiting for 3 more ranks
worker-0     1  Pending     31s         0  ${message}
worker-1     2  Pending     31s         0  ${message}
worker-2     3  Pending     31s         0  ${message}`)
})

test('a killed worker is told, and started again', async () => {
  const job = StagedJob.digits()
  const screen = new Screen(job, 100, 30)
  startAll(job)
  for (const key of job.keys) job.writes(key, 'step  85/240')
  job.at = 7_500
  write(job, screen, 'master-0', 'step  80/240  loss 0.9120  acc 0.74')
  job.ends('worker-1', 137, 0, { silent: true })
  // The operator's word comes first, the last lines of the killed process after it.
  job.entry('worker-1', { uid: 'worker-1#1', replaces: 'worker-1#1', attempt: 2, restartCount: 1 }, { backoffCount: 1 })
  tell(job, screen)
  job.view.noteRead('worker-1#1')
  tell(job, screen)
  write(job, screen, 'master-0', 'lost rank 2, waiting for it at step 85')
  job.at = 8_000
  frame()
  expect(await screen.text()).toBe(`master-0 | step  80/240  loss 0.9120  acc 0.74
trainyard: worker-1 failed: killed by SIGKILL (exit 137), nothing on stderr
trainyard: worker-1 is started again (restartPolicy OnFailure, restart 1 of 3)
master-0 | lost rank 2, waiting for it at step 85

digits  Running  0:08                                                         3 running · 1 starting
REPLICA   RANK  STATE       FOR  RESTARTS  LAST LINE
master-0     0  Running      8s         0  lost rank 2, waiting for it at step 85
worker-0     1  Running      8s         0  step  85/240
worker-1     2  Restarting   1s         1  was: killed by SIGKILL (exit 137)
worker-2     3  Running      8s         0  step  85/240`)
})

test('a job that succeeded ends with its table and what decided it', async () => {
  const job = StagedJob.digits()
  const screen = new Screen(job, 100, 30)
  startAll(job)
  job.entry('worker-1', { attempt: 2, restartCount: 1 }, { backoffCount: 1 })
  job.at = 18_000
  for (const [key, started, attempt] of [
    ['worker-0', 0, 1],
    ['worker-1', 8_000, 2],
    ['worker-2', 0, 1],
  ] as const) {
    job.writes(key, 'bye', attempt)
    job.ends(key, 0, started, { attempt })
    job.entry(key, { uid: `${key}#${attempt}`, phase: 'Succeeded' })
  }
  job.at = 19_000
  job.writes('master-0', 'saved model.json')
  job.ends('master-0', 0, 0)
  job.view.takeNotices(job.now)
  const completionTime = '2026-11-16T09:12:23Z'
  job.entry('master-0', { phase: 'Succeeded' }, { phase: 'Succeeded', finishedBy: 'Success', completionTime })
  screen.display.finish(buildSummary(job.view, job.now, { flags: '' }))
  expect(await screen.text()).toBe(`
digits  Succeeded  0:19                                                                  4 succeeded
REPLICA   RANK  STATE       RAN  RESTARTS  LAST LINE
master-0     0  Succeeded   19s         0  saved model.json
worker-0     1  Succeeded   18s         0  bye
worker-1     2  Succeeded   10s         1  bye
worker-2     3  Succeeded   18s         0  bye

✓ digits succeeded in 19 s: master-0 finished, and master-0 decides. 1 restart (worker-1).
  logs     trainyard logs digits
  details  trainyard describe digits`)
})

const TWO = `apiVersion: batch.tensorstack.dev/v1beta1
kind: PyTorchTrainingJob
metadata: {name: train}
spec:
  replicaSpecs:
    - {type: worker, replicas: 2, template: {spec: {containers: [{name: c, image: i, command: [x]}]}}}
`

test('a failed job names who ended first, whoever was heard of first', async () => {
  const job = new StagedJob(TWO)
  const screen = new Screen(job, 100, 30)
  startAll(job)
  const missing = "FileNotFoundError: [Errno 2] No such file or directory: 'data/train.bin'"
  job.writes('worker-0', 'RuntimeError: Connection closed by peer [127.0.0.1]:41873')
  for (const line of ['one', 'two', '  File "train.py", line 41', '    data = load()', missing])
    job.writes('worker-1', line)
  job.at = 6_000
  job.ends('worker-0', 1, 0)
  job.at = 5_200
  job.ends('worker-1', 1, 0)
  job.at = 6_000
  job.entry('worker-1', { phase: 'Failed' })
  const completionTime = '2026-11-16T09:12:10Z'
  job.entry('worker-0', { phase: 'Failed' }, { phase: 'Failed', finishedBy: 'Failure', completionTime })
  screen.display.finish(buildSummary(job.view, job.now, { flags: ' -n lab' }))
  expect(await screen.text()).toBe(`
train  Failed  0:06                                                                         2 failed
REPLICA   RANK  STATE       RAN  RESTARTS  LAST LINE
worker-0     0  Failed       6s         0  RuntimeError: Connection closed by peer [127.0.0.1]:41873
worker-1     1  Failed       5s         0  FileNotFoundError: [Errno 2] No such file or directory: …

✗ train failed after 6 s. First to fail: worker-1, exit 1, 0.8 s before worker-0.
  worker-1's last lines:
      File "train.py", line 41
        data = load()
    FileNotFoundError: [Errno 2] No such file or directory: 'data/train.bin'
  It was not started again: restartPolicy is Never.
  look inside  trainyard debug train worker-1 -n lab
  all logs     trainyard logs train -n lab`)
})

test('lines stay in the scrollback, the table is there once', async () => {
  const job = StagedJob.digits()
  const screen = new Screen(job, 60, 20)
  startAll(job)
  for (let i = 0; i < 50; i++) {
    write(job, screen, 'worker-2', `line ${i} ${'x'.repeat(70)}`)
    job.at += 100
    frame()
  }
  const text = await screen.text()
  expect(text.match(/REPLICA/g)).toHaveLength(1)
  expect(text.match(/worker-2 \| line \d+/g)).toHaveLength(50)
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
})

test('long lines are not kept until the next picture', async () => {
  const job = StagedJob.digits()
  const screen = new Screen(job, 100, 30)
  const before = screen.raw.length
  // No timer has a chance to draw in between.
  for (let i = 0; i < 64; i++) {
    screen.display.line(job.view.replicas[0]!, 'x'.repeat(1 << 16))
    await screen.display.ready()
  }
  expect(screen.raw.length - before).toBeGreaterThan(3 << 20)
  screen.display.leave()
})

test('at most ten pictures a second, and none where nothing changed', () => {
  const job = StagedJob.digits()
  const screen = new Screen(job, 100, 30)
  startAll(job)
  frame()
  const before = screen.raw.length
  for (let i = 0; i < 5; i++) frame()
  expect(screen.raw.length).toBe(before)
  for (let i = 0; i < 1000; i++) write(job, screen, 'worker-0', `line ${i}`)
  expect(screen.raw.length).toBe(before)
  frame()
  expect(screen.raw.slice(before).match(/REPLICA/g)).toHaveLength(1)
})

test('more replicas than rows: trouble, then who decides, then the lowest ranks', async () => {
  const many = TWO.replace('replicas: 2', 'replicas: 200')
  const job = new StagedJob(many)
  const screen = new Screen(job, 100, 15)
  for (const key of job.keys.slice(0, 196)) job.runs(key)
  job.runs('worker-199')
  job.at = 3_000
  job.ends('worker-150', 9, 0)
  frame()
  const lines = (await screen.text()).split('\n')
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    '',
    'train',
    'REPLICA',
    'worker-150',
    'worker-196',
    'worker-197',
    'worker-198',
    'worker-0',
    'worker-1',
    'worker-2',
    'worker-3',
    'worker-4',
    'worker-5',
    '…',
  ])
  expect(lines.at(-1)).toBe('… 190 more: 190 running')
  expect(lines[1]).toMatch(/196 running · 3 starting · 1 failed$/)
})

test('a window that becomes narrower, and one too narrow for LAST LINE', async () => {
  const job = StagedJob.digits()
  const screen = new Screen(job, 100, 30)
  startAll(job)
  for (const key of job.keys) job.writes(key, 'a line that is long enough to be cut when the window is narrow')
  frame()
  screen.resize(70, 30)
  job.at = 1_000
  frame()
  const text = await screen.text()
  expect(text.match(/REPLICA/g)).toHaveLength(1)
  expect(text.split('\n').at(-1)).toBe('worker-2     3  Running      1s         0  a line that is long enough…')
  screen.resize(50, 30)
  job.at = 2_000
  frame()
  expect((await screen.text()).split('\n').slice(-5)).toEqual([
    'REPLICA   RANK  STATE       FOR  RESTARTS',
    'master-0     0  Running      2s         0',
    'worker-0     1  Running      2s         0',
    'worker-1     2  Running      2s         0',
    'worker-2     3  Running      2s         0',
  ])
})

test('what a program writes moves neither the cursor nor the table', async () => {
  const job = StagedJob.digits()
  const screen = new Screen(job, 100, 30)
  startAll(job)
  write(job, screen, 'worker-0', '\u001b[2J\u001b[H\u001b[31mred\u001b[0m\u0007 10%\r 100%\u001b]0;title\u0007')
  frame()
  const text = await screen.text()
  expect(text).toMatch(/^worker-0 \| {2}100%\n\ndigits {2}Running/)
})

test('without UTF-8 and without colour there is nothing but ASCII', async () => {
  const job = StagedJob.digits()
  const screen = new Screen(job, 60, 20, { LANG: 'C', NO_COLOR: '1' })
  startAll(job)
  job.writes('master-0', 'a line that is too long for this window by far')
  job.at = 1_000
  job.ends('worker-0', 1, 0)
  frame()
  await screen.text()
  expect([...screen.raw].filter((character) => character > '~')).toEqual([])
  expect(screen.raw).not.toMatch(/\[\d+m/)
  expect(screen.raw).toContain('3 running . 1 failed')
})
