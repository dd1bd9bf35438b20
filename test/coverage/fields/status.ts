// What the status of the three T9k kinds says of replicas and of the job.
import assert from 'node:assert/strict'
import type { JobStatus, ReplicaStatus } from '../../../src/api/types.ts'
import type { FieldTest, World } from '../field-test.ts'
import { type Kit, playUntil, podsOf, statusAfter } from '../stage.ts'

const SUMMARY = 'src/core/summary.ts'

function replicasIn(status: JobStatus, type: string): ReplicaStatus[] {
  return status.tasks?.find((task) => task.type === type)?.replicaStatus ?? []
}

export function taskFields({ kind, job, first }: Kit): FieldTest[] {
  const restartPolicy = kind === 'GenericJob' ? { policy: 'OnFailure', limit: 2 } : 'OnFailure'
  /** worker-1 ends with 7 after ten seconds. */
  const after = (world: World, replica: object = {}): JobStatus =>
    statusAfter(world, job({}, replica), '30s', { events: [{ at: '10s', replica: 'worker-1', exit: 7 }] })
  const base = 'status.tasks'
  const row = (field: string, does: string, test: string, run: FieldTest['run'], code = SUMMARY): FieldTest => ({
    field,
    does,
    code,
    test,
    run,
  })
  const replica = `${base}[].replicaStatus[]`
  return [
    row(
      base,
      'the replicas, by type',
      'each type has its entry',
      (world) => assert.equal(after(world).tasks?.length, 2),
      'src/core/decide.ts',
    ),
    row(`${base}[].type`, 'the type', 'each entry names its type', (world) =>
      assert.deepEqual(
        after(world).tasks?.map(({ type }) => type),
        [first, 'worker'],
      ),
    ),
    row(`${base}[].restartCount`, 'restarts of all its replicas', "a type's restarts are counted", (world) =>
      assert.deepEqual(
        after(world, { restartPolicy }).tasks?.map(({ restartCount }) => restartCount ?? 0),
        [0, 1],
      ),
    ),
    row(`${base}[].replicaStatus`, 'its replicas, by index', 'each replica has its entry', (world) =>
      assert.deepEqual(
        after(world).tasks?.map(({ replicaStatus }) => replicaStatus?.length),
        [1, 2],
      ),
    ),
    row(
      `${replica}.name`,
      "the pod's name",
      'a replica names its pod',
      (world) => {
        const result = playUntil(world, job(), '10s')
        const names = podsOf(result, 'worker').map((pod) => pod.metadata?.name)
        const status = world.status(result.status as JobStatus)
        assert.deepEqual(
          replicasIn(status, 'worker').map(({ name }) => name),
          names,
        )
      },
      'src/core/replicas.ts',
    ),
    row(
      `${replica}.uid`,
      "the pod's uid",
      "a replica names its pod's uid",
      (world) => {
        const result = playUntil(world, job(), '10s')
        const uids = podsOf(result, 'worker').map((pod) => pod.metadata?.uid)
        const status = world.status(result.status as JobStatus)
        assert.deepEqual(
          replicasIn(status, 'worker').map(({ uid }) => uid),
          uids,
        )
      },
      'src/core/replicas.ts',
    ),
    row(
      `${replica}.phase`,
      'its state, or its last outcome',
      'a replica that failed is Failed',
      (world) =>
        assert.deepEqual(
          replicasIn(after(world), 'worker').map(({ phase }) => phase),
          ['Running', 'Failed'],
        ),
      'src/core/replicas.ts',
    ),
    row(`${replica}.containers`, "the pod's containers", "a replica shows its pod's containers", (world) =>
      assert.deepEqual(
        replicasIn(after(world), 'worker').map(({ containers }) => containers?.length),
        [1, 1],
      ),
    ),
    row(`${replica}.containers[].name`, "a container's name", 'a container is named', (world) =>
      assert.equal(replicasIn(after(world), 'worker')[0]?.containers?.[0]?.name, 'tensorflow'),
    ),
    row(`${replica}.containers[].state`, 'Waiting, Running or Terminated', 'a container says how it is', (world) =>
      assert.deepEqual(
        replicasIn(after(world), 'worker').map(({ containers }) => containers?.[0]?.state),
        ['Running', 'Terminated'],
      ),
    ),
    row(
      `${replica}.containers[].exitCode`,
      'with what it ended',
      'a container that ended tells its exit code',
      (world) => assert.equal(replicasIn(after(world), 'worker')[1]?.containers?.[0]?.exitCode, 7),
    ),
    row(
      'status.backoffCount',
      'restarts granted',
      'restarts of the job are counted',
      (world) => assert.equal(after(world, { restartPolicy }).backoffCount, 1),
      'src/core/decide.ts',
    ),
  ]
}

export function phaseField({ job }: Kit): FieldTest {
  return {
    field: 'status.phase',
    does: 'Pending, Running, Paused, Resuming, Succeeded, Failed or Unknown',
    code: 'src/core/decide.ts',
    test: 'a job whose replicas all run is Running',
    run: (world) => assert.equal(statusAfter(world, job(), '10s').phase, 'Running'),
  }
}

export function conditionFields({ job }: Kit): FieldTest[] {
  const find = (world: World, type: string) =>
    statusAfter(world, job(), '10s').conditions?.find((condition) => condition.type === type)
  const code = 'src/core/conditions.ts'
  const base = 'status.conditions'
  return [
    {
      field: base,
      does: 'what is true of the job',
      code: 'src/core/decide.ts',
      test: "a job's conditions are kept in order",
      run: (world) =>
        assert.deepEqual(
          statusAfter(world, job(), '10s').conditions?.map(({ type }) => type),
          ['Initialized', 'Running', 'Completed', 'ReplicaFailure'],
        ),
    },
    {
      field: `${base}[].type`,
      does: 'what it is about',
      code,
      test: 'a condition says what it is about',
      run: (world) => assert.equal(find(world, 'Running')?.type, 'Running'),
    },
    {
      field: `${base}[].status`,
      does: 'True, False or Unknown',
      code,
      test: 'a job that runs is not completed',
      run: (world) =>
        assert.deepEqual([find(world, 'Running')?.status, find(world, 'Completed')?.status], ['True', 'False']),
    },
    {
      field: `${base}[].reason`,
      does: 'why, in a word',
      code,
      test: 'a condition says why in a word',
      run: (world) => assert.equal(find(world, 'Completed')?.reason, 'NotFinished'),
    },
    {
      field: `${base}[].message`,
      does: 'why, in a sentence',
      code,
      test: 'a condition says why in a sentence',
      run: (world) =>
        assert.equal(find(world, 'Running')?.message, 'All pods are running normally or have completed successfully.'),
    },
    {
      field: `${base}[].lastTransitionTime`,
      does: 'since when its status is so',
      code,
      test: 'a condition says since when it is so',
      run: (world) => assert.match(find(world, 'Running')?.lastTransitionTime ?? '', /T00:00:02Z$/),
    },
  ]
}
