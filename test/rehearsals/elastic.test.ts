// Elastic jobs whose cluster shrinks and grows, and jobs of several types.
import { describe, expect, test } from 'vitest'
import { attemptsOf, conditionOf, play, podsOf, pytorch, type Seen } from './jobs.ts'

const never = { exitAfter: 'never' }
const args = { template: { spec: { containers: [{ name: 'train', image: 'i', args: ['train.py'] }] } } }
const gang = { scheduler: { t9kScheduler: { queue: 'q' } } }

function elastic(
  min: number,
  max: number,
  expected: number,
  types: object[] = [{ type: 'worker' }],
  spec: object = {},
) {
  return pytorch(
    types.map((type) => ({ ...args, ...type })),
    {
      elastic: { enabled: true, minReplicas: min, maxReplicas: max, expectedReplicas: expected },
      torchrunConfig: { enabled: true },
      ...spec,
    },
  )
}

const specOf = ({ objects }: Seen) => (objects[0] as unknown as { spec: { elastic: object } }).spec.elastic

describe.each([
  { name: 'without a gang', spec: {} },
  { name: 'with a gang', spec: gang },
])('capacity that is lost $name', ({ spec }) => {
  const lost = [
    { at: '20s', capacity: 2 },
    { at: '20s', node: 'lost', replicas: ['worker-1', 'worker-3'] },
  ]

  test('leaves the job running with what is left, and touches nothing of its spec', () => {
    const result = play(elastic(2, 4, 4, undefined, spec), { defaults: never, events: lost, until: '10m' })
    expect(result.phase).toBe('Running')
    expect(result.status).toMatchObject({ backoffCount: 0, aggregate: { running: 2, creating: 2, failed: 0 } })
    expect(specOf(result)).toMatchObject({ expectedReplicas: 4 })
    expect(['worker-0', 'worker-2'].map((key) => attemptsOf(result, key))).toEqual([1, 1])
    const words = expect.stringMatching(/^worker-1, worker-3: no room/)
    expect(conditionOf(result, 'HeldUp')).toMatchObject({ status: 'True', reason: 'Unschedulable', message: words })
  })

  test('is made up for when it returns', () => {
    const events = [...lost, { at: '5m', capacity: 4 }]
    const result = play(elastic(2, 4, 4, undefined, spec), { defaults: never, events, until: '10m' })
    expect(result.status).toMatchObject({ backoffCount: 0, aggregate: { running: 4, creating: 0 } })
    expect(conditionOf(result, 'HeldUp')).toMatchObject({ status: 'False' })
    expect(['worker-0', 'worker-1', 'worker-2', 'worker-3'].map((key) => attemptsOf(result, key))).toEqual([1, 2, 1, 2])
  })

  test('is not made up for by a job that was told to have fewer meanwhile', () => {
    const events = [...lost, { at: '4m', scale: 3 }, { at: '5m', capacity: 4 }]
    const result = play(elastic(2, 4, 4, undefined, spec), { defaults: never, events, until: '10m' })
    expect(podsOf(result).sort()).toEqual(['worker-0', 'worker-1', 'worker-2'])
    expect(result.status).toMatchObject({ replicas: 3, backoffCount: 0, aggregate: { running: 3 } })
  })
})

test('a gang with less room than minReplicas does not start; as soon as there is that much it does', () => {
  const job = elastic(2, 4, 4, undefined, gang)
  const small = play(job, { defaults: never, events: [{ at: '0s', capacity: 1 }], until: '1m' })
  expect(small.status).toMatchObject({ phase: 'Pending', aggregate: { running: 0, creating: 4 } })
  const events = [
    { at: '0s', capacity: 1 },
    { at: '30s', capacity: 2 },
  ]
  const enough = play(job, { defaults: never, events, until: '1m' })
  expect(enough.status).toMatchObject({ phase: 'Running', aggregate: { running: 2, creating: 2 } })
  expect(attemptsOf(enough, 'worker-0')).toBe(1)
})

describe('several types', () => {
  const types = [
    { type: 'big', scalingWeight: 1 },
    { type: 'small', scalingWeight: 3 },
  ]
  const countsOf = (result: Seen) =>
    types.map(({ type }) => podsOf(result).filter((name) => name.startsWith(`${type}-`)).length)

  test.each([
    { to: 10, counts: [3, 7] },
    { to: 7, counts: [2, 5] },
    { to: 4, counts: [1, 3] },
    { to: 3, counts: [1, 2] },
    { to: 2, counts: [1, 1] },
    { to: 1, counts: [1, 0] },
  ])('share $to by weight: $counts, and nobody who stays is started again', ({ to, counts }) => {
    const job = elastic(1, 10, 8, types, gang)
    const result = play(job, { defaults: never, events: [{ at: '10s', scale: to }], until: '1m' })
    expect(countsOf(result)).toEqual(counts)
    const [big, small] = counts as [number, number]
    // The highest ranks of each type go, and come back under the same names.
    expect(podsOf(result).sort()).toEqual(
      [
        ...Array.from({ length: big }, (_, i) => `big-${i}`),
        ...Array.from({ length: small }, (_, i) => `small-${i}`),
      ].sort(),
    )
    expect(result.status).toMatchObject({ replicas: to, backoffCount: 0, phase: 'Running' })
    expect(attemptsOf(result, 'big-0')).toBe(1)
    const group = result.objects.find(({ kind }) => kind === 'PodGroup') as unknown as { spec: object }
    expect(group.spec).toMatchObject({ minMember: 1 })
  })

  test('have one meeting point, and know the bounds and not the size', () => {
    const result = play(elastic(2, 10, 8, types), { defaults: never, until: '10s' })
    const commands = (result.objects as unknown[] as { kind: string; spec: { containers: { command: string[] }[] } }[])
      .filter(({ kind }) => kind === 'Pod')
      .map(({ spec }) => spec.containers[0]!.command)
    expect(commands).toHaveLength(8)
    const valuesOf = (flag: string) => new Set(commands.map((command) => command[command.indexOf(flag) + 1]))
    expect(valuesOf('--nnodes')).toEqual(new Set(['2:10']))
    expect([...valuesOf('--rdzv_endpoint')]).toEqual([expect.stringMatching(/^job-big-0\./)])
  })
})
