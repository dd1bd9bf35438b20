// What the three batch.tensorstack.dev kinds have in common, promised for each.
import { expect } from 'vitest'
import { trainingJobs } from '../manifests.ts'
import type { Row } from '../row.ts'
import { type Actor, eventually, type Stage } from '../stage.ts'

const KINDS = {
  TensorFlowTrainingJob: 'tensorflow',
  PyTorchTrainingJob: 'pytorch',
  GenericJob: 'generic',
} as const

const condition = async (job: Actor, type: string) =>
  (await job.status()).conditions?.find((each) => each.type === type)

function rowsOf(kind: keyof typeof KINDS): Row[] {
  const make = KINDS[kind]
  const container = { tensorflow: 'tensorflow', pytorch: 'pytorch', generic: 'main' }[make]
  const specs = make === 'generic' ? 'spec.replicasSpec[]' : 'spec.replicaSpecs[]'
  const onFailure = () => ({ restartPolicy: make === 'generic' ? { policy: 'OnFailure', limit: 1 } : 'OnFailure' })
  const withInit = (stage: Stage) => () => ({
    template: {
      spec: {
        ...stage.template({ name: container }).spec,
        initContainers: [{ name: 'init', image: 'none', command: ['true'] }],
      },
    },
  })
  return [
    {
      kind,
      field: 'status.tasks[].replicaStatus[].phase',
      also: [
        `${specs}.type`,
        `${specs}.replicas`,
        `${specs}.template`,
        'status.tasks[].type',
        'status.tasks[].replicaStatus[].name',
        'status.tasks[].replicaStatus[].uid',
        'status.tasks[].replicaStatus[].containers[].name',
        'status.tasks[].replicaStatus[].containers[].state',
        'status.aggregate.running',
        'status.conditions[].type',
        'status.conditions[].status',
        'status.conditions[].reason',
        'status.conditions[].message',
        'status.conditions[].lastTransitionTime',
        'status.phase',
      ],
      what: 'a running job says of every replica which pod it is and how it fares',
      async play(stage) {
        const job = await trainingJobs(stage)[make]({ worker: 2, ps: 1 })
        const pods = await job.start('worker-0', 'worker-1', 'ps-0')
        await job.reaches('Running')
        await eventually('the whole picture', async () => {
          const { tasks, aggregate } = await job.status()
          expect(tasks?.map(({ type }) => type)).toEqual(['worker', 'ps'])
          const entries = tasks?.flatMap(({ replicaStatus }) => replicaStatus) ?? []
          expect(entries.map(({ name, uid }) => ({ name, uid }))).toEqual(
            pods.map(({ metadata }) => ({ name: metadata?.name, uid: metadata?.uid })),
          )
          for (const entry of entries) {
            expect(entry).toMatchObject({ phase: 'Running', containers: [{ name: container, state: 'Running' }] })
          }
          expect(aggregate).toMatchObject({ running: 3, creating: 0 })
        })
        const running = await condition(job, 'Running')
        expect(running).toMatchObject({ status: 'True', reason: expect.any(String), message: expect.any(String) })
        expect(Date.parse(running?.lastTransitionTime ?? '')).toBeGreaterThan(Date.now() - 120_000)
      },
    },
    {
      kind,
      field: 'status.aggregate.failed',
      also: ['status.tasks[].replicaStatus[].containers[].exitCode', 'status.phase', 'status.conditions[].reason'],
      what: 'a failed job says who failed and how',
      async play(stage) {
        const job = await trainingJobs(stage)[make]({ worker: 1 })
        await job.run('worker-0', 3)
        const { tasks, aggregate } = await job.reaches('Failed')
        expect(aggregate).toMatchObject({ failed: 1, running: 0, succeeded: 0 })
        expect(tasks?.[0]?.replicaStatus[0]?.containers?.[0]).toMatchObject({ state: 'Terminated', exitCode: 3 })
        expect((await condition(job, 'Failed'))?.status).toBe('True')
        expect((await condition(job, 'ReplicaFailure'))?.message).toContain('3')
      },
    },
    {
      kind,
      field: 'status.tasks[].restartCount',
      also: ['status.backoffCount', 'status.aggregate.succeeded', `${specs}.restartPolicy`],
      what: 'a restart is counted once, and the job succeeds all the same',
      async play(stage) {
        const job = await trainingJobs(stage)[make]({ worker: 1 }, {}, onFailure)
        const failed = await job.run('worker-0', 1)
        await job.run('worker-0', 0, failed)
        const { tasks, aggregate, backoffCount } = await job.reaches('Succeeded')
        expect(tasks?.[0]?.restartCount).toBe(1)
        expect(backoffCount).toBe(1)
        expect(aggregate).toMatchObject({ succeeded: 1, failed: 0 })
      },
    },
    {
      kind,
      field: 'status.aggregate.creating',
      what: 'a replica that finds no place is being created',
      async play(stage) {
        const resources = { requests: { cpu: '100000' } }
        const template = stage.template({ name: container, resources })
        const job = await trainingJobs(stage)[make]({ worker: 1 }, {}, () => ({ template }))
        await job.pod('worker-0')
        await eventually('it counts', async () => expect((await job.status()).aggregate).toMatchObject({ creating: 1 }))
        expect((await job.status()).phase).toBe('Pending')
        await job.delete()
      },
    },
    {
      kind,
      field: 'status.aggregate.deleted',
      what: 'replicas of a paused job are deleted',
      async play(stage) {
        const job = await trainingJobs(stage)[make]({ worker: 2 })
        await job.start('worker-0', 'worker-1')
        await job.patch({ spec: { runMode: { pause: { enabled: true } } } })
        await job.reaches('Paused')
        await job.hasReplicas()
        await eventually('they count', async () => expect((await job.status()).aggregate).toMatchObject({ deleted: 2 }))
        expect((await condition(job, 'Paused'))?.status).toBe('True')
      },
    },
    {
      kind,
      field: 'spec.runMode.debug.replicaSpecs[].command',
      also: [
        'spec.runMode.debug.enable',
        'spec.runMode.debug.replicaSpecs[].type',
        'spec.runMode.debug.replicaSpecs[].skipInitContainer',
      ],
      what: 'debug runs another command, or sleeps, with or without init containers',
      async play(stage) {
        const replicaSpecs = [{ type: 'ps', command: ['sleep', '600'], skipInitContainer: true }]
        const runMode = { debug: { enable: true, replicaSpecs } }
        const job = await trainingJobs(stage)[make]({ worker: 1, ps: 1 }, { runMode }, withInit(stage))
        const [worker, ps] = [await job.pod('worker-0'), await job.pod('ps-0')]
        expect(worker.spec?.containers[0]?.command).toEqual(['sleep', 'inf'])
        expect(worker.spec?.initContainers).toHaveLength(1)
        expect(ps.spec?.containers[0]?.command).toEqual(['sleep', '600'])
        expect(ps.spec?.initContainers ?? []).toEqual([])
        await job.delete()
      },
    },
    {
      kind,
      field: 'spec.runMode.pause.resumeSpecs[].command',
      also: [
        'spec.runMode.pause.resumeSpecs[].type',
        'spec.runMode.pause.resumeSpecs[].skipInitContainer',
        'spec.runMode.pause.resumeSpecs[].args',
      ],
      what: 'what runs after a pause can differ, and stays so over a restart',
      async play(stage) {
        const command = [...(stage.driver.container.command ?? []), 'resumed']
        const resumeSpecs = [{ type: 'worker', command, args: ['again'], skipInitContainer: true }]
        const runMode = { pause: { enable: true, resumeSpecs } }
        const extra = () => ({ ...withInit(stage)(), ...onFailure() })
        const job = await trainingJobs(stage)[make]({ worker: 1 }, { runMode }, extra)
        await job.reaches('Paused')
        await job.patch({ spec: { runMode: { pause: { enable: false } } } })
        const first = await job.run('worker-0', 1)
        const second = await job.pod('worker-0', first)
        for (const { spec } of [first, second]) {
          expect(spec?.containers[0]).toMatchObject({ command, args: ['again'] })
          expect(spec?.initContainers ?? []).toEqual([])
        }
        await job.run('worker-0', 0, first)
        await job.reaches('Succeeded')
      },
    },
    {
      kind,
      field: `${specs}.template`,
      what: 'what cannot be changed is refused by name',
      async play(stage) {
        const job = await trainingJobs(stage)[make]({ worker: 1 })
        const list = specs.slice('spec.'.length, -2)
        const changed = [{ type: 'worker', replicas: 2, template: stage.template({ name: container }) }]
        await expect(job.patch({ spec: { [list]: changed } })).rejects.toMatchObject({ code: 422 })
        await job.run('worker-0', 0)
        await job.reaches('Succeeded')
      },
    },
  ]
}

export const everyKindRows: Row[] = (Object.keys(KINDS) as Array<keyof typeof KINDS>).flatMap(rowsOf)
