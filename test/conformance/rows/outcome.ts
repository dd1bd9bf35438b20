import { expect } from 'vitest'
import { trainingJobs } from '../manifests.ts'
import type { Row } from '../row.ts'
import { eventually } from '../stage.ts'

export const outcomeRows: Row[] = [
  {
    kind: 'TensorFlowTrainingJob',
    field: 'status.phase',
    what: 'chief-0 decides, the workers do not',
    async play(stage) {
      const job = await trainingJobs(stage).tensorflow({ chief: 1, worker: 2, ps: 1 })
      await job.start('chief-0', 'worker-0', 'worker-1', 'ps-0')
      await job.reaches('Running')
      await job.exit('worker-0', 0)
      await job.exit('chief-0', 0)
      const status = await job.reaches('Succeeded')
      expect(status.completionTime).toBeDefined()
      const counts = { succeeded: 2, running: 2, failed: 0 }
      await eventually('counts', async () => expect((await job.status()).aggregate).toMatchObject(counts))
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'status.phase',
    what: 'index 0 of the first replicaSpec decides',
    async play(stage) {
      const job = await trainingJobs(stage).pytorch({ master: 1, worker: 1 })
      await job.start('master-0', 'worker-0')
      await job.reaches('Running')
      await job.exit('master-0', 0)
      await job.reaches('Succeeded')
    },
  },
  {
    kind: 'GenericJob',
    field: 'spec.successRules',
    what: 'a rule needs all its ranks, a list of rules one rule',
    async play(stage) {
      const successRules = [{ worker: [0, 1] }, { ps: [0] }]
      const job = await trainingJobs(stage).generic({ worker: 2, ps: 1 }, { successRules })
      await job.start('worker-0', 'worker-1', 'ps-0')
      await job.exit('worker-0', 0)
      await eventually('one has succeeded', async () => expect((await job.status()).aggregate?.succeeded).toBe(1))
      await job.reaches('Running')
      await job.exit('worker-1', 0)
      await job.reaches('Succeeded')
    },
  },
  {
    kind: 'GenericJob',
    field: 'spec.failureRules',
    what: 'a failed rank of a rule fails the job',
    async play(stage) {
      const job = await trainingJobs(stage).generic({ worker: 2 }, { failureRules: [{ worker: [1] }] })
      await job.start('worker-0', 'worker-1')
      await job.exit('worker-1', 1)
      await job.reaches('Failed')
    },
  },
  {
    kind: 'TFJob',
    field: 'status.conditions[].type',
    what: 'Created, Running, then Succeeded with the chief',
    async play(stage) {
      const job = await trainingJobs(stage).tfjob({ Chief: 1, Worker: 2 })
      await job.reaches('Created')
      await job.start('chief-0', 'worker-0', 'worker-1')
      await job.reaches('Running')
      await job.exit('chief-0', 0)
      const status = await job.reaches('Succeeded')
      const types = status.conditions?.map(({ type, status: value }) => `${type}=${value}`)
      expect(types).toEqual(['Created=True', 'Running=False', 'Succeeded=True'])
    },
  },
  {
    kind: 'TFJob',
    field: 'status.replicaStatuses.*.failed',
    what: 'any replica that failed for good fails the job',
    async play(stage) {
      const job = await trainingJobs(stage).tfjob({ Chief: 1, Worker: 1 })
      await job.start('chief-0', 'worker-0')
      await job.exit('worker-0', 1)
      const status = await job.reaches('Failed')
      expect(status.replicaStatuses?.Worker).toMatchObject({ failed: 1 })
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'status.tasks[].replicaStatus[].containers[].exitCode',
    what: 'the exit code that failed the job is in its status',
    async play(stage) {
      const job = await trainingJobs(stage).pytorch({ master: 1, worker: 1 })
      await job.start('master-0', 'worker-0')
      const pod = await job.exit('master-0', 42)
      const status = await job.reaches('Failed')
      const entry = status.tasks?.find(({ type }) => type === 'master')?.replicaStatus[0]
      expect(entry).toMatchObject({ name: pod.metadata?.name, uid: pod.metadata?.uid, phase: 'Failed' })
      expect(entry?.containers?.[0]).toMatchObject({ state: 'Terminated', exitCode: 42 })
    },
  },
  {
    kind: 'TensorFlowTrainingJob',
    field: 'status.phase',
    what: 'finished is final: a finished job never runs again',
    async play(stage) {
      const job = await trainingJobs(stage).tensorflow({ worker: 1 })
      await job.run('worker-0', 0)
      await job.reaches('Succeeded')
      const [pod] = await job.pods()
      await job.remove(pod!)
      // A job made later runs from beginning to end while the finished one has nobody.
      const later = await trainingJobs(stage).tensorflow({ worker: 1 })
      await later.run('worker-0', 0)
      await later.reaches('Succeeded')
      expect(await job.replicas()).toEqual([])
      expect((await job.status()).phase).toBe('Succeeded')
    },
  },
]
