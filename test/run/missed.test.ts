// What was over before anything was heard of it is read all the same, where logs are kept.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { followJob } from '../../src/cli/run/follow.ts'
import type { Line } from '../../src/cli/run/line.ts'
import { News } from '../../src/cli/run/news.ts'
import { BEGIN, StagedJob } from './staged-job.ts'

/** An API that knows these objects, and of which nothing more is heard. */
function lineTo(job: object, pods: Pod[], logs: Record<string, string>): Line {
  const list = async ({ kind }: { kind?: string }) => ({
    items: kind === 'Pod' ? pods : [job],
    metadata: { resourceVersion: '1' },
  })
  const quiet = async function* (_: unknown, { signal }: { signal?: AbortSignal }) {
    await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    yield* []
  }
  const get = async (_: unknown, { name }: { name: string }) => pods.find(({ metadata }) => metadata?.name === name)
  const read = async function* ({ name }: { name: string }) {
    yield Buffer.from(logs[name] ?? '')
  }
  const client = { list, watch: quiet, get, logs: read } as object as Line['client']
  return { client, who: 'the API', reconnect: async () => false }
}

/** Shows what is told to it, and how much it was given without being asked whether it can take more. */
function listener(ready: () => Promise<void> = async () => {}) {
  const heard = { lines: [] as string[], notices: [] as string[], held: 0, most: 0 }
  const display = {
    line: (_replica: unknown, text: string) => {
      heard.lines.push(text)
      heard.held += text.length
      heard.most = Math.max(heard.most, heard.held)
    },
    ready: async () => {
      await ready()
      heard.held = 0
    },
    notice: ({ text }: { text: string }) => void heard.notices.push(text),
    changed: () => {},
    finish: () => {},
    leave: () => {},
  }
  return { heard, display }
}

function homeFor(podName: string): { home: string; keep: (attempt: number, text: string) => void } {
  const home = mkdtempSync(join(tmpdir(), 'trainyard-missed-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const keep = (attempt: number, text: string): void => {
    const dir = join(home, 'logs/job-uid', podName, `000${attempt}-master-0#${attempt}`)
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'train.log'), text)
  }
  return { home, keep }
}

test.each([
  ['an attempt whose pod was gone before we looked', 2],
  ['a pod that was cleaned away', 1],
])('%s', async (_, attempts) => {
  const staged = StagedJob.digits()
  const { podName } = staged.view.replicas[0]!.place
  const { home, keep } = homeFor(podName)
  keep(1, 'first\n')
  const pods: Pod[] = []
  if (attempts === 2) {
    keep(2, 'second\n')
    pods.push(staged.pod('master-0', { terminated: { exitCode: 0, finishedAt: '2026-11-16T09:12:06Z' } }, 2))
  }
  const entry = { uid: `master-0#${attempts}`, attempt: attempts, phase: 'Succeeded' }
  staged.entry('master-0', entry, { phase: 'Succeeded', finishedBy: 'Success' })
  const { heard, display } = listener()
  const view = StagedJob.digits().view
  const line = lineTo(staged.view.job, pods, { [podName]: 'second\n' })
  expect(await followJob({ line, view, display, home }, new AbortController().signal)).toBe('finished')
  expect(heard.lines).toEqual(['first', 'second'].slice(0, attempts))
})

test.each([
  ['before the attempt that is heard of', 2],
  ['at the end, when nothing else is left', 1],
])('much that was missed is read in pieces, in order: %s', async (_, attempts) => {
  const staged = StagedJob.digits()
  const { podName } = staged.view.replicas[0]!.place
  const { home, keep } = homeFor(podName)
  const lines = Array.from({ length: 100_000 }, (_, i) => `line ${i} ${'x'.repeat(60)}`)
  keep(1, `${lines.join('\n')}\n`)
  const pods: Pod[] = []
  if (attempts === 2)
    pods.push(staged.pod('master-0', { terminated: { exitCode: 0, finishedAt: '2026-11-16T09:12:06Z' } }, 2))
  const entry = { uid: `master-0#${attempts}`, attempt: attempts, phase: 'Succeeded' }
  staged.entry('master-0', entry, { phase: 'Succeeded', finishedBy: 'Success' })
  // Whoever reads takes its time: nothing of it may be lost, nor overtaken.
  const { heard, display } = listener(() => new Promise((resolve) => setImmediate(resolve)))
  const line = lineTo(staged.view.job, pods, { [podName]: 'second\n' })
  const { view } = StagedJob.digits()
  expect(await followJob({ line, view, display, home }, new AbortController().signal)).toBe('finished')
  expect(heard.lines).toEqual([...lines, ...(attempts === 2 ? ['second'] : [])])
  expect(heard.most).toBeLessThanOrEqual(1 << 20)
})

test('a failure before the training began is told at once: there is nothing to read first', async () => {
  const job = StagedJob.digits()
  const { heard, display } = listener()
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const news = new News({ line: lineTo({}, [], {}), view: job.view, display }, over.signal)
  const failed = { name: 'fetch', image: '', imageID: '', ready: false, restartCount: 0 }
  const terminated = { exitCode: 4, finishedAt: '2026-11-16T09:12:05Z' }
  const status = { phase: 'Failed', initContainerStatuses: [{ ...failed, state: { terminated } }] }
  const uid = 'worker-0#1'
  // Old news would be told at once in any case.
  job.at = Date.now() - BEGIN
  job.entry('worker-0', { uid, replaces: uid, attempt: 2, restartCount: 1, phase: 'Failed' }, { backoffCount: 1 })
  news.pod(job.pod('worker-0', { waiting: { reason: 'PodInitializing' } }, 1, status))
  expect(heard.notices).toEqual([
    'worker-0 failed: exit 4: container fetch failed first',
    'worker-0 is started again (restartPolicy OnFailure, restart 1 of 3)',
  ])
})
