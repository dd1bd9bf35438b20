import { expect, test } from 'vitest'
import type { TFJob, TFJobStatus } from '../../api/types.ts'
import { decide } from '../decide.ts'
import { FULL_CLUSTER } from '../plan.ts'
import { read } from '../read.ts'
import { invalidSpec } from './tfjob-status.ts'

/** Of a job whose workers are in these phases, at the first look. */
function statusOf(phases: string[]): TFJobStatus {
  const containers = [{ name: 'tensorflow', image: 'i' }]
  const job: TFJob = {
    apiVersion: 'kubeflow.org/v1',
    kind: 'TFJob',
    metadata: { name: 'job', namespace: 'default', uid: 'u' },
    spec: { tfReplicaSpecs: { Worker: { replicas: phases.length, template: { spec: { containers } } } } },
  }
  const owner = { apiVersion: 'kubeflow.org/v1', kind: 'TFJob', name: 'job', uid: 'u', controller: true }
  const pods = phases.map((phase, index) => ({
    metadata: { name: `job-worker-${index}`, uid: `p${index}`, ownerReferences: [owner] },
    status: { phase },
  }))
  const observed = { status: undefined, pods, services: [], nodes: new Map(), cluster: FULL_CLUSTER }
  return decide(read(job), observed, 0).status as TFJobStatus
}

test('a job that failed while others ran was running until then, also if nobody had looked before', () => {
  expect(statusOf(['Running', 'Failed']).conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
    'Created=True',
    'Running=False',
    'Failed=True',
  ])
})

test("what is wrong with a spec is told once, in Kubeflow's sentence", () => {
  expect(invalidSpec('The spec is invalid: spec.x: is missing')).toBe(
    'Failed to marshal the object to TFJob; the spec is invalid: spec.x: is missing',
  )
})

test('pods that still run when a job has succeeded count as succeeded, as with Kubeflow', () => {
  const { replicaStatuses } = statusOf(['Succeeded', 'Running'])
  expect(replicaStatuses?.Worker).toMatchObject({ succeeded: 2 })
  expect(replicaStatuses?.Worker).not.toHaveProperty('active')
})
