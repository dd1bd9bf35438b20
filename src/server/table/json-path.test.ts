import { expect, test } from 'vitest'
import { compileJsonPath } from './json-path.ts'

const object = {
  spec: { replicas: 3, 'a.b': 'dotted' },
  status: {
    conditions: [
      { type: 'Created', status: 'True' },
      { type: 'Running', status: 'False' },
    ],
  },
}

test.each([
  ['.spec.replicas', [3]],
  ['{.spec.replicas}', [3]],
  ['.spec.missing.deeper', []],
  ['.status.conditions[0].type', ['Created']],
  ['.status.conditions[-1:].type', ['Running']],
  ['.status.conditions[*].type', ['Created', 'Running']],
  ['.status.conditions[?(@.type=="Running")].status', ['False']],
  [".spec['a.b']", ['dotted']],
  ['.spec.a\\.b', ['dotted']],
])('%s', (path, expected) => {
  expect(compileJsonPath(path)?.(object)).toEqual(expected)
})

test.each(['spec', '.a[', '.a[?(@)]', '.a..b'])('%s is no path', (path) => {
  expect(compileJsonPath(path)).toBeUndefined()
})
