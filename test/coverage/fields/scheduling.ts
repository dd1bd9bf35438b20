// Queue and priority, and the TensorBoard a job brings along.
import assert from 'node:assert/strict'
import type { FieldTest } from '../field-test.ts'
import { type Kit, objectsOf, playUntil, podsOf } from '../stage.ts'

const QUEUED = { scheduler: { t9kScheduler: { queue: 'gpus', priority: 42 } } }

export function schedulerFields({ job, code }: Kit): FieldTest[] {
  const base = 'spec.scheduler'
  return [
    {
      field: base,
      does: 'who places the pods; the cluster does if not said',
      code,
      test: 'a job that asks for it is placed as a group',
      run: (world) => {
        const groups = objectsOf(playUntil(world, job(QUEUED), '10s'), 'PodGroup')
        assert.deepEqual(
          groups.map(({ metadata, spec }) => [metadata.name, spec.minMember]),
          [['job', 3]],
        )
      },
    },
    {
      field: `${base}.t9kScheduler`,
      does: "T9k's scheduler places all pods at once",
      code: 'src/core/kinds/read-common.ts',
      test: "pods are left to T9k's scheduler",
      run: (world) => {
        const pods = podsOf(playUntil(world, job(QUEUED), '10s'))
        assert.deepEqual([...new Set(pods.map((pod) => pod.spec?.schedulerName))], ['t9k-scheduler'])
      },
    },
    {
      field: `${base}.t9kScheduler.queue`,
      does: 'the queue the job waits in; also spelt Queue',
      code: 'src/api/spellings.ts',
      test: "the job's group waits in its queue",
      run: (world) => assert.equal(objectsOf(playUntil(world, job(QUEUED), '10s'), 'PodGroup')[0]?.spec.queue, 'gpus'),
    },
    {
      field: `${base}.t9kScheduler.priority`,
      does: 'who goes first in the queue',
      code: 'src/core/kinds/read-common.ts',
      test: "the job's group has its priority",
      run: (world) => assert.equal(objectsOf(playUntil(world, job(QUEUED), '10s'), 'PodGroup')[0]?.spec.priority, 42),
    },
  ]
}

export function tensorboardField({ job, code }: Kit): FieldTest {
  const tensorboardSpec = { trainingLogFilesets: ['t9k://pvc/logs/run'], image: 'tensorboard:2' }
  return {
    field: 'spec.tensorboardSpec',
    does: "a TensorBoard for the job's logs",
    code,
    test: 'the job brings its TensorBoard along',
    run: (world) => {
      const boards = objectsOf(playUntil(world, job({ tensorboardSpec }), '10s'), 'TensorBoard')
      assert.deepEqual(
        boards.map(({ spec }) => spec),
        [tensorboardSpec],
      )
    },
  }
}
