// Fields that only GenericJob has: its rules, its services, limits per replica.
import assert from 'node:assert/strict'
import type { FieldTest } from '../field-test.ts'
import { attemptsOf, type Kit, objectsOf, play, playUntil } from '../stage.ts'

const CODE = 'src/core/kinds/generic.ts'
const PORTS = [{ name: 'sync', port: 7000 }]

export function genericFields({ job }: Kit): FieldTest[] {
  const restartPolicy = 'spec.replicasSpec[].restartPolicy'
  return [
    {
      field: 'spec.successRules',
      does: 'when the job has succeeded: one of the rules, all of its replicas',
      code: CODE,
      test: 'a job succeeds when one of its rules holds',
      run: (world) => {
        const ruled = job({ successRules: [{ master: [0] }, { worker: ['0-1'] }] })
        const result = play(world, ruled, { replicas: { 'master-0': { exitAfter: 'never' } } })
        assert.equal(result.phase, 'Succeeded')
      },
    },
    {
      field: 'spec.failureRules',
      does: 'when the job has failed',
      code: CODE,
      test: 'a job fails when one of its rules holds',
      run: (world) => {
        const ruled = job({ failureRules: [{ worker: [1] }] })
        const { timeline, phase } = play(world, ruled, { replicas: { 'worker-1': { exitAfter: '5s', exitCode: 1 } } })
        assert.equal(phase, 'Failed')
        assert.match(timeline.at(-1)?.message ?? '', /failure rule \{"worker":\["1"\]\} holds/)
      },
    },
    {
      field: 'spec.service',
      does: 'a Service and a name for each replica',
      code: CODE,
      test: 'each replica has its Service',
      run: (world) => {
        const services = objectsOf(playUntil(world, job({ service: { ports: PORTS } }), '10s'), 'Service')
        assert.deepEqual(services.map(({ metadata }) => metadata.name).sort(), [
          'job-master-0',
          'job-worker-0',
          'job-worker-1',
        ])
      },
    },
    {
      field: 'spec.service.ports',
      does: 'the ports of the Services',
      code: CODE,
      test: 'Services have the ports that the job names',
      run: (world) => {
        const services = objectsOf(playUntil(world, job({ service: { ports: PORTS } }), '10s'), 'Service')
        const ports = services.flatMap(({ spec }) => spec.ports as { name: string; port: number }[])
        assert.deepEqual(
          ports.map((port) => `${port?.name} ${port?.port}`),
          ['sync 7000', 'sync 7000', 'sync 7000'],
        )
      },
    },
    {
      field: `${restartPolicy}.policy`,
      does: 'Always, OnFailure (if not said) or Never',
      code: CODE,
      test: 'a replica that ended well runs again under Always',
      run: (world) => {
        const always = job({}, { restartPolicy: { policy: 'Always', limit: 1 } })
        const result = play(world, always, { events: [{ at: '10s', replica: 'worker-1', exit: 0 }] })
        assert.equal(attemptsOf(result, 'worker-1'), 2)
      },
    },
    {
      field: `${restartPolicy}.limit`,
      does: 'restarts each replica may have, none if not said',
      code: CODE,
      test: 'a replica is restarted as often as its limit says',
      run: (world) => {
        const limited = job({}, { restartPolicy: { policy: 'OnFailure', limit: 2 } })
        const result = play(world, limited, { replicas: { 'worker-1': { exitAfter: '1s', exitCode: 1 } } })
        assert.equal(attemptsOf(result, 'worker-1'), 3)
      },
    },
  ]
}
