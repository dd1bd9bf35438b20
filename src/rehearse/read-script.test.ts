import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { pathText } from '../api/issue.ts'
import type { TrainingJob } from '../api/types.ts'
import { castOf } from './cast.ts'
import { parseScript } from './parse-script.ts'
import { readScript } from './read-script.ts'

const template = { spec: { containers: [{ name: 'train', image: 'i', command: ['train'] }] } }
const job = {
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'j' },
  spec: { replicaSpecs: [{ type: 'worker', replicas: 2, template }] },
} as TrainingJob

const words = [
  'at',
  'replica',
  'replicas',
  'exit',
  'evict',
  'delete',
  'node',
  'pause',
  'scale',
  'patch',
  'controller',
  'capacity',
]
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('1s', 'worker-0', 'lost', 'crash', true, 1, ['worker-1'], {}),
)
const anyEvent = fc.dictionary(fc.oneof(fc.constantFrom(...words), fc.string()), anyValue, { maxKeys: 4 })
const anyScript = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      defaults: fc.oneof(
        anyValue,
        fc.dictionary(fc.constantFrom('exitAfter', 'exitCode', 'startAfter', 'x'), anyValue),
      ),
      replicas: fc.oneof(anyValue, fc.dictionary(fc.constantFrom('worker-0', 'worker-9', '__proto__'), anyValue)),
      events: fc.oneof(anyValue, fc.array(fc.oneof(anyValue, anyEvent))),
      until: anyValue,
    },
    { requiredKeys: [] },
  ),
)

test('any value is a script or has named errors, never an exception', () => {
  let good = 0
  fc.assert(
    fc.property(anyScript, (value) => {
      const { play, issues } = readScript(value, castOf(job, value))
      for (const { path, message } of issues) expect(`${pathText(path)}: ${message}`).toMatch(/: ./)
      if (issues.length === 0) good++
      expect(play.until).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 1000 },
  )
  expect(good).toBeGreaterThan(20)
})

test('written as YAML, the same value has the same errors, each with its place', () => {
  fc.assert(
    fc.property(anyScript, (value) => {
      const text = stringify(value)
      // A key that YAML has a meaning of its own for, and that is not written in quotes.
      fc.pre(!text.includes('<<'))
      const expected = readScript(value, castOf(job, value)).issues.map(
        ({ path, message }) => `${pathText(path)}: ${message}`,
      )
      const parsed = parseScript(text, 'f', job)
      const found = 'errors' in parsed ? parsed.errors : []
      expect(found.map(({ path, message }) => `${path}: ${message}`).sort()).toEqual(expected.sort())
      const lines = text.split('\n').length
      for (const { line, column } of found) expect(line >= 1 && line <= lines && column >= 1).toBe(true)
    }),
    { numRuns: 300 },
  )
})
