import { expect, test } from 'vitest'
import type { TFJob, TFJobStatus } from '../api/types.ts'
import { decide } from './decide.ts'
import { FULL_CLUSTER } from './plan.ts'
import { read } from './read.ts'

const owner = { apiVersion: 'kubeflow.org/v1', kind: 'TFJob', name: 'job', uid: 'u', controller: true }

/** What is True of a job whose workers are in these phases. */
function conditionsOf(phases: string[], enableDynamicWorker: boolean): string[] {
  const containers = [{ name: 'tensorflow', image: 'i' }]
  const Worker = { replicas: phases.length, template: { spec: { containers } } }
  const job: TFJob = {
    apiVersion: 'kubeflow.org/v1',
    kind: 'TFJob',
    metadata: { name: 'job', namespace: 'default', uid: 'u' },
    spec: { enableDynamicWorker, tfReplicaSpecs: { Worker } },
  }
  const pods = phases.map((phase, index) => ({
    metadata: { name: `job-worker-${index}`, uid: `p${index}`, ownerReferences: [owner] },
    status: { phase },
  }))
  const observed = { status: undefined, pods, services: [], nodes: new Map(), cluster: FULL_CLUSTER }
  const { conditions } = decide(read(job), observed, 0).status as TFJobStatus
  return (conditions ?? []).filter(({ status }) => status === 'True').map(({ type }) => type)
}

test.each([
  { phases: ['Failed', 'Running'], dynamic: false, holds: ['Created', 'Failed'] },
  { phases: ['Failed', 'Running'], dynamic: true, holds: ['Created', 'Running'] },
  { phases: ['Running', 'Failed'], dynamic: true, holds: ['Created', 'Running'] },
  { phases: ['Failed', 'Failed'], dynamic: true, holds: ['Created', 'Failed'] },
  { phases: ['Failed', 'Succeeded'], dynamic: true, holds: ['Created', 'Failed'] },
  { phases: ['Succeeded', 'Failed'], dynamic: true, holds: ['Created', 'Succeeded'] },
])('workers $phases, dynamic: $dynamic → $holds', ({ phases, dynamic, holds }) => {
  expect(conditionsOf(phases, dynamic)).toEqual(holds)
})
