// What became of the TensorBoard a job brings along.
import assert from 'node:assert/strict'
import type { DependentStatus, KubeObject } from '../../../src/api/types.ts'
import type { FieldTest, World } from '../field-test.ts'
import { type Kit, lookOnce } from '../stage.ts'

const BOARD = {
  apiVersion: 'tensorstack.dev/v1beta1',
  kind: 'TensorBoard',
  metadata: { name: 'job-board', namespace: 'default', uid: 'board-uid' },
}

export function tensorboardStatusFields({ job }: Kit): FieldTest[] {
  const withBoard = job({ tensorboardSpec: { trainingLogFilesets: ['t9k://pvc/logs/run'] } })
  const seen = (world: World, phase?: string): DependentStatus | undefined => {
    const tensorboard = phase === undefined ? undefined : ({ ...BOARD, status: { phase } } as KubeObject)
    return lookOnce(world, withBoard, 'Running', { tensorboard }).tensorboard
  }
  const base = 'status.tensorboard'
  const row = (field: string, does: string, test: string, run: FieldTest['run']): FieldTest => ({
    field,
    does,
    code: field === base ? 'src/core/decide.ts' : 'src/core/tensorboard-status.ts',
    test,
    run,
  })
  return [
    row(base, "the job's TensorBoard", 'a job tells of its TensorBoard', (world) =>
      assert.deepEqual(Object.keys(seen(world, 'Running') ?? {}).sort(), [
        'action',
        'dependent',
        'name',
        'note',
        'ready',
        'reason',
        'type',
      ]),
    ),
    row(`${base}.name`, 'its name', 'the TensorBoard is named after the job', (world) =>
      assert.match(seen(world, 'Running')?.name ?? '', /^job-[0-9a-f]{5}$/),
    ),
    row(`${base}.dependent`, 'a reference to it', 'the TensorBoard can be found', (world) =>
      assert.equal(seen(world, 'Running')?.dependent?.uid, 'board-uid'),
    ),
    row(`${base}.ready`, 'whether it can be used', 'a TensorBoard that runs is ready', (world) =>
      assert.deepEqual([seen(world, 'Running')?.ready, seen(world, 'Pending')?.ready], [true, false]),
    ),
    row(`${base}.reason`, 'why, in a word', 'a TensorBoard that is missing is said to be', (world) =>
      assert.equal(seen(world)?.reason, 'DependentNotFound'),
    ),
    row(`${base}.action`, 'what is done about it', 'a TensorBoard that is missing is created', (world) =>
      assert.deepEqual([seen(world)?.action, seen(world, 'Running')?.action], ['Create', 'NOP']),
    ),
    row(`${base}.note`, 'the same in a sentence', 'a TensorBoard that does not run is told of', (world) =>
      assert.match(seen(world, 'Failed')?.note ?? '', /^TensorBoard \[job-[0-9a-f]{5}\] is not ready: Failed$/),
    ),
    row(`${base}.type`, 'Normal or Warning', 'a TensorBoard that failed is a warning', (world) =>
      assert.deepEqual([seen(world, 'Failed')?.type, seen(world, 'Running')?.type], ['Warning', 'Normal']),
    ),
  ]
}
