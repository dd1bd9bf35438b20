import { expect } from 'vitest'
import { trainingJobs } from '../manifests.ts'
import type { Row } from '../row.ts'
import { eventually } from '../stage.ts'

/** Which pods are left when the master has succeeded, one worker too, and the other still runs. */
const LEFT = {
  All: [],
  Unfinished: ['chief-0', 'worker-0'],
  None: ['chief-0', 'worker-0', 'worker-1'],
  unfinished: ['chief-0', 'worker-0'],
}

export const runPolicyRows: Row[] = [
  ...Object.entries(LEFT).map(
    ([cleanUpPolicy, left]): Row => ({
      kind: 'TensorFlowTrainingJob',
      field: 'spec.runPolicy.cleanUpPolicy',
      what: `${cleanUpPolicy} leaves ${left.length} of three pods`,
      async play(stage) {
        const job = await trainingJobs(stage).tensorflow({ chief: 1, worker: 2 }, { runPolicy: { cleanUpPolicy } })
        await job.start('chief-0', 'worker-0', 'worker-1')
        await job.exit('worker-0', 0)
        await eventually('worker-0 counts', async () => expect((await job.status()).aggregate?.succeeded).toBe(1))
        await job.exit('chief-0', 0)
        await job.reaches('Succeeded')
        await job.hasReplicas(...left)
        await eventually('outcomes stay', async () => {
          const { aggregate } = await job.status()
          expect(aggregate).toMatchObject({ succeeded: 2, failed: 0, deleted: left.length === 3 ? 0 : 1 })
        })
      },
    }),
  ),
  {
    kind: 'GenericJob',
    field: 'spec.cleanUpPolicy',
    what: 'All removes every pod of the finished job',
    async play(stage) {
      const job = await trainingJobs(stage).generic({ worker: 1, ps: 1 }, { cleanUpPolicy: 'All' })
      await job.start('worker-0', 'ps-0')
      await job.exit('worker-0', 0)
      await job.reaches('Succeeded')
      await job.hasReplicas()
    },
  },
  {
    kind: 'TFJob',
    field: 'spec.cleanPodPolicy',
    what: 'absent: running pods are removed, ended ones are kept',
    async play(stage) {
      const job = await trainingJobs(stage).tfjob({ Chief: 1, PS: 1 })
      await job.start('chief-0', 'ps-0')
      await job.exit('chief-0', 0)
      await job.reaches('Succeeded')
      await job.hasReplicas('chief-0')
    },
  },
  ...(['All', 'None'] as const).map(
    (cleanPodPolicy): Row => ({
      kind: 'TFJob',
      field: 'spec.cleanPodPolicy',
      what: cleanPodPolicy,
      async play(stage) {
        const job = await trainingJobs(stage).tfjob({ Chief: 1, PS: 1 }, { cleanPodPolicy })
        await job.start('chief-0', 'ps-0')
        await job.exit('chief-0', 0)
        await job.reaches('Succeeded')
        await job.hasReplicas(...(cleanPodPolicy === 'All' ? [] : ['chief-0', 'ps-0']))
      },
    }),
  ),
  {
    kind: 'PyTorchTrainingJob',
    field: 'spec.runPolicy.activeDeadlineSeconds',
    what: 'passed: the job fails and what has not ended is removed, whatever the clean-up policy',
    async play(stage) {
      const runPolicy = { activeDeadlineSeconds: 3600, cleanUpPolicy: 'None' }
      const job = await trainingJobs(stage).pytorch({ master: 1, worker: 1 }, { runPolicy })
      await job.run('worker-0', 0)
      await job.start('master-0')
      await eventually('one has ended', async () => expect((await job.status()).aggregate?.succeeded).toBe(1))
      // Only now, so that a slow machine has all the time it needs.
      await job.patch({ spec: { runPolicy: { activeDeadlineSeconds: 1 } } })
      const status = await job.reaches('Failed')
      expect(status.conditions?.some(({ reason }) => reason === 'DeadlineExceeded')).toBe(true)
      await job.hasReplicas('worker-0')
    },
  },
  {
    kind: 'TFJob',
    field: 'spec.activeDeadlineSeconds',
    what: 'passed: the job fails',
    async play(stage) {
      const job = await trainingJobs(stage).tfjob({ Worker: 1 }, { activeDeadlineSeconds: 4 })
      await job.start('worker-0')
      await job.reaches('Failed')
      await job.hasReplicas()
    },
  },
  {
    kind: 'TFJob',
    field: 'spec.ttlSecondsAfterFinished',
    what: 'the finished job is deleted when its time has come',
    async play(stage) {
      const job = await trainingJobs(stage).tfjob({ Worker: 1 }, { ttlSecondsAfterFinished: 1 })
      await job.run('worker-0', 0)
      await eventually('it is gone', async () => expect(await job.exists()).toBe(false))
    },
  },
]
