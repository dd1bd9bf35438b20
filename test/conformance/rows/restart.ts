import { expect } from 'vitest'
import { trainingJobs } from '../manifests.ts'
import type { Row } from '../row.ts'
import { eventually } from '../stage.ts'

const policy = (restartPolicy: unknown) => () => ({ restartPolicy })

export const restartRows: Row[] = [
  {
    kind: 'TensorFlowTrainingJob',
    field: 'spec.replicaSpecs[].restartPolicy',
    what: 'Never: the first failure of the master is the end',
    async play(stage) {
      const job = await trainingJobs(stage).tensorflow({ worker: 1 }, {}, policy('Never'))
      const pod = await job.run('worker-0', 137)
      await job.reaches('Failed')
      expect((await job.pods()).map(({ metadata }) => metadata?.uid)).toEqual([pod.metadata?.uid])
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'spec.replicaSpecs[].restartPolicy',
    what: 'OnFailure: a failed replica gets a new pod of the same name, and it is counted',
    async play(stage) {
      const job = await trainingJobs(stage).pytorch({ master: 1 }, {}, policy('OnFailure'))
      const first = await job.run('master-0', 1)
      const second = await job.pod('master-0', first)
      expect(second.metadata?.name).toBe(first.metadata?.name)
      expect(second.spec?.restartPolicy).toBe('Never')
      await job.run('master-0', 0, first)
      const status = await job.reaches('Succeeded')
      expect(status.backoffCount).toBe(1)
      expect(status.tasks?.[0]).toMatchObject({
        restartCount: 1,
        replicaStatus: [{ restartCount: 1, phase: 'Succeeded' }],
      })
    },
  },
  ...[130, 137, 138, 143].map(
    (code): Row => ({
      kind: 'TensorFlowTrainingJob',
      field: 'spec.replicaSpecs[].restartPolicy',
      what: `ExitCode: ${code} restarts`,
      async play(stage) {
        const job = await trainingJobs(stage).tensorflow({ chief: 1 }, {}, policy('ExitCode'))
        const first = await job.run('chief-0', code)
        await job.run('chief-0', 0, first)
        expect((await job.reaches('Succeeded')).backoffCount).toBe(1)
      },
    }),
  ),
  ...[1, 127, 139].map(
    (code): Row => ({
      kind: 'PyTorchTrainingJob',
      field: 'spec.replicaSpecs[].restartPolicy',
      what: `ExitCode: ${code} is permanent`,
      async play(stage) {
        const job = await trainingJobs(stage).pytorch({ master: 1 }, {}, policy('ExitCode'))
        await job.run('master-0', code)
        expect((await job.reaches('Failed')).backoffCount ?? 0).toBe(0)
      },
    }),
  ),
  {
    kind: 'TensorFlowTrainingJob',
    field: 'spec.replicaSpecs[].restartPolicy',
    what: 'Always: a replica that succeeded runs again, until the master has succeeded',
    async play(stage) {
      const job = await trainingJobs(stage).tensorflow({ chief: 1, worker: 1 }, {}, policy('Always'))
      await job.start('chief-0')
      const first = await job.run('worker-0', 0)
      await job.pod('worker-0', first)
      await job.exit('chief-0', 0)
      expect((await job.reaches('Succeeded')).backoffCount).toBe(1)
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'spec.runPolicy.backoffLimit',
    what: 'one budget for all replicas; used up, the last outcome is final',
    async play(stage) {
      const runPolicy = { backoffLimit: 1 }
      const job = await trainingJobs(stage).pytorch({ master: 1, worker: 1 }, { runPolicy }, policy('OnFailure'))
      const first = await job.run('worker-0', 1)
      await job.run('worker-0', 1, first)
      await eventually('worker-0 has failed for good', async () => {
        const entry = (await job.status()).tasks?.[1]?.replicaStatus[0]
        expect(entry).toMatchObject({ phase: 'Failed', restartCount: 1 })
      })
      await job.run('master-0', 1)
      expect((await job.reaches('Failed')).backoffCount).toBe(1)
    },
  },
  {
    kind: 'GenericJob',
    field: 'spec.replicasSpec[].restartPolicy.limit',
    what: 'restarts are counted per replica and summed per type',
    async play(stage) {
      const restartPolicy = { policy: 'OnFailure', limit: 1 }
      const rules = { successRules: [{ worker: [0, 1] }] }
      const job = await trainingJobs(stage).generic({ worker: 2 }, rules, policy(restartPolicy))
      const [zero, one] = await Promise.all([job.run('worker-0', 1), job.run('worker-1', 1)])
      await Promise.all([job.run('worker-0', 0, zero), job.run('worker-1', 0, one)])
      expect((await job.reaches('Succeeded')).tasks?.[0]?.restartCount).toBe(2)
    },
  },
  {
    kind: 'GenericJob',
    field: 'spec.replicasSpec[].restartPolicy',
    what: 'absent: a failure is not restarted, and a job that cannot succeed any more has failed',
    async play(stage) {
      const job = await trainingJobs(stage).generic({ worker: 1 })
      await job.run('worker-0', 1)
      await job.reaches('Failed')
    },
  },
  {
    kind: 'TFJob',
    field: 'spec.tfReplicaSpecs.*.restartPolicy',
    what: 'OnFailure: the job says Restarting, then Running again',
    async play(stage) {
      const job = await trainingJobs(stage).tfjob({ Worker: 1 }, {}, policy('OnFailure'))
      const first = await job.run('worker-0', 1)
      await job.run('worker-0', 0, first)
      await job.reaches('Succeeded')
    },
  },
  {
    kind: 'TFJob',
    field: 'spec.backoffLimit',
    what: 'exceeding it fails the job',
    async play(stage) {
      const job = await trainingJobs(stage).tfjob({ Worker: 1 }, { backoffLimit: 1 }, policy('OnFailure'))
      const first = await job.run('worker-0', 1)
      await job.run('worker-0', 1, first)
      await job.reaches('Failed')
    },
  },
  ...(['Never', 'OnFailure'] as const).map(
    (restartPolicy): Row => ({
      kind: 'PyTorchTrainingJob',
      field: 'status.backoffCount',
      what: `a lost pod is replaced under ${restartPolicy} and spends nothing`,
      async play(stage) {
        const runPolicy = { backoffLimit: 0 }
        const job = await trainingJobs(stage).pytorch({ master: 1 }, { runPolicy }, policy(restartPolicy))
        await job.start('master-0')
        const lost = await job.lose('master-0')
        await job.run('master-0', 0, lost)
        const status = await job.reaches('Succeeded')
        expect(status.backoffCount ?? 0).toBe(0)
        expect(status.tasks?.[0]?.restartCount ?? 0).toBe(0)
      },
    }),
  ),
  {
    kind: 'TensorFlowTrainingJob',
    field: 'status.tasks[].replicaStatus[].uid',
    what: 'a pod that somebody else deleted is replaced',
    async play(stage) {
      const job = await trainingJobs(stage).tensorflow({ worker: 1 })
      const [first] = await job.start('worker-0')
      await job.remove(first!)
      const second = await job.pod('worker-0', first)
      await job.run('worker-0', 0, first)
      const status = await job.reaches('Succeeded')
      expect(status.tasks?.[0]?.replicaStatus[0]?.uid).toBe(second.metadata?.uid)
    },
  },
]
