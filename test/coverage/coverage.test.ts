import { describe, expect, test } from 'vitest'
import { checkTable } from './check-table.ts'
import { deleteField } from './delete-field.ts'
import { type FieldTest, World } from './field-test.ts'
import { TABLE } from './table.ts'

describe.each(Object.entries(TABLE))('%s', (_, rows) => {
  test.each(rows)('$field: $test', ({ run }) => run(new World()))
})

describe('a field is deleted', () => {
  test.each([
    ['spec.a', { spec: { a: 1, b: 2 } }, { spec: { b: 2 } }],
    ['spec.list[].a', { spec: { list: [{ a: 1, b: 2 }, { a: 3 }] } }, { spec: { list: [{ b: 2 }, {}] } }],
    ['spec.map.*.a', { spec: { map: { x: { a: 1 }, y: { b: 2 } } } }, { spec: { map: { x: {}, y: { b: 2 } } } }],
    ['spec.nothing.there', { spec: { a: null } }, { spec: { a: null } }],
  ])('%s', (field, before, after) => {
    const kept = structuredClone(before)
    expect(deleteField(before, field)).toEqual(after)
    expect(before).toEqual(kept)
  })
})

describe('the table is refused', () => {
  const seeds = { Job: ['spec.name'] }
  const object = { spec: { name: 'digits' } }
  const row: FieldTest = {
    field: 'spec.name',
    does: '',
    code: 'name.ts',
    test: 'it is named',
    run: (world) => expect(world.input(object).spec.name).toBe('digits'),
  }
  const problemsOf = (rows: FieldTest[], text: string | undefined = 'name') =>
    checkTable({ Job: rows }, seeds, () => text).problems

  test('not at all when all is well', () => expect(problemsOf([row])).toEqual([]))

  test.each([
    { why: 'a field without a test', rows: [], says: '0 tests instead of one' },
    { why: 'two tests of one field', rows: [row, row], says: '2 tests instead of one' },
    {
      why: 'a field the seeds do not have',
      rows: [row, { ...row, field: 'spec.other' }],
      says: 'no field of the seeds',
    },
    { why: 'a test that fails', rows: [{ ...row, run: () => expect(1).toBe(2) }], says: 'fails: ' },
    { why: 'a test that does not need its field', rows: [{ ...row, run: () => {} }], says: 'passes without its field' },
  ])('for $why', ({ rows, says }) => expect(problemsOf(rows).join()).toContain(says))

  test('for code that is not there, or is about something else', () => {
    expect(checkTable({ Job: [row] }, seeds, () => undefined).problems).toEqual(['Job spec.name: there is no name.ts'])
    expect(problemsOf([row], 'nothing')).toEqual(['Job spec.name: name.ts does not speak of name'])
  })
})
