// What only one kind has.
import { expect } from 'vitest'
import { trainingJobs } from '../manifests.ts'
import type { Row } from '../row.ts'
import { eventually } from '../stage.ts'

const TORCHRUN = { enable: true }

export const particularRows: Row[] = [
  {
    kind: 'GenericJob',
    field: 'spec.successRules',
    what: 'ranks may be words: "0", "1-2" and "*"',
    async play(stage) {
      const rules = { successRules: [{ worker: ['0', '1-2'], ps: ['*'] }] }
      const job = await trainingJobs(stage).generic({ worker: 3, ps: 1 }, rules)
      for (const replica of ['worker-0', 'worker-1', 'ps-0']) await job.run(replica, 0)
      await job.start('worker-2')
      await eventually('three are done', async () => expect((await job.status()).aggregate?.succeeded).toBe(3))
      await job.reaches('Running')
      await job.exit('worker-2', 0)
      await job.reaches('Succeeded')
    },
  },
  {
    kind: 'GenericJob',
    field: 'spec.replicasSpec[].restartPolicy.policy',
    what: 'Always: a replica that succeeded runs again',
    async play(stage) {
      const extra = (type: string) => (type === 'ps' ? { restartPolicy: { policy: 'Always', limit: 5 } } : {})
      const job = await trainingJobs(stage).generic({ worker: 1, ps: 1 }, {}, extra)
      await job.start('worker-0')
      const first = await job.run('ps-0', 0)
      await job.pod('ps-0', first)
      await job.exit('worker-0', 0)
      await job.reaches('Succeeded')
    },
  },
  {
    kind: 'GenericJob',
    field: 'status.conditions[].reason',
    what: 'what no schema can refuse fails with InvalidSpec, and nothing is made',
    async play(stage) {
      const template = stage.template({ name: 'main', args: ['$(service.worker[7].host)'] })
      const service = { ports: [{ name: 'main', port: 8080 }] }
      const job = await trainingJobs(stage).generic({ worker: 1 }, { service }, () => ({ template }))
      const { conditions } = await job.reaches('Failed')
      expect(conditions?.some(({ reason }) => reason === 'InvalidSpec')).toBe(true)
      expect(await job.pods()).toEqual([])
      expect(await job.services()).toEqual([])
    },
  },
  {
    kind: 'TensorFlowTrainingJob',
    field: 'spec.runPolicy.backoffLimit',
    what: 'used up, the master fails the job with its next failure',
    async play(stage) {
      const runPolicy = { backoffLimit: 1 }
      const job = await trainingJobs(stage).tensorflow({ worker: 1 }, { runPolicy }, () => ({
        restartPolicy: 'OnFailure',
      }))
      const first = await job.run('worker-0', 1)
      await job.run('worker-0', 1, first)
      expect((await job.reaches('Failed')).backoffCount).toBe(1)
    },
  },
  {
    kind: 'TensorFlowTrainingJob',
    field: 'spec.runPolicy.activeDeadlineSeconds',
    what: 'passed: the job fails',
    async play(stage) {
      const job = await trainingJobs(stage).tensorflow({ worker: 1 }, { runPolicy: { activeDeadlineSeconds: 4 } })
      await job.start('worker-0')
      await job.reaches('Failed')
      await job.hasReplicas()
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'spec.runPolicy.cleanUpPolicy',
    what: 'Unfinished removes what still runs',
    async play(stage) {
      const runPolicy = { cleanUpPolicy: 'Unfinished' }
      const job = await trainingJobs(stage).pytorch({ master: 1, worker: 1 }, { runPolicy })
      await job.start('master-0', 'worker-0')
      await job.exit('master-0', 0)
      await job.reaches('Succeeded')
      await job.hasReplicas('master-0')
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'spec.torchrunConfig.rdzvBackend',
    also: [
      'spec.torchrunConfig.maxRestarts',
      'spec.torchrunConfig.procPerNode',
      'spec.torchrunConfig.extraOptions',
      'spec.torchrunConfig.enable',
    ],
    what: 'each setting is a flag of torchrun; a number of processes may be a number',
    async play(stage) {
      const torchrunConfig = {
        ...TORCHRUN,
        rdzvBackend: 'etcd',
        maxRestarts: 7,
        procPerNode: 3,
        extraOptions: ['--tee=3'],
      }
      const template = stage.template({ name: 'python', args: ['train.py'] })
      const job = await trainingJobs(stage).pytorch({ node: 2 }, { torchrunConfig }, () => ({ template }))
      const { command = [], args = [] } = (await job.pod('node-1')).spec!.containers[0]!
      const line = [...command, ...args].join(' ').replaceAll('=', ' ').replaceAll('_', '-')
      expect(line).toMatch(/^torchrun .*--rdzv-backend etcd/)
      expect(line).toMatch(/--max-restarts 7/)
      expect(line).toMatch(/--nproc-per-node 3/)
      expect(line).toMatch(/--tee 3 train\.py$/)
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'spec.replicaSpecs[].scalingWeight',
    also: [
      'spec.elastic.enable',
      'spec.elastic.minReplicas',
      'spec.elastic.maxReplicas',
      'spec.elastic.expectedReplicas',
    ],
    what: 'shares the expected replicas over the types; beyond the bounds is refused',
    async play(stage) {
      const template = stage.template({ name: 'python', args: ['train.py'] })
      const weights: Record<string, number> = { big: 3, small: 1 }
      const elastic = { enable: true, minReplicas: 1, maxReplicas: 4, expectedReplicas: 4 }
      const job = await trainingJobs(stage).pytorch(
        { big: 1, small: 1 },
        { elastic, torchrunConfig: TORCHRUN },
        (type) => ({
          template,
          scalingWeight: weights[type],
        }),
      )
      await job.hasReplicas('big-0', 'big-1', 'big-2', 'small-0')
      await expect(job.patch({ spec: { replicas: 5 } }, 'scale')).rejects.toMatchObject({ code: 422 })
    },
  },
  {
    kind: 'TFJob',
    field: 'status.startTime',
    also: [
      'status.completionTime',
      'status.lastReconcileTime',
      'status.replicaStatuses.*.active',
      'status.replicaStatuses.*.succeeded',
      'status.conditions[].reason',
      'status.conditions[].message',
      'status.conditions[].status',
      'status.conditions[].lastUpdateTime',
      'status.conditions[].lastTransitionTime',
    ],
    what: 'times, counts and conditions in the words of Kubeflow',
    async play(stage) {
      const job = await trainingJobs(stage).tfjob({ Worker: 2 })
      await job.start('worker-0', 'worker-1')
      await eventually('both are active', async () => {
        expect((await job.status()).replicaStatuses?.Worker).toMatchObject({ active: 2 })
      })
      await job.exit('worker-1', 0)
      await job.exit('worker-0', 0)
      const status = await job.reaches('Succeeded')
      expect(status.replicaStatuses?.Worker?.succeeded).toBeGreaterThan(0)
      for (const time of [status.startTime, status.completionTime, status.lastReconcileTime]) {
        expect(Number.isNaN(Date.parse(time ?? ''))).toBe(false)
      }
      expect(Date.parse(status.completionTime!)).toBeGreaterThanOrEqual(Date.parse(status.startTime!))
      const succeeded = status.conditions?.find(({ type }) => type === 'Succeeded')
      expect(succeeded).toMatchObject({
        status: 'True',
        reason: 'TFJobSucceeded',
        message: expect.stringContaining(job.name),
      })
      expect(succeeded).toMatchObject({ lastUpdateTime: expect.any(String), lastTransitionTime: expect.any(String) })
    },
  },
  {
    kind: 'TFJob',
    field: 'spec.tfReplicaSpecs.*.template',
    what: 'TF_CONFIG is put into the container named tensorflow, and wins',
    async play(stage) {
      const template = stage.template({ name: 'tensorflow' })
      const job = await trainingJobs(stage).tfjob({ PS: 1, Worker: 2 }, {}, () => ({ template }))
      const pod = await job.pod('worker-1')
      const value = pod.spec?.containers[0]?.env?.findLast(({ name }) => name === 'TF_CONFIG')?.value
      const { cluster, task } = JSON.parse(value ?? '{}')
      expect(task).toEqual({ type: 'worker', index: 1 })
      expect(Object.keys(cluster).sort()).toEqual(['ps', 'worker'])
    },
  },
  {
    kind: 'TFJob',
    field: 'spec.tfReplicaSpecs.*.restartPolicy',
    what: 'ExitCode: 137 restarts, 1 does not',
    async play(stage) {
      const job = await trainingJobs(stage).tfjob({ Worker: 1 }, {}, () => ({ restartPolicy: 'ExitCode' }))
      const first = await job.run('worker-0', 137)
      await job.run('worker-0', 1, first)
      await job.reaches('Failed')
    },
  },
]
