import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UsageError } from '../usage-error.ts'
import { flagsOf, loadPlan, planOf, savePlan } from './home-plan.ts'

test('what the command line says becomes a plan, and a plan a command line', () => {
  const plan = planOf({ nodes: '4', capacity: 'cpu=8,nvidia.com/gpu=4' })
  expect(plan).toEqual({ nodes: 4, capacity: { cpu: '8', 'nvidia.com/gpu': '4' }, strictQueues: false })
  expect(flagsOf(plan!)).toEqual(['--nodes', '4', '--capacity', 'cpu=8,nvidia.com/gpu=4'])
  expect(planOf({})).toBeUndefined()
  expect(flagsOf(planOf({ strictQueues: true })!)).toEqual(['--nodes', '1', '--strict-queues'])
  expect(planOf({ podPidsLimit: '0' })).toMatchObject({ nodes: 1, podPidsLimit: 0 })
  expect(flagsOf(planOf({ podPidsLimit: '512' })!)).toEqual(['--nodes', '1', '--pod-pids-limit', '512'])
})

test.each([
  [{ nodes: '0' }, '--nodes=0'],
  [{ nodes: '1.5' }, '--nodes=1.5'],
  [{ nodes: 'four' }, '--nodes=four'],
  [{ podPidsLimit: '-1' }, '--pod-pids-limit=-1'],
  [{ podPidsLimit: '5000000' }, 'to 4194304'],
  [{ podPidsLimit: 'many' }, '--pod-pids-limit=many'],
  [{ capacity: 'cpu' }, '"cpu" is not'],
  [{ capacity: 'cpu=-1' }, '"cpu=-1" is not'],
  [{ capacity: 'cpu=8=9' }, '"cpu=8=9" is not'],
  [{ capacity: 'nvidia.com/gpu=0.5' }, 'whole numbers'],
  [{ capacity: 'cpu=1,cpu=2' }, 'said twice'],
])('%j is refused', (flags, words) => {
  expect(() => planOf(flags)).toThrow(UsageError)
  expect(() => planOf(flags)).toThrow(words)
})

test('a plan is kept with the home; a home without one, or with a broken one, is as usual', () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-plan-'))
  expect(loadPlan(dir)).toEqual({ nodes: 1, capacity: {}, strictQueues: false })
  savePlan(dir, { nodes: 3, capacity: { cpu: '2' }, strictQueues: true })
  expect(loadPlan(dir)).toEqual({ nodes: 3, capacity: { cpu: '2' }, strictQueues: true })
  writeFileSync(join(dir, 'plan.json'), '{')
  expect(loadPlan(dir).nodes).toBe(1)
  rmSync(dir, { recursive: true })
})
