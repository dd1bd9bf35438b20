// The seven counts of the aggregate; every replica is in exactly one.
import assert from 'node:assert/strict'
import type { Aggregate } from '../../../src/api/types.ts'
import type { Script } from '../../../src/rehearse/rehearse.ts'
import type { FieldTest, World } from '../field-test.ts'
import { type Kit, lookOnce, statusAfter } from '../stage.ts'

const NOBODY: Aggregate = { creating: 0, pending: 0, running: 0, succeeded: 0, failed: 0, unknown: 0, deleted: 0 }

export function aggregateFields({ job }: Kit): FieldTest[] {
  const code = 'src/core/summary.ts'
  const played = (script: Script) => (world: World) => statusAfter(world, job(), '30s', script).aggregate
  const row = (
    count: keyof Aggregate,
    does: string,
    test: string,
    counts: Partial<Aggregate>,
    aggregate: (world: World) => Aggregate | undefined,
  ): FieldTest => ({
    field: `status.aggregate.${count}`,
    does,
    code,
    test,
    run: (world) => assert.deepEqual(aggregate(world), { ...NOBODY, ...counts }),
  })
  const running = played({})
  const ending = (exit: number) => played({ events: [{ at: '10s', replica: 'worker-1', exit }] })
  return [
    {
      field: 'status.aggregate',
      does: 'how many replicas are in which state',
      code: 'src/core/decide.ts',
      test: 'every replica is in exactly one count',
      run: (world) =>
        assert.equal(
          Object.values(running(world) ?? {}).reduce((sum, n) => sum + n, 0),
          3,
        ),
    },
    row(
      'creating',
      'no pod yet, or not placed',
      'replicas without a place count as creating',
      { creating: 2, running: 1 },
      played({ events: [{ at: '0s', capacity: 1 }] }),
    ),
    row(
      'pending',
      'placed, not running',
      'replicas that have not started count as pending',
      { pending: 3 },
      played({ defaults: { startAfter: '1h' } }),
    ),
    row('running', 'running', 'replicas that run count as running', { running: 3 }, running),
    row(
      'succeeded',
      'ended with 0',
      'replicas that ended well count as succeeded',
      { running: 2, succeeded: 1 },
      ending(0),
    ),
    row(
      'failed',
      'ended otherwise',
      'replicas that failed for good count as failed',
      { running: 2, failed: 1 },
      ending(3),
    ),
    row(
      'unknown',
      "the pod's state cannot be read",
      'replicas nobody hears of count as unknown',
      { unknown: 3 },
      (world) => lookOnce(world, job(), 'Unknown').aggregate,
    ),
    row(
      'deleted',
      'removed without an outcome',
      'replicas stopped by a pause count as deleted',
      { deleted: 3 },
      played({ events: [{ at: '10s', pause: true }] }),
    ),
  ]
}
