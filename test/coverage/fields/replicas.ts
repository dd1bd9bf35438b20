// Fields of the three T9k kinds: who runs, and how often again.
import assert from 'node:assert/strict'
import type { FieldTest } from '../field-test.ts'
import { attemptsOf, type Kit, play, playUntil, podsOf } from '../stage.ts'

export function replicaFields({ kind, job, list, first, code }: Kit): FieldTest[] {
  const at = `spec.${list}`
  const restarts = kind === 'GenericJob' ? { policy: 'OnFailure', limit: 1 } : 'OnFailure'
  return [
    {
      field: at,
      does: 'the replicas, by type; the order is the order of ranks',
      code: kind === 'GenericJob' ? 'src/api/spellings.ts' : code,
      test: 'a job has a pod for each of its replicas',
      run: (world) => assert.equal(podsOf(playUntil(world, job(), '10s')).length, 3),
    },
    {
      field: `${at}[].type`,
      does: 'in the names of pods and peers',
      code: 'src/core/slots.ts',
      test: "pods carry their replica's type in their names",
      run: (world) => {
        const names = podsOf(playUntil(world, job(), '10s')).map((pod) => pod.metadata?.name ?? '')
        assert.deepEqual(
          names.map((name) => name.replace(/^job-[0-9a-f]{5}-/, '')),
          [`${first}-0`, 'worker-0', 'worker-1'],
        )
      },
    },
    {
      field: `${at}[].replicas`,
      does: 'how many of the type, 1 if not said',
      code,
      test: 'a type has as many pods as it says',
      run: (world) => assert.equal(podsOf(playUntil(world, job(), '10s'), 'worker').length, 2),
    },
    {
      field: `${at}[].template`,
      does: 'the pod to make',
      code: 'src/core/build-pod.ts',
      test: 'pods are made from the template',
      run: (world) => {
        const pods = podsOf(playUntil(world, job({}, {}, { serviceAccountName: 'trainer' }), '10s'))
        assert.deepEqual([...new Set(pods.map((pod) => pod.spec?.serviceAccountName))], ['trainer'])
      },
    },
    {
      field: `${at}[].restartPolicy`,
      does: kind === 'GenericJob' ? 'when a replica runs again, and how often' : 'when a replica runs again',
      code,
      test: 'a replica that fails runs again where its policy says so',
      run: (world) => {
        const events = [{ at: '10s', replica: 'worker-1', exit: 1 }]
        assert.equal(attemptsOf(play(world, job({}, { restartPolicy: restarts }), { events }), 'worker-1'), 2)
      },
    },
  ]
}

export function policyFields({ job, first, code }: Kit): FieldTest[] {
  return [
    {
      field: 'spec.runPolicy',
      does: 'limits of the run and what is left after it',
      code,
      test: 'the policies of the run are obeyed',
      run: (world) => assert.equal(podsOf(play(world, job({ runPolicy: { cleanUpPolicy: 'All' } }))).length, 0),
    },
    {
      field: 'spec.runPolicy.activeDeadlineSeconds',
      does: 'the job fails when it has been active for so long',
      code: 'src/core/active-clock.ts',
      test: 'a job that takes too long fails',
      run: (world) => {
        const { phase, scene } = play(world, job({ runPolicy: { activeDeadlineSeconds: 20 } }))
        assert.equal(phase, 'Failed')
        assert.equal(scene.endedAt, 20_000)
      },
    },
    {
      field: 'spec.runPolicy.backoffLimit',
      does: 'how many restarts the job may spend, 3 if not said',
      code: 'src/core/restarts.ts',
      test: 'no replica is started again once the restarts are used up',
      run: (world) => {
        const failing = job({ runPolicy: { backoffLimit: 1 } }, { restartPolicy: 'OnFailure' })
        const result = play(world, failing, { replicas: { [`${first}-0`]: { exitCode: 1 } } })
        assert.equal(result.phase, 'Failed')
        assert.equal(attemptsOf(result, `${first}-0`), 2)
      },
    },
    cleanUpField('spec.runPolicy.cleanUpPolicy', 'src/core/kinds/read-common.ts', (cleanUpPolicy) =>
      job({ runPolicy: { cleanUpPolicy } }),
    ),
  ]
}

export function cleanUpField(
  field: string,
  code: string,
  jobWith: (policy: string) => ReturnType<Kit['job']>,
): FieldTest {
  return {
    field,
    does: 'which pods go when the job has ended; none if not said',
    code,
    test: 'what has not ended is removed with the job where the policy says so',
    run: (world) => {
      const { objects } = play(world, jobWith('Unfinished'), { replicas: { 'worker-1': { exitAfter: 'never' } } })
      assert.equal(objects.filter(({ kind }) => kind === 'Pod').length, 2)
    },
  }
}
