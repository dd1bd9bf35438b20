import fc from 'fast-check'
import type { TrainingJob } from '../../src/api/types.ts'
import { generic, pytorch, tensorflow, tfjob } from '../rehearsals/jobs.ts'

const policy = fc.constantFrom('Always', 'OnFailure', 'Never', 'ExitCode')
const replicas = fc.integer({ min: 1, max: 3 })
const runPolicy = fc.record(
  {
    backoffLimit: fc.integer({ min: 0, max: 4 }),
    cleanUpPolicy: fc.constantFrom('All', 'Unfinished', 'None'),
    restartScope: fc.constantFrom('Replica', 'Job'),
  },
  { requiredKeys: ['backoffLimit'] },
)
const scheduler = fc.option(fc.constant({ t9kScheduler: { queue: 'q' } }), { nil: undefined })
const uid = {
  uid: '00000000-0000-0000-0000-000000000001',
  creationTimestamp: '2026-01-01T00:00:00Z',
  namespace: 'default',
}
const known = (job: TrainingJob): TrainingJob => ({ ...job, metadata: { ...job.metadata, ...uid } })

const anyPyTorch = fc.record({ a: policy, b: policy, n: replicas, runPolicy, scheduler }).map(({ a, b, n, ...spec }) =>
  pytorch(
    [
      { type: 'master', restartPolicy: a },
      { type: 'worker', replicas: n, restartPolicy: b },
    ],
    spec,
  ),
)

const anyTensorFlow = fc.record({ a: policy, b: policy, n: replicas, runPolicy }).map(({ a, b, n, ...spec }) =>
  tensorflow(
    [
      { type: 'worker', replicas: n, restartPolicy: a },
      { type: 'ps', restartPolicy: b },
    ],
    spec,
  ),
)

const genericPolicy = fc.record({
  policy: fc.constantFrom('Always', 'OnFailure', 'Never'),
  limit: fc.integer({ min: 0, max: 3 }),
})

const anyGeneric = fc
  .record({
    a: genericPolicy,
    b: genericPolicy,
    n: replicas,
    success: fc.constantFrom<object[][]>([{ a: [0] }], [{ a: ['*'] }], [{ a: [0] }, { b: [0] }], [{ a: [0], b: [0] }]),
    failure: fc.constantFrom<object[][]>([], [{ b: [0] }], [{ a: ['*'] }]),
    restartScope: fc.constantFrom('Replica', 'Job'),
  })
  .map(({ a, b, n, success, failure, restartScope }) =>
    generic(
      [
        { type: 'a', replicas: n, restartPolicy: a },
        { type: 'b', restartPolicy: b },
      ],
      { success, failure },
      { restartScope },
    ),
  )

const anyTFJob = fc
  .record({
    a: policy,
    b: policy,
    n: replicas,
    chief: fc.boolean(),
    backoffLimit: fc.integer({ min: 0, max: 4 }),
    version: fc.constantFrom('v1', 'v1beta2'),
  })
  .map(({ a, b, n, chief, backoffLimit, version }) =>
    tfjob(
      { ...(chief && { Chief: { restartPolicy: a } }), Worker: { replicas: n, restartPolicy: b }, PS: {} },
      { backoffLimit },
      version,
    ),
  )

export const anyJob = fc.oneof(anyPyTorch, anyTensorFlow, anyGeneric, anyTFJob).map(known)

/** What may befall a job. `on` chooses among the pods that are there. */
export const anyEvent = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pass' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('crash' as const), at: fc.integer({ min: 0, max: 6 }), done: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      count: fc.integer({ min: 1, max: 12 }),
      onlyPods: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const), on: fc.nat(50) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('progress' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('exit' as const),
      on: fc.nat(9),
      code: fc.constantFrom(0, 1, 1, 130, 137, 143),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('evict' as const, 'loseNode' as const), on: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), on: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 400 }) }) },
)

// biome-ignore lint/suspicious/noExplicitAny: the union is spelled out above
export type AnyEvent = any
