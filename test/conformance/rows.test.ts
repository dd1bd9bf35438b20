import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { rows } from './rows.ts'

const seeds = parse(readFileSync(join(import.meta.dirname, '../coverage/seed-fields.yaml'), 'utf8')) as Record<
  string,
  { fields: string[] }
>

/** Gangs and TensorBoard have suites of their own; the two counts need a kubelet that lingers or falls silent. */
const ELSEWHERE = /^spec\.scheduler|tensorboard|^status\.aggregate\.(pending|unknown)$/i

describe.each(Object.entries(seeds))('%s', (kind, { fields }) => {
  const promised = rows.filter((row) => row.kind === kind).flatMap(({ field, also = [] }) => [field, ...also])

  test('rows speak of fields that the seeds have', () => {
    expect(promised.filter((field) => !fields.includes(field))).toEqual([])
  })

  test('every field has a row, or holds one that has', () => {
    const covered = (field: string) =>
      promised.some((each) => each === field || (/^[.[]/.test(each.slice(field.length)) && each.startsWith(field)))
    expect(fields.filter((field) => !ELSEWHERE.test(field) && !covered(field))).toEqual([])
  })
})

test('no two rows have the same name', () => {
  const names = rows.map(({ kind, field, what }) => `${kind} ${field}: ${what}`)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})
