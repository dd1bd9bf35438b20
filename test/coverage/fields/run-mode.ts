// Debug mode and pause, alike for the three T9k kinds.
import assert from 'node:assert/strict'
import type { FieldTest } from '../field-test.ts'
import { ARGS, COMMAND, commandsOf, type Kit, play, playUntil, podsOf } from '../stage.ts'

const READS = 'src/core/kinds/read-common.ts'
const SWITCH = 'src/api/spellings.ts'
const SLEEP = ['sleep', 'inf']
const SHELL = ['sshd', '-D']
const RESUME = ['python', 'resume.py']
const INIT = { initContainers: [{ name: 'fetch', image: 'fetch:1' }] }
/** Left alone at 20 s. */
const RESUMED = { events: [{ at: '20s', pause: false }] }

export function debugFields({ job, code }: Kit): FieldTest[] {
  const debug = (replicaSpecs?: object[]) => ({
    runMode: { debug: { enable: true, ...(replicaSpecs && { replicaSpecs }) } },
  })
  const base = 'spec.runMode.debug'
  const sleeps: FieldTest['run'] = (world) => {
    const pods = podsOf(playUntil(world, job(debug()), '10s'))
    for (const pod of pods) assert.deepEqual(pod.spec?.containers[0]?.command, SLEEP)
    for (const pod of pods) assert.equal(pod.spec?.containers[0]?.args, undefined)
  }
  return [
    {
      field: 'spec.runMode',
      does: 'debug mode and pause',
      code,
      test: 'a job in a mode of its own does not just train',
      run: sleeps,
    },
    {
      field: base,
      does: 'pods that are set up but do not train',
      code: READS,
      test: 'pods of a job in debug mode sleep',
      run: sleeps,
    },
    {
      field: `${base}.enable`,
      does: 'whether debug mode is on; also spelt enabled',
      code: SWITCH,
      test: 'debug mode is on where it says so',
      run: sleeps,
    },
    {
      field: `${base}.replicaSpecs`,
      does: 'what each type runs in debug mode',
      code: READS,
      test: 'a type runs what it is given for debugging',
      run: (world) => {
        const result = playUntil(world, job(debug([{ type: 'worker', command: SHELL }])), '10s')
        assert.deepEqual(commandsOf(result, 'worker'), [SHELL, SHELL])
      },
    },
    {
      field: `${base}.replicaSpecs[].type`,
      does: 'the type it is for',
      code: READS,
      test: 'only the named type gets the debug command',
      run: (world) => {
        const result = playUntil(world, job(debug([{ type: 'worker', command: SHELL }])), '10s')
        assert.deepEqual(commandsOf(result), [SLEEP, SHELL, SHELL])
      },
    },
    {
      field: `${base}.replicaSpecs[].skipInitContainer`,
      does: 'leaves out the init containers',
      code: READS,
      test: 'init containers are left out in debug mode where they shall be',
      run: (world) => {
        const debugged = job(debug([{ type: 'worker', skipInitContainer: true }]), {}, INIT)
        const counts = podsOf(playUntil(world, debugged, '10s')).map((pod) => pod.spec?.initContainers?.length ?? 0)
        assert.deepEqual(counts, [1, 0, 0])
      },
    },
    {
      field: `${base}.replicaSpecs[].command`,
      does: 'runs instead of the training command, sleep inf if not said',
      code: READS,
      test: 'the debug command takes the place of the training command',
      run: (world) => {
        const result = playUntil(world, job(debug([{ type: 'worker', command: SHELL }])), '10s')
        assert.deepEqual(commandsOf(result, 'worker')[1], SHELL)
      },
    },
  ]
}

export function pauseFields({ job }: Kit): FieldTest[] {
  const pause = (resumeSpecs?: object[]) => ({
    runMode: { pause: { enable: true, ...(resumeSpecs && { resumeSpecs }) } },
  })
  const base = 'spec.runMode.pause'
  const rests: FieldTest['run'] = (world) => {
    const result = play(world, job(pause()))
    assert.equal(result.phase, 'Paused')
    assert.equal(podsOf(result).length, 0)
  }
  const resumed =
    (spec: object): FieldTest['run'] =>
    (world) => {
      const result = playUntil(world, job(pause([{ type: 'worker', ...spec }]), {}, INIT), '60s', RESUMED)
      const seen = podsOf(result).map((pod) => ({
        command: pod.spec?.containers[0]?.command,
        args: pod.spec?.containers[0]?.args,
        skipInitContainer: !pod.spec?.initContainers,
      }))
      const plain = { command: COMMAND, args: ARGS, skipInitContainer: false }
      assert.deepEqual(seen, [plain, { ...plain, ...spec }, { ...plain, ...spec }])
    }
  return [
    {
      field: base,
      does: 'the job is kept, its pods are not',
      code: READS,
      test: 'a paused job has no pods',
      run: rests,
    },
    {
      field: `${base}.enable`,
      does: 'whether the job is paused; also spelt enabled',
      code: SWITCH,
      test: 'a job is paused where it says so',
      run: rests,
    },
    {
      field: `${base}.resumeSpecs`,
      does: 'what differs in pods made after a pause',
      code: READS,
      test: 'a job goes on after a pause as it was told to',
      run: resumed({ command: RESUME, args: ['--again'] }),
    },
    {
      field: `${base}.resumeSpecs[].type`,
      does: 'the type it is for',
      code: READS,
      test: 'only the named type goes on differently',
      run: resumed({ command: RESUME }),
    },
    {
      field: `${base}.resumeSpecs[].skipInitContainer`,
      does: 'leaves out the init containers',
      code: READS,
      test: 'init containers are left out after a pause where they shall be',
      run: resumed({ skipInitContainer: true }),
    },
    {
      field: `${base}.resumeSpecs[].command`,
      does: 'runs instead of the command after a pause',
      code: READS,
      test: 'another command runs after a pause',
      run: resumed({ command: RESUME }),
    },
    {
      field: `${base}.resumeSpecs[].args`,
      does: 'the arguments after a pause',
      code: READS,
      test: 'the command gets other arguments after a pause',
      run: resumed({ args: ['--from=checkpoint'] }),
    },
  ]
}
