// Fields that only PyTorchTrainingJob has: elastic training and torchrun.
import assert from 'node:assert/strict'
import type { PyTorchTrainingJob } from '../../../src/api/types.ts'
import type { FieldTest } from '../field-test.ts'
import { ARGS, commandsOf, type Kit, objectsOf, playUntil, podsOf } from '../stage.ts'

const CODE = 'src/core/kinds/pytorch.ts'
const COMMAND_LINE = 'src/core/kinds/pytorch-environment.ts'
const ELASTIC = { enable: true, minReplicas: 2, maxReplicas: 6, expectedReplicas: 5 }

export function elasticFields({ job }: Kit): FieldTest[] {
  const elastic = (more: object = {}) => job({ elastic: ELASTIC, torchrunConfig: { enable: true }, ...more })
  const base = 'spec.elastic'
  const grows: FieldTest['run'] = (world) => assert.equal(podsOf(playUntil(world, elastic(), '10s')).length, 5)
  return [
    {
      field: 'spec.replicaSpecs[].scalingWeight',
      does: "the type's share of the elastic replicas, 1 if not said",
      code: CODE,
      test: 'elastic replicas are shared by weight',
      run: (world) => {
        const weighted = elastic()
        const specs = (weighted as PyTorchTrainingJob).spec.replicaSpecs
        specs[0]!.scalingWeight = 1
        specs[1]!.scalingWeight = 4
        const result = playUntil(world, weighted, '10s')
        assert.deepEqual([podsOf(result, 'master').length, podsOf(result, 'worker').length], [1, 4])
      },
    },
    {
      field: base,
      does: 'a number of replicas that may change',
      code: CODE,
      test: 'an elastic job has the expected replicas',
      run: grows,
    },
    {
      field: `${base}.enable`,
      does: 'whether the job is elastic; also spelt enabled',
      code: 'src/api/spellings.ts',
      test: 'a job is elastic where it says so',
      run: grows,
    },
    {
      field: `${base}.minReplicas`,
      does: 'with how many training goes on; all that a gang waits for',
      code: CODE,
      test: 'the gang of an elastic job is its smallest size',
      run: (world) => {
        const queued = elastic({ scheduler: { t9kScheduler: { queue: 'gpus' } } })
        assert.equal(objectsOf(playUntil(world, queued, '10s'), 'PodGroup')[0]?.spec.minMember, 2)
      },
    },
    {
      field: `${base}.maxReplicas`,
      does: 'up to how many it may grow',
      code: CODE,
      test: 'torchrun knows how far an elastic job may grow',
      run: (world) => assert.equal(flagOf(commandsOf(playUntil(world, elastic(), '10s'))[0], '--nnodes'), '2:6'),
    },
    {
      field: `${base}.expectedReplicas`,
      does: 'how many there should be now; may be changed and scaled',
      code: CODE,
      test: 'an elastic job follows what is expected of it',
      run: (world) => {
        const result = playUntil(world, elastic(), '60s', { events: [{ at: '20s', scale: 3 }] })
        assert.deepEqual([result.replicas.length, podsOf(result).length], [5, 3])
      },
    },
  ]
}

export function torchrunFields({ job }: Kit): FieldTest[] {
  const base = 'spec.torchrunConfig'
  const launched = (config: object = {}) => job({ torchrunConfig: { enable: true, ...config } })
  const launches: FieldTest['run'] = (world) => {
    const pods = podsOf(playUntil(world, launched(), '10s'))
    for (const { spec } of pods) {
      assert.equal(spec?.containers[0]?.command?.[0], 'torchrun')
      assert.deepEqual(spec?.containers[0]?.args, ARGS)
    }
  }
  const flagged =
    (flag: string, value: string, config: object): FieldTest['run'] =>
    (world) =>
      assert.deepEqual(
        commandsOf(playUntil(world, launched(config), '10s')).map((command) => flagOf(command, flag)),
        [value, value, value],
      )
  return [
    {
      field: base,
      does: 'the training is started by torchrun',
      code: CODE,
      test: 'torchrun runs what the args name',
      run: launches,
    },
    {
      field: `${base}.enable`,
      does: 'whether torchrun starts it; also spelt enabled',
      code: 'src/api/spellings.ts',
      test: 'torchrun is used where the job says so',
      run: launches,
    },
    {
      field: `${base}.maxRestarts`,
      does: "torchrun's own restarts",
      code: COMMAND_LINE,
      test: 'torchrun is told how often to restart',
      run: flagged('--max_restarts', '5', { maxRestarts: 5 }),
    },
    {
      field: `${base}.procPerNode`,
      does: 'processes per replica',
      code: COMMAND_LINE,
      test: 'torchrun is told how many processes to start',
      run: flagged('--nproc_per_node', '4', { procPerNode: '4' }),
    },
    {
      field: `${base}.rdzvBackend`,
      does: 'how the agents find each other, c10d if not said',
      code: COMMAND_LINE,
      test: 'torchrun is told how its agents meet',
      run: flagged('--rdzv_backend', 'static', { rdzvBackend: 'static' }),
    },
    {
      field: `${base}.extraOptions`,
      does: 'more options of torchrun, after ours',
      code: COMMAND_LINE,
      test: 'torchrun gets the extra options last',
      run: (world) => {
        const result = playUntil(world, launched({ extraOptions: ['--tee', '3'] }), '10s')
        for (const command of commandsOf(result)) assert.deepEqual(command?.slice(-2), ['--tee', '3'])
      },
    },
  ]
}

function flagOf(command: string[] | undefined, flag: string): string | undefined {
  return command?.includes(flag) ? command[command.indexOf(flag) + 1] : undefined
}
