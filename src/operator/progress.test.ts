import { expect, test } from 'vitest'
import type { JobStatus } from '../api/types.ts'
import type { JobModel } from '../core/job-model.ts'
import { OperatorMetrics } from './metrics.ts'
import { noteProgress } from './progress.ts'

/** What `trainyard_job_running_seconds` has counted after these statuses, a minute apart. */
async function runningAfter(...statuses: JobStatus[]): Promise<string | undefined> {
  const metrics = new OperatorMetrics()
  const model = { kind: 'GenericJob', createdAt: 0 } as JobModel
  for (const [i, after] of statuses.entries()) {
    noteProgress(metrics, { model, before: statuses[i - 1] ?? {}, after, reasons: [], now: i * 60_000 })
  }
  return /running_seconds_sum\S* (.*)/.exec(await metrics.registry.metrics())?.[1]
}

test('the time until all replicas ran is that of their first start', async () => {
  expect(await runningAfter({ phase: 'Pending' }, { phase: 'Running', underWay: true })).toBe('60')
})

test('a job that goes on after a pause is not counted again', async () => {
  const statuses: JobStatus[] = [
    { phase: 'Pending' },
    { phase: 'Running', underWay: true },
    { phase: 'Paused' },
    { phase: 'Resuming', resumed: true },
    { phase: 'Running', resumed: true, underWay: true },
  ]
  expect(await runningAfter(...statuses)).toBe('60')
})

test('nor is one whose pods could not be seen for a while', async () => {
  const running: JobStatus = { phase: 'Running', underWay: true }
  expect(await runningAfter({ phase: 'Pending' }, running, { ...running, phase: 'Unknown' }, running)).toBe('60')
})
