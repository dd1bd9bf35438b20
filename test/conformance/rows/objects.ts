import { expect } from 'vitest'
import type { Container, Pod } from '../../../gen/kubernetes-types.ts'
import { PODS } from '../../../src/kube/index.ts'
import { trainingJobs } from '../manifests.ts'
import type { Row } from '../row.ts'
import { eventually } from '../stage.ts'

const variable = (pod: Pod, name: string): string | undefined => {
  const container: Container | undefined = pod.spec?.containers[0]
  return container?.env?.find((entry) => entry.name === name)?.value
}

export const objectRows: Row[] = [
  {
    kind: 'TensorFlowTrainingJob',
    field: 'spec.replicaSpecs[].template',
    what: 'TF_CONFIG names every peer but the evaluator, and one headless Service gives them their names',
    async play(stage) {
      const job = await trainingJobs(stage).tensorflow({ chief: 1, worker: 2, evaluator: 1 })
      const pod = await job.pod('worker-1')
      const { cluster, task } = JSON.parse(variable(pod, 'TF_CONFIG') ?? '{}')
      expect(task).toEqual({ type: 'worker', index: 1 })
      expect(Object.keys(cluster).sort()).toEqual(['chief', 'worker'])
      expect(cluster.worker).toHaveLength(2)
      expect(cluster.worker[1]).toMatch(new RegExp(`^${job.name}-worker-1\\..*:2222$`))
      await eventually('one Service', async () => {
        const services = await job.services()
        expect(services).toHaveLength(1)
        expect(services[0]?.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true })
      })
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'spec.replicaSpecs[].replicas',
    what: 'ranks run over the types in order',
    async play(stage) {
      const job = await trainingJobs(stage).pytorch({ ps: 1, worker: 2 })
      const pods = await Promise.all(['ps-0', 'worker-0', 'worker-1'].map((replica) => job.pod(replica)))
      expect(pods.map((pod) => variable(pod, 'RANK'))).toEqual(['0', '1', '2'])
      expect(pods.map((pod) => variable(pod, 'WORLD_SIZE'))).toEqual(['3', '3', '3'])
      expect(new Set(pods.map((pod) => variable(pod, 'MASTER_PORT')))).toEqual(new Set(['23456']))
      expect(variable(pods[2]!, 'MASTER_ADDR')).toMatch(new RegExp(`^${job.name}-ps-0\\.`))
      expect(pods.map((pod) => pod.metadata?.labels?.['job-role'])).toEqual(['master', undefined, undefined])
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'spec.torchrunConfig.enable',
    what: 'torchrun is put before the arguments',
    async play(stage) {
      const torchrunConfig = { enable: true, procPerNode: '2', maxRestarts: 3, extraOptions: ['--tee', '3'] }
      const template = stage.template({ name: 'python', args: ['train.py', '--lr', '1'] })
      const job = await trainingJobs(stage).pytorch({ node: 2 }, { torchrunConfig }, () => ({ template }))
      const { command = [], args = [] } = (await job.pod('node-0')).spec!.containers[0]!
      const line = [...command, ...args].join(' ')
      expect(line).toMatch(/^torchrun /)
      expect(line).toMatch(/ --tee 3 train\.py --lr 1$/)
      for (const flag of ['nnodes', 'nproc_per_node', 'max_restarts', 'rdzv_backend', 'rdzv_endpoint']) {
        expect(line.replaceAll('-', '_')).toContain(flag)
      }
    },
  },
  {
    kind: 'GenericJob',
    field: 'spec.service.ports',
    what: 'one Service per replica, and its name and port put into arguments',
    async play(stage) {
      const args = [
        '$(type)',
        '$(rank)',
        '$(replicas[worker])',
        '$(service.worker[0].host)',
        '$(service.port[main])',
        '$(HOME)',
      ]
      const template = stage.template({ name: 'main', args })
      const service = { ports: [{ name: 'main', port: 8080 }] }
      const job = await trainingJobs(stage).generic({ worker: 2 }, { service }, () => ({ template }))
      const pod = await job.pod('worker-1')
      const [type, rank, replicas, host, port, home] = pod.spec?.containers[0]?.args ?? []
      expect([type, rank, replicas, port, home]).toEqual(['worker', '1', '2', '8080', '$(HOME)'])
      expect(host).toContain(`${job.name}-worker-0`)
      await eventually('a Service each', async () => {
        const names = (await job.services()).map(({ metadata }) => metadata.name).sort()
        expect(names).toEqual([`${job.name}-worker-0`, `${job.name}-worker-1`])
      })
    },
  },
  {
    kind: 'GenericJob',
    field: 'spec.service',
    what: 'absent: no Services',
    async play(stage) {
      const job = await trainingJobs(stage).generic({ worker: 2 })
      await job.hasReplicas('worker-0', 'worker-1')
      await job.run('worker-0', 0)
      await job.reaches('Succeeded')
      expect(await job.services()).toEqual([])
    },
  },
  {
    kind: 'TFJob',
    field: 'spec.tfReplicaSpecs.*.replicas',
    what: 'pods and Services are named job-type-index',
    async play(stage) {
      const job = await trainingJobs(stage).tfjob({ Chief: 1, Worker: 2 })
      await job.hasReplicas('chief-0', 'worker-0', 'worker-1')
      const names = ['chief-0', 'worker-0', 'worker-1'].map((replica) => `${job.name}-${replica}`)
      expect((await job.pods()).map(({ metadata }) => metadata?.name).sort()).toEqual(names)
      await eventually('a Service each', async () => {
        expect((await job.services()).map(({ metadata }) => metadata.name).sort()).toEqual(names)
      })
    },
  },
  {
    kind: 'GenericJob',
    field: 'status.conditions[].reason',
    what: 'a name that is taken is reported and waited for, never adopted or deleted',
    async play(stage) {
      const { client, namespace } = stage
      // TFJob pods have names that can be known before.
      const name = `taken-${Math.random().toString(36).slice(2, 8)}`
      const metadata = { namespace, name: `${name}-worker-0` }
      const stranger = await client.create(PODS, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata,
        ...stage.template({ name: 'x' }),
      })
      const tfReplicaSpecs = { Worker: { template: stage.template({ name: 'tensorflow' }) } }
      const job = await stage.create('TFJob', { tfReplicaSpecs }, { name })
      await eventually('an event tells', async () => expect((await job.events()).join('\n')).toContain('NameTaken'))
      expect((await client.get(PODS, metadata)).metadata.uid).toBe(stranger.metadata.uid)
      await client.delete(PODS, metadata)
      await job.run('worker-0', 0)
      await job.reaches('Succeeded')
    },
  },
  {
    kind: 'TensorFlowTrainingJob',
    field: 'status.aggregate',
    what: 'every replica is in exactly one count',
    async play(stage) {
      const job = await trainingJobs(stage).tensorflow({ worker: 3 })
      const sum = async () => Object.values((await job.status()).aggregate ?? {}).reduce((a, b) => a + b, 0)
      await eventually('all are counted', async () => expect(await sum()).toBe(3))
      await job.start('worker-0', 'worker-1', 'worker-2')
      await eventually('all run', async () => expect((await job.status()).aggregate).toMatchObject({ running: 3 }))
      await job.exit('worker-0', 0)
      await job.reaches('Succeeded')
      expect(await sum()).toBe(3)
    },
  },
  {
    kind: 'PyTorchTrainingJob',
    field: 'status.conditions',
    what: 'events tell the creation of all replicas in one line, and the end',
    async play(stage) {
      const job = await trainingJobs(stage).pytorch({ master: 1, worker: 2 })
      await job.start('master-0', 'worker-0', 'worker-1')
      await job.exit('master-0', 0)
      await job.reaches('Succeeded')
      await eventually('the events are there', async () => {
        const events = await job.events()
        expect(events.filter((event) => event.startsWith('NewReplica'))).toHaveLength(1)
        expect(events.some((event) => event.startsWith('Succeeded'))).toBe(true)
      })
    },
  },
  {
    kind: 'GenericJob',
    field: 'spec.replicasSpec',
    what: 'a deleted job takes its pods and Services along',
    async play(stage) {
      const service = { ports: [{ name: 'main', port: 8080 }] }
      const job = await trainingJobs(stage).generic({ worker: 2 }, { service })
      await job.start('worker-0', 'worker-1')
      await job.delete()
      await job.hasReplicas()
      await eventually('the Services are gone', async () => expect(await job.services()).toEqual([]))
    },
  },
]
