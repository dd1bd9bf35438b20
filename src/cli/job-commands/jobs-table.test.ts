import { expect, test } from 'vitest'
import type { AnyJob } from '../home/running-jobs.ts'
import type { Style } from '../output/terminal.ts'
import { renderJobs } from './jobs-table.ts'

const now = Date.parse('2026-11-16T09:18:04Z')
const plain: Style = { width: 100, utf8: true, coloured: false, paint: (_, text) => text, ellipsis: '…' }

function job(kind: string, name: string, created: string, status: object, group = 'batch.tensorstack.dev/v1beta1') {
  const metadata = { name, namespace: 'default', uid: name, creationTimestamp: `2026-11-16T${created}Z` }
  return { apiVersion: group, kind, metadata, spec: {}, status } as unknown as AnyJob
}
const counts = { creating: 0, pending: 0, running: 0, succeeded: 0, failed: 0, unknown: 0, deleted: 0 }

const jobs = [
  job('PyTorchTrainingJob', 'digits', '09:12:04', {
    phase: 'Succeeded',
    aggregate: { ...counts, succeeded: 4 },
    backoffCount: 1,
    activeSeconds: 19.2,
    completionTime: '2026-11-16T09:12:23Z',
  }),
  job('PyTorchTrainingJob', 'mnist-elastic', '09:16:51', {
    phase: 'Running',
    aggregate: { ...counts, running: 2 },
    underWay: true,
    activeSince: '2026-11-16T09:16:52Z',
  }),
  job('TensorFlowTrainingJob', 'keras-ps', '09:17:52', {
    phase: 'Pending',
    aggregate: { ...counts, pending: 5 },
    activeSince: '2026-11-16T09:17:52Z',
  }),
  job(
    'TFJob',
    'train',
    '09:16:00',
    { trainyard: { phase: 'Failed', aggregate: { ...counts, failed: 2 }, activeSeconds: 6 } },
    'kubeflow.org/v1',
  ),
]

test('jobs of all kinds stand in one table', () => {
  expect(`${renderJobs(jobs, plain, now, { namespaces: false }).join('\n')}\n`).toBe(
    `NAME           KIND                   PHASE      RUNNING  RESTARTS  DURATION   AGE
digits         PyTorchTrainingJob     Succeeded      0/4         1       19s    6m
mnist-elastic  PyTorchTrainingJob     Running        2/2         0     1m12s   73s
keras-ps       TensorFlowTrainingJob  Pending        0/5         0        0s   12s
train          TFJob                  Failed         0/2         0        6s  2m4s
`,
  )
})

test('one job stands where it stands among many', () => {
  const lines = renderJobs(jobs, plain, now, { namespaces: false })
  const alone = renderJobs([jobs[2]!], plain, now, { namespaces: false })
  expect(alone[1]!.indexOf('0/5')).toBe(lines[3]!.indexOf('0/5'))
})

test('phases have their colours, and the namespace and pods are told when asked for', () => {
  const coloured: Style = { ...plain, coloured: true, paint: (colour, text) => `<${colour}>${text}</>` }
  const pods = new Map([['digits', ['digits-1-master-0', 'digits-1-worker-0']]])
  const [header, digits, elastic] = renderJobs(jobs, { ...coloured, width: 200 }, now, { namespaces: true, pods })
  expect(header).toMatch(/^<dim>NAMESPACE {2}NAME .* AGE {2}PODS<\/>$/)
  expect(digits).toMatch(/^default {4}digits .*<green>Succeeded<\/>.*digits-1-master-0,digits-1-worker-0$/)
  expect(elastic).toMatch(/<cyan>Running<\/>.* -$/)
})
