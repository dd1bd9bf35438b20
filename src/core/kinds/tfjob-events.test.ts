import { expect, test } from 'vitest'
import type { TFJob } from '../../api/types.ts'
import { decide } from '../decide.ts'
import { FULL_CLUSTER } from '../plan.ts'
import { read } from '../read.ts'

function job(spec: Partial<TFJob['spec']>, template: object = {}): TFJob {
  const containers = [{ name: 'tensorflow', image: 'i' }]
  return {
    apiVersion: 'kubeflow.org/v1beta2',
    kind: 'TFJob',
    metadata: { name: 'job', namespace: 'default', uid: 'u' },
    spec: { tfReplicaSpecs: { Worker: { replicas: 12, template: { spec: { containers, ...template } } } }, ...spec },
  }
}

function eventsOf(tfJob: TFJob, pods: object[] = []): string[] {
  const observed = { status: undefined, pods, services: [], nodes: new Map(), cluster: FULL_CLUSTER }
  return decide(read(tfJob), observed, 0).reasons.map(({ event, message }) => `${event} ${message}`)
}

function pod(index: number): object {
  const owner = { apiVersion: 'kubeflow.org/v1beta2', kind: 'TFJob', name: 'job', uid: 'u', controller: true }
  return { metadata: { name: `job-worker-${index}`, uid: `p${index}`, ownerReferences: [owner] } }
}

test('pods that go are told in one event', () => {
  const suspended = job({ runPolicy: { suspend: true } })
  expect(eventsOf(suspended, [pod(0), pod(1)])).toContain('SuccessfulDeletePod Deleted pod: job-worker-0, job-worker-1')
  const all = Array.from({ length: 12 }, (_, index) => pod(index))
  expect(eventsOf(suspended, all).find((event) => event.startsWith('SuccessfulDeletePod'))).toMatch(
    /job-worker-9 and 2 more, 12 in all$/,
  )
})

test('Services that come and go are told in one event each', () => {
  expect(eventsOf(job({})).find((event) => event.startsWith('SuccessfulCreateService'))).toMatch(
    /^SuccessfulCreateService Created service: job-worker-0, .*job-worker-9 and 2 more, 12 in all$/,
  )
})

test("a template's own restart policy and scheduler are warned about in Kubeflow's words", () => {
  const gang = { runPolicy: { schedulingPolicy: {} } }
  const told = eventsOf(job(gang, { restartPolicy: 'Always', schedulerName: 'mine' }))
  expect(told).toContain(
    'SettedPodTemplateRestartPolicy Restart policy in pod template will be overwritten by restart policy in replica spec',
  )
  expect(told).toContain(
    'SettedPodTemplateSchedulerName Another scheduler is specified when gang-scheduling is enabled and it will not be overwritten',
  )
  expect(eventsOf(job({}, { schedulerName: 'mine' })).join()).not.toContain('SchedulerName')
})
