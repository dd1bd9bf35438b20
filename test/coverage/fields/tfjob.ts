// TFJob's fields, in Kubeflow's terms.
import assert from 'node:assert/strict'
import type { JobCondition, TFJobStatus } from '../../../src/api/types.ts'
import type { Script } from '../../../src/rehearse/rehearse.ts'
import type { FieldTest, World } from '../field-test.ts'
import { attemptsOf, play, playUntil, podsOf, tfJob } from '../stage.ts'

const READS = 'src/core/kinds/tfjob.ts'
const SHOWS = 'src/core/kinds/tfjob-status.ts'

function statusAfter(world: World, until: string, script: Script = {}): TFJobStatus {
  return world.status(playUntil(world, tfJob(), until, script).status as TFJobStatus)
}

export const tfJobSpecFields: FieldTest[] = [
  {
    field: 'spec.activeDeadlineSeconds',
    does: 'the job fails when it has been active for so long',
    code: 'src/core/active-clock.ts',
    test: 'a TFJob that takes too long fails',
    run: (world) => {
      const { phase, scene } = play(world, tfJob({ activeDeadlineSeconds: 20 }))
      assert.deepEqual([phase, scene.endedAt], ['Failed', 20_000])
    },
  },
  {
    field: 'spec.backoffLimit',
    does: 'how many restarts the job may spend; unlimited if not said',
    code: READS,
    test: 'a TFJob that exceeds its restarts fails',
    run: (world) => {
      const failing = tfJob({ backoffLimit: 1 }, { restartPolicy: 'OnFailure' })
      const result = play(world, failing, { replicas: { 'worker-1': { exitAfter: '1s', exitCode: 1 } } })
      assert.deepEqual([result.phase, attemptsOf(result, 'worker-1')], ['Failed', 2])
    },
  },
  {
    field: 'spec.cleanPodPolicy',
    does: 'which pods go when the job has ended; those that run if not said',
    code: READS,
    test: 'pods that run are kept under None',
    run: (world) => {
      const script: Script = { replicas: { 'worker-1': { exitAfter: 'never' } } }
      assert.equal(podsOf(play(world, tfJob({ cleanPodPolicy: 'None' }), script)).length, 3)
    },
  },
  {
    field: 'spec.ttlSecondsAfterFinished',
    does: 'when a job that has ended is deleted; never if not said',
    code: 'src/core/finished.ts',
    test: 'a TFJob that has ended disappears after its time',
    run: (world) => {
      const { phase, scene } = play(world, tfJob({ ttlSecondsAfterFinished: 30 }))
      assert.deepEqual([phase, (scene.deletedAt ?? 0) - scene.endedAt], ['Deleted', 30_000])
    },
  },
  {
    field: 'spec.tfReplicaSpecs',
    does: 'the replicas by type, in any casing',
    code: READS,
    test: 'a TFJob has a pod for each of its replicas',
    run: (world) =>
      assert.deepEqual(
        podsOf(playUntil(world, tfJob(), '10s'))
          .map((pod) => pod.metadata?.name)
          .sort(),
        ['job-chief-0', 'job-worker-0', 'job-worker-1'],
      ),
  },
  {
    field: 'spec.tfReplicaSpecs.*.replicas',
    does: 'how many of the type, 1 if not said',
    code: READS,
    test: 'a type of a TFJob has as many pods as it says',
    run: (world) => assert.equal(podsOf(playUntil(world, tfJob(), '10s'), 'worker').length, 2),
  },
  {
    field: 'spec.tfReplicaSpecs.*.template',
    does: 'the pod to make',
    code: READS,
    test: "a TFJob's pods are made from the template",
    run: (world) => {
      const images = podsOf(playUntil(world, tfJob(), '10s')).map((pod) => pod.spec?.containers[0]?.image)
      assert.deepEqual(images, ['train:1', 'train:1', 'train:1'])
    },
  },
  {
    field: 'spec.tfReplicaSpecs.*.restartPolicy',
    does: 'when a replica runs again; never if not said',
    code: READS,
    test: "a TFJob's replica that fails runs again where its policy says so",
    run: (world) => {
      const restarting = tfJob({}, { restartPolicy: 'ExitCode' })
      const result = play(world, restarting, { events: [{ at: '10s', replica: 'worker-1', exit: 137 }] })
      assert.equal(attemptsOf(result, 'worker-1'), 2)
    },
  },
]

const find = (world: World, type: string): JobCondition | undefined =>
  statusAfter(world, '10s').conditions?.find((condition) => condition.type === type)

const row = (field: string, does: string, test: string, run: FieldTest['run'], code = SHOWS): FieldTest => ({
  field,
  does,
  code,
  test,
  run,
})

/** worker-1 ends after ten seconds, everybody else runs on. */
const counts = (world: World, exit: number) =>
  statusAfter(world, '30s', { events: [{ at: '10s', replica: 'worker-1', exit }] }).replicaStatuses

export const tfJobStatusFields: FieldTest[] = [
  row(
    'status.conditions',
    'what happened to the job, newest last',
    'what happened to a TFJob stands in order',
    (world) =>
      assert.deepEqual(
        statusAfter(world, '10s').conditions?.map(({ type }) => type),
        ['Created', 'Running'],
      ),
  ),
  row(
    'status.conditions[].type',
    'Created, Running, Restarting, Suspended, Succeeded or Failed',
    'a TFJob that runs has the condition Running',
    (world) => assert.equal(find(world, 'Running')?.type, 'Running'),
  ),
  row('status.conditions[].status', 'True or False', 'the condition Running of a TFJob that runs is True', (world) =>
    assert.equal(find(world, 'Running')?.status, 'True'),
  ),
  row('status.conditions[].reason', "why, in Kubeflow's word", "a TFJob's condition says why in a word", (world) =>
    assert.equal(find(world, 'Created')?.reason, 'TFJobCreated'),
  ),
  row('status.conditions[].message', 'why, in a sentence', "a TFJob's condition says why in a sentence", (world) =>
    assert.equal(find(world, 'Running')?.message, 'TFJob job is running.'),
  ),
  row(
    'status.conditions[].lastUpdateTime',
    'when it was last written',
    'a condition says when it was written',
    (world) => assert.match(find(world, 'Running')?.lastUpdateTime ?? '', /T00:00:02Z$/),
  ),
  row(
    'status.conditions[].lastTransitionTime',
    'since when its status is so',
    'a condition says since when it is so',
    (world) => assert.match(find(world, 'Running')?.lastTransitionTime ?? '', /T00:00:02Z$/),
  ),
  row('status.replicaStatuses', 'how the pods of each type stand', 'a TFJob counts its pods by type', (world) =>
    assert.deepEqual(counts(world, 0), { Chief: { active: 1 }, Worker: { active: 1, succeeded: 1 } }),
  ),
  row('status.replicaStatuses.*.active', 'pods that run', 'pods that run are active', (world) =>
    assert.equal(counts(world, 0)?.Worker?.active, 1),
  ),
  row('status.replicaStatuses.*.succeeded', 'pods that ended with 0', 'pods that ended well have succeeded', (world) =>
    assert.equal(counts(world, 0)?.Worker?.succeeded, 1),
  ),
  row('status.replicaStatuses.*.failed', 'pods that ended otherwise', 'pods that ended badly have failed', (world) =>
    assert.equal(counts(world, 1)?.Worker?.failed, 1),
  ),
  row('status.startTime', 'when pods were first created', 'a TFJob says when it was started', (world) =>
    assert.match(statusAfter(world, '10s').startTime ?? '', /T00:00:00Z$/),
  ),
  row('status.completionTime', 'when the job ended', 'a TFJob says when it ended', (world) =>
    assert.match((world.status(play(world, tfJob()).status) as TFJobStatus).completionTime ?? '', /T00:01:02Z$/),
  ),
  row(
    'status.lastReconcileTime',
    'when the status was last written',
    'a TFJob says when it was last looked at',
    (world) =>
      assert.match((world.status(play(world, tfJob()).status) as TFJobStatus).lastReconcileTime ?? '', /T00:01:02Z$/),
  ),
]
