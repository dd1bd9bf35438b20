// The pods that `npm run test:cluster` asks a real kube-apiserver for, as templates of a job.
import { expect, test } from 'vitest'
import { validate } from '../../src/api/validate.ts'
import { podRows } from './pod-rows.ts'

test.each(podRows)('$name: refused $refused', ({ template, refused }) => {
  const kinds = {
    PyTorchTrainingJob: { replicaSpecs: [{ type: 'master', template }] },
    GenericJob: {
      successRules: [{ worker: [0] }],
      failureRules: [],
      replicaSpecs: [{ type: 'worker', replicas: 1, template }],
    },
  }
  for (const [kind, spec] of Object.entries(kinds)) {
    const job = { apiVersion: 'batch.tensorstack.dev/v1beta1', kind, metadata: { name: 'j' }, spec }
    const { issues } = validate(job)
    // The job is taken; one mistake is one complaint, and it says where.
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([])
    const complaints = issues.filter(({ message }) => message.endsWith('a cluster will refuse the pod'))
    expect(complaints.map(({ path }) => path.slice(0, 4))).toEqual(
      refused ? [['spec', 'replicaSpecs', 0, 'template']] : [],
    )
  }
})
