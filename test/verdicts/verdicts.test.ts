// The same table that `npm run test:cluster` puts before a real kube-apiserver, put before src/api.
import { expect, test } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import type { Rule, Schema } from '../../src/api/schema/schema.ts'
import { validate } from '../../src/api/validate.ts'
import { judge } from './judge.ts'
import { rows } from './rows/index.ts'

test.each(rows)('$name', (row) => {
  expect(judge(row).map((cause) => cause.field)).toEqual(
    row.refused === undefined ? [] : expect.arrayContaining([row.refused]),
  )
  const errors = validate(row.object, { old: row.old }).issues.filter((issue) => issue.severity === 'error')
  expect(errors.length > 0).toBe(row.refused !== undefined)
})

test('one mistake is one complaint', () => {
  const chatty = rows
    .filter((row) => row.refused !== undefined)
    .map((row) => ({
      row,
      errors: validate(row.object, { old: row.old }).issues.filter((issue) => issue.severity === 'error'),
    }))
    .filter(({ errors }) => errors.length !== 1)
  expect(
    chatty.map(({ row, errors }) => [row.name, ...errors.map((e) => `${e.path.join('.')}: ${e.message}`)]),
  ).toEqual([])
})

test('every rule refuses some row and is asked about an accepted one', () => {
  const refusing = new Set(
    rows.flatMap((row) => judge(row).map((cause) => cause.message.replace(/^[^:]+: ("[^"]*": )?/, ''))),
  )
  const silent = kinds.flatMap((kind) =>
    kind.versions.flatMap((version) =>
      rulesOf(version.schema)
        .filter((rule) => !refusing.has(rule.message))
        .map((rule) => `${kind.kind}: ${rule.rule}`),
    ),
  )
  expect(silent).toEqual([])
})

test('no row stands twice', () => {
  const seen = rows.map((row) => JSON.stringify([row.old, row.object]))
  expect(rows.filter((_, i) => seen.indexOf(seen[i]!) < i).map((row) => row.name)).toEqual([])
})

function rulesOf(schema: Schema): Rule[] {
  const inside = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties]
  return [
    ...(schema['x-kubernetes-validations'] ?? []),
    ...inside.flatMap((child) => (typeof child === 'object' ? rulesOf(child) : [])),
  ]
}
