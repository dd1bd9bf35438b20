// The same table that `npm run test:cluster` puts before a real kube-apiserver, put before src/api.
import { expect, test } from 'vitest'
import { kindOf, kinds } from '../../src/api/kinds.ts'
import type { Rule, Schema } from '../../src/api/schema/schema.ts'
import { validate } from '../../src/api/validate.ts'
import { judge } from './judge.ts'
import { full } from './rows/full.ts'
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

test('the full objects leave out no field of ours', () => {
  const missing = full.flatMap((object) => {
    const schema = kindOf(object.apiVersion, object.kind)!.version.schema
    return absentIn(schema.properties!.spec!, object.spec, `${object.kind}.spec`)
  })
  // The other spelling cannot stand beside the first.
  expect(missing.filter((path) => !/\.(replicasSpec|subpath)$/.test(path))).toEqual([])
})

test('no row stands twice', () => {
  const seen = rows.map((row) => JSON.stringify([row.old, row.object]))
  expect(rows.filter((_, i) => seen.indexOf(seen[i]!) < i).map((row) => row.name)).toEqual([])
})

function absentIn(schema: Schema, value: unknown, at: string): string[] {
  if (schema.kubernetesType) return []
  if (Array.isArray(value)) return schema.items ? absentIn(schema.items, value[0], at) : []
  if (typeof value !== 'object' || value === null) return []
  if (!schema.properties)
    return Object.values(value)
      .slice(0, 1)
      .flatMap((member) => absentIn((schema.additionalProperties as Schema) ?? {}, member, at))
  return Object.entries(schema.properties).flatMap(([key, child]) => {
    const member = (value as Record<string, unknown>)[key]
    return member === undefined ? [`${at}.${key}`] : absentIn(child, member, `${at}.${key}`)
  })
}

function rulesOf(schema: Schema): Rule[] {
  const inside = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties]
  return [
    ...(schema['x-kubernetes-validations'] ?? []),
    ...inside.flatMap((child) => (typeof child === 'object' ? rulesOf(child) : [])),
  ]
}
