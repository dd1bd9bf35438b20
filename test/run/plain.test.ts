// The golden transcript's output where there is no terminal.
import { expect, test } from 'vitest'
import { styleFor } from '../../src/cli/output/terminal.ts'
import { plainDisplay } from '../../src/cli/run/plain-display.ts'
import { buildSummary } from '../../src/cli/run/view/summary.ts'
import { renderJob } from '../../src/cli/run/view/table.ts'
import { toTimestamp } from '../../src/lib/time.ts'
import { StagedJob } from './staged-job.ts'

function stage() {
  const job = StagedJob.digits()
  const written = { out: '', err: '' }
  const terminal = {
    out: (text: string) => {
      written.out += text
    },
    err: (text: string) => {
      written.err += text
    },
    stdin: async () => new Uint8Array(),
    env: {},
    outIsTerminal: false,
    errIsTerminal: false,
  }
  const display = plainDisplay(terminal, job.view, () => job.now)
  const tell = (): void => {
    for (const notice of job.view.takeNotices(job.now)) display.notice(notice)
  }
  return { job, terminal, written, display, tell }
}

test('from the first to the last line', () => {
  const { job, written, display, tell } = stage()
  job.at = 1_000
  for (const key of job.keys) job.runs(key)
  job.record({ phase: 'Running' })
  tell()
  display.line(job.view.replicas[0]!, 'world of 4, 240 steps, batch 64 per rank')
  job.at = 7_200
  job.writes('worker-1', 'step  85/240')
  job.ends('worker-1', 137, 1_000, { silent: true })
  job.view.noteRead('worker-1#1')
  job.entry('worker-1', { replaces: 'worker-1#1', attempt: 2, restartCount: 1 }, { backoffCount: 1 })
  tell()
  job.at = 8_000
  job.runs('worker-1', 2)
  job.at = 19_000
  job.ends('master-0', 0, 1_000)
  const completionTime = '2026-11-16T09:12:23Z'
  job.entry('master-0', { phase: 'Succeeded' }, { phase: 'Succeeded', finishedBy: 'Success', completionTime })
  tell()
  display.finish(buildSummary(job.view, job.now, { flags: '' }))
  expect(written.err).toBe(`trainyard: 0:01 digits Running: 4 of 4 running
trainyard: 0:07 worker-1 failed: killed by SIGKILL (exit 137), nothing on stderr
trainyard: 0:07 worker-1 is started again (restartPolicy OnFailure, restart 1 of 3)
trainyard: 0:19 digits Succeeded: master-0 finished, and master-0 decides. 1 restart.
`)
  expect(written.out).toBe('master-0 | world of 4, 240 steps, batch 64 per rank\n')
})

test('what is waited for is told once, and again when it is something else', () => {
  const { job, written, tell } = stage()
  const wait = (message: string): void => {
    for (const key of job.keys) {
      job.pod(key, {}, 1, { conditions: [{ type: 'PodScheduled', status: 'False', message }] })
    }
    job.view.tellWaits()
    tell()
  }
  wait('needs 2 CPU, 1 of 8 free')
  wait('needs 2 CPU, 1 of 8 free')
  wait('needs 2 CPU, 0 of 8 free')
  expect(written.err).toBe(`trainyard: 0:00 master-0, worker-0, worker-1 and 1 more wait: needs 2 CPU, 1 of 8 free
trainyard: 0:00 master-0, worker-0, worker-1 and 1 more wait: needs 2 CPU, 0 of 8 free
`)
})

test.each([
  ['a memory limit', { exitCode: 137, reason: 'OOMKilled' }, 'killed for exceeding its memory limit'],
  ['a segmentation fault', { exitCode: 139, reason: 'Error' }, 'killed by SIGSEGV (exit 139)'],
  ['a command that is not executable', { exitCode: 126, reason: 'Error' }, 'not executable (exit 126)'],
])('%s in words', (_, terminated, words) => {
  const { job } = stage()
  job.pod('worker-2', { terminated })
  job.entry('worker-2', { uid: 'worker-2#1', phase: 'Failed' })
  job.view.noteAllRead()
  expect(job.view.takeNotices(job.now).map(({ text }) => text)).toEqual([`worker-2 failed: ${words}, it wrote nothing`])
})

test.each([
  [
    'container "main" gives no command, and the one in its image is not used here',
    'it could not be started (exit 127)',
  ],
  ['no program "pyhton" on its PATH (/bin)', 'command not found (exit 127)'],
])('%s, summed up', (message, words) => {
  const { job } = stage()
  job.pod('worker-2', { terminated: { exitCode: 127, reason: 'StartError', message } })
  job.entry('worker-2', { uid: 'worker-2#1', phase: 'Failed' }, { phase: 'Failed', finishedBy: 'Failure' })
  job.view.noteAllRead()
  expect(buildSummary(job.view, job.now, { flags: '' }).plain).toContain(`First to fail: worker-2, ${words}.`)
})

test.each([
  ['torchrunConfig: {enable: true}', 'spec.torchrunConfig asks for it; it comes with PyTorch: '],
  [
    'runMode: {debug: {enable: true, replicaSpecs: [{type: worker, command: [x]}]}}',
    'said in spec.runMode.debug; did you mean y?',
  ],
  ['elastic: {}', 'said in spec.replicaSpecs[0].template.spec.containers[0].command[0]; did you mean y?'],
])('with %s it is told who asks for a program that is not there', (field, words) => {
  const container = '{name: c, image: i, command: [x], args: [a]}'
  const job = new StagedJob(`{apiVersion: batch.tensorstack.dev/v1beta1, kind: PyTorchTrainingJob, metadata: {name: j},
    spec: {${field}, replicaSpecs: [{type: worker, template: {spec: {containers: [${container}]}}}]}}`)
  const message = 'no program "x" on its PATH (/bin); did you mean y?'
  job.pod('worker-0', { terminated: { exitCode: 127, reason: 'StartError', message } })
  job.entry('worker-0', { uid: 'worker-0#1', phase: 'Failed' })
  job.view.noteAllRead()
  const [notice] = job.view.takeNotices(job.now)
  expect(notice?.text).toBe('worker-0 cannot start: no program "x" on its PATH (/bin)')
  expect(notice?.detail?.startsWith(words)).toBe(true)
})

test('a restart that is held back says for how long, in what is told and in the table', () => {
  const { job, terminal } = stage()
  const row = (key: string): string => {
    const style = styleFor(terminal, 'out', 'never')
    const lines = renderJob(job.view, job.now, style, { columns: 100, rows: 30 })
    return lines.find((line) => line.startsWith(key))!.replace(/ +/g, ' ')
  }
  for (const key of ['worker-0', 'worker-1']) job.runs(key)
  job.ends('worker-0', 3, 0)
  job.view.noteRead('worker-0#1')
  const restartAt = toTimestamp(job.now + 8_000)
  const owed = (key: string) => ({ replaces: `${key}#1`, attempt: 2, restartAt })
  job.entries({ 'worker-0': { ...owed('worker-0'), restartCount: 1 }, 'worker-1': owed('worker-1') })
  expect(job.view.takeNotices(job.now).map(({ text }) => text)).toEqual([
    'worker-0 failed: exit 3, it wrote nothing',
    'worker-0 is started again in 8 s (restartPolicy OnFailure, restart 1 of 3)',
    'worker-1 is started again in 8 s (its pod was lost; no restart is spent)',
  ])
  job.at += 5_000
  expect(row('worker-0')).toBe('worker-0 1 Restarting 5s 1 again in 3 s; was: exit 3')
  job.at += 3_000
  expect(row('worker-0')).toBe('worker-0 1 Restarting 8s 1 was: exit 3')
})

test('a lost pod is replaced without a restart, and a refused one is awaited', () => {
  const { job } = stage()
  job.runs('worker-0')
  job.entry('worker-0', { replaces: 'worker-0#1', attempt: 2 })
  expect(job.view.takeNotices(job.now).map(({ text }) => text)).toEqual([
    'worker-0 is started again (its pod was lost; no restart is spent)',
  ])
  job.record({ conditions: [{ type: 'CreationRefused', status: 'True', message: 'quota is used up' }] })
  job.view.tellWaits()
  expect(job.view.takeNotices(job.now).map(({ text }) => text)).toEqual([
    'master-0, worker-1, worker-2 wait: quota is used up',
  ])
})
