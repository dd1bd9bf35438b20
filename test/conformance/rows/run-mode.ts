import { expect } from 'vitest'
import { trainingJobs } from '../manifests.ts'
import type { Row } from '../row.ts'
import { eventually } from '../stage.ts'

const paused = (value: boolean) => ({ spec: { runMode: { pause: { enable: value } } } })

export const runModeRows: Row[] = [
  ...(['tensorflow', 'pytorch', 'generic'] as const).map(
    (make): Row => ({
      kind: ({ tensorflow: 'TensorFlowTrainingJob', pytorch: 'PyTorchTrainingJob', generic: 'GenericJob' } as const)[
        make
      ],
      field: 'spec.runMode.pause.enable',
      what: 'pods go while paused and come back on resume; counters are kept',
      async play(stage) {
        const restartPolicy = make === 'generic' ? { policy: 'OnFailure', limit: 3 } : 'OnFailure'
        const job = await trainingJobs(stage)[make]({ worker: 1 }, {}, () => ({ restartPolicy }))
        const failed = await job.run('worker-0', 1)
        await job.pod('worker-0', failed)
        await job.start('worker-0')
        await job.reaches('Running')
        await job.patch(paused(true))
        await job.reaches('Paused')
        await job.hasReplicas()
        await job.patch(paused(false))
        await job.run('worker-0', 0)
        const status = await job.reaches('Succeeded')
        expect(status.tasks?.[0]?.restartCount).toBe(1)
      },
    }),
  ),
  {
    kind: 'GenericJob',
    field: 'spec.runMode.pause.resumeSpecs',
    what: 'shape the pods after leaving pause',
    async play(stage) {
      const resumeSpecs = [{ type: 'worker', args: ['--resume'] }]
      const runMode = { pause: { enable: true, resumeSpecs } }
      const job = await trainingJobs(stage).generic({ worker: 1 }, { runMode })
      await job.reaches('Paused')
      await job.patch(paused(false))
      const pod = await job.pod('worker-0')
      expect(pod.spec?.containers[0]).toMatchObject({ command: stage.driver.container.command, args: ['--resume'] })
    },
  },
  {
    kind: 'TFJob',
    field: 'spec.tfReplicaSpecs',
    what: 'suspended: no pods; resumed: pods',
    async play(stage) {
      const job = await trainingJobs(stage).tfjob({ Worker: 1 }, { runPolicy: { suspend: true } })
      await job.reaches('Suspended')
      expect(await job.replicas()).toEqual([])
      await job.patch({ spec: { runPolicy: { suspend: false } } })
      await job.run('worker-0', 0)
      await job.reaches('Succeeded')
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'spec.runMode.debug.enable',
    what: 'pods are made but run the debug command; init containers can be left out',
    async play(stage) {
      const replicaSpecs = [{ type: 'worker', command: ['sleep', '60'], skipInitContainer: true }]
      const template = stage.template({ name: 'pytorch', args: ['train.py'] })
      const job = await trainingJobs(stage).pytorch(
        { master: 1, worker: 1 },
        { runMode: { debug: { enable: true, replicaSpecs } } },
        () => ({
          template: { spec: { ...template.spec, initContainers: [{ ...stage.driver.container, name: 'init' }] } },
        }),
      )
      const master = await job.pod('master-0')
      const worker = await job.pod('worker-0')
      expect(master.spec?.containers[0]?.command).toEqual(['sleep', 'inf'])
      expect(master.spec?.containers[0]?.args).toBeUndefined()
      expect(master.spec?.initContainers).toHaveLength(1)
      expect(worker.spec?.containers[0]?.command).toEqual(['sleep', '60'])
      expect(worker.spec?.initContainers ?? []).toEqual([])
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'spec.elastic.expectedReplicas',
    what: 'scales up and down through the scale subresource, the highest ranks first, never the master',
    async play(stage) {
      const template = stage.template({ name: 'python', args: ['train.py'] })
      const job = await trainingJobs(stage).pytorch(
        { node: 1 },
        {
          elastic: { enable: true, minReplicas: 1, maxReplicas: 4, expectedReplicas: 2 },
          torchrunConfig: { enable: true },
        },
        () => ({ template }),
      )
      await job.hasReplicas('node-0', 'node-1')
      await job.patch({ spec: { replicas: 4 } }, 'scale')
      await job.hasReplicas('node-0', 'node-1', 'node-2', 'node-3')
      await job.patch({ spec: { replicas: 1 } }, 'scale')
      await job.hasReplicas('node-0')
      await eventually('status.replicas', async () => expect((await job.status()).replicas).toBe(1))
    },
  },
]
