import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { statusCauses, unknownFieldWarnings } from './finding.ts'
import { interpret } from './interpret.ts'
import { flag, int, list, map, record, type Schema, text } from './schema.ts'

const schema: Schema = record(
  'A thing.',
  {
    name: text('Its name.', { minLength: 1, maxLength: 5, pattern: '^[a-z]*$' }),
    size: int('Its size.', { minimum: 1, maximum: 9, default: 3 }),
    on: flag('Whether it is on.'),
    either: { 'x-kubernetes-int-or-string': true },
    colour: text('Its colour.', { enum: ['red', 'green'] }),
    parts: list(
      'Its parts.',
      record('A part.', { id: text('Which.'), count: int('How many.', { default: 1 }) }, { required: ['id'] }),
      { maxItems: 2 },
    ),
    notes: map('Notes.', { type: 'string' }),
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: { type: 'integer' } } },
    maybe: { type: 'string', nullable: true },
    inner: record('Inside.', { depth: int('How deep.', { default: 7 }) }, { default: {} }),
  },
  { required: ['name'] },
)

const told = (value: unknown, options = {}): string[] =>
  interpret(schema, value, { root: false, ...options }).findings.map((f) => `${f.severity} ${f.field}: ${f.message}`)

describe('defaults', () => {
  test('stand where nothing was given, also below other defaults and in lists', () => {
    expect(interpret(schema, { name: 'a', parts: [{ id: 'x' }] }, { root: false }).value).toEqual({
      name: 'a',
      size: 3,
      parts: [{ id: 'x', count: 1 }],
      inner: { depth: 7 },
    })
  })

  test('stand in for null, which is dropped elsewhere and kept where it is allowed', () => {
    expect(interpret(schema, { name: 'a', size: null, on: null, maybe: null }, { root: false }).value).toEqual({
      name: 'a',
      size: 3,
      maybe: null,
      inner: { depth: 7 },
    })
  })

  test('are copies', () => {
    const first = interpret(schema, { name: 'a' }, { root: false }).value as { inner: { depth: number } }
    first.inner.depth = 99
    expect(interpret(schema, { name: 'a' }, { root: false }).value).toMatchObject({ inner: { depth: 7 } })
  })
})

describe('unknown fields', () => {
  test('are dropped and named, with the nearest known one', () => {
    const { value, findings } = interpret(
      schema,
      { name: 'a', sise: 1, parts: [{ id: 'x', cuont: 2 }] },
      { root: false },
    )
    expect(value).not.toHaveProperty('sise')
    expect(findings.map((f) => f.message)).toEqual([
      'unknown field, it will be dropped; did you mean size?',
      'unknown field, it will be dropped; did you mean count?',
    ])
    expect(unknownFieldWarnings(findings)).toEqual(['unknown field "parts[0].cuont"', 'unknown field "sise"'])
  })

  test('are kept where the schema says so, but known ones are still looked at', () => {
    expect(interpret(schema, { name: 'a', open: { x: [1] } }, { root: false }).value).toMatchObject({
      open: { x: [1] },
    })
    expect(told({ name: 'a', open: { known: 'x' } })).toEqual(['error open.known: "x" is not a whole number'])
  })

  test('do not include what every object has', () => {
    const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x' }, name: 'a' }
    expect(interpret(schema, object).findings).toEqual([])
    expect(interpret(schema, object, { root: false }).findings).toHaveLength(3)
  })

  test('cannot reach the prototype', () => {
    const value = JSON.parse('{"name":"a","notes":{"__proto__":"x"},"__proto__":{"polluted":1}}')
    const out = interpret(schema, value, { root: false }).value as { notes: object }
    expect(Object.keys(out.notes)).toEqual(['__proto__'])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

test.each([
  [{}, 'error name: is missing'],
  [{ nmae: 'a' }, 'error name: unknown field; did you mean name?'],
  [{ name: '' }, 'error name: must not be empty'],
  [{ name: 'abcdef' }, 'error name: "abcdef" has 6 characters, 1 more than the 5 allowed'],
  [{ name: 'A' }, 'error name: "A" does not match ^[a-z]*$'],
  [{ name: 1 }, 'error name: 1 is not a text; put it in quotes'],
  [{ name: 'a', size: 0 }, 'error size: 0 is less than 1'],
  [{ name: 'a', size: 10 }, 'error size: 10 is more than 9'],
  [{ name: 'a', size: '3' }, 'error size: "3" is not a whole number; leave out the quotes'],
  [{ name: 'a', size: 2.5 }, 'error size: 2.5 is not a whole number'],
  [{ name: 'a', on: 'yes' }, 'error on: "yes" is not true or false; write true'],
  [{ name: 'a', either: true }, 'error either: true is not a whole number or a text; put it in quotes'],
  [{ name: 'a', colour: 'gren' }, 'error colour: "gren" is not one of red, green; did you mean green?'],
  [{ name: 'a', parts: {} }, 'error parts: {} is not a list'],
  [{ name: 'a', parts: [null] }, 'error parts[0]: null is not an object'],
  [{ name: 'a', parts: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }, 'error parts: 3 entries, at most 2 are allowed'],
  [{ name: 'a', notes: { x: 1 } }, 'error notes.x: 1 is not a text; put it in quotes'],
  [
    { name: '$(params.n)' },
    'error name: "$(params.n)" still has a workflow parameter in it; fill in $(params.n) before the job is created',
  ],
])('%j: %s', (value, message) => {
  expect(told(value)).toEqual([message])
})

test('lists that are sets or maps have no doubles', () => {
  const doubles = (type: 'set' | 'map'): Schema => ({
    type: 'array',
    items: type === 'set' ? { type: 'string' } : record('', { id: text(''), n: int('') }),
    'x-kubernetes-list-type': type,
    ...(type === 'map' ? { 'x-kubernetes-list-map-keys': ['id'] } : {}),
  })
  expect(statusCauses(interpret(doubles('set'), ['a', 'b', 'a'], { at: ['x'] }).findings)).toEqual([
    { field: 'x[2]', reason: 'FieldValueDuplicate', message: 'Duplicate value: "a"' },
  ])
  expect(
    statusCauses(
      interpret(
        doubles('map'),
        [
          { id: 'a', n: 1 },
          { id: 'a', n: 2 },
        ],
        { at: ['x'] },
      ).findings,
    ),
  ).toEqual([{ field: 'x[1]', reason: 'FieldValueDuplicate', message: 'Duplicate value: {"id":"a"}' }])
})

test('what was wrong before and was not touched is not held against a change', () => {
  const old = { name: 'a', size: 99, colour: 'blue' }
  expect(told({ ...old, on: true }, { old })).toEqual([])
  expect(told({ ...old, size: 98 }, { old })).toEqual(['error size: 98 is more than 9'])
})

test('anyOf, oneOf, allOf and not judge without changing', () => {
  const combined: Schema = {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  }
  const count = (value: unknown): number => interpret(combined, value, { root: false }).findings.length
  expect([count({ a: 1 }), count({ b: 1 }), count({}), count({ a: 1, b: 1 })]).toEqual([0, 0, 1, 1])
  expect(interpret({ type: 'integer', not: { minimum: 5 } }, 7).findings).toHaveLength(1)
  expect(interpret({ type: 'integer', allOf: [{ minimum: 5 }, { maximum: 9 }] }, 10).findings).toHaveLength(1)
  expect(interpret({ type: 'integer', anyOf: [{ maximum: 5 }, { minimum: 9 }] }, 7).findings).toHaveLength(1)
})

// A second opinion on plain validity. ajv neither prunes nor defaults nor drops nulls, so it gets our own result to judge.
test('ajv finds the same objects valid', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const second = ajv.compile(
    JSON.parse(JSON.stringify(schema, (key, value) => (key === 'either' ? { type: ['integer', 'string'] } : value))),
  )
  const mostly = (good: fc.Arbitrary<unknown>, bad: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: bad })
  const near = fc.record(
    {
      name: mostly(fc.constantFrom('a', 'abcde'), fc.oneof(fc.constantFrom('', 'abcdef', 'A'), fc.anything())),
      size: mostly(fc.constantFrom(1, 9, null), fc.constantFrom(0, 10, 1.5, '3')),
      on: mostly(fc.boolean(), fc.constantFrom('yes', 1)),
      either: mostly(fc.oneof(fc.integer(), fc.string()), fc.oneof(fc.boolean(), fc.constant(1.5))),
      colour: mostly(fc.constantFrom('red', 'green'), fc.constantFrom('blue', 3)),
      parts: mostly(
        fc.array(fc.record({ id: fc.string() }), { maxLength: 2 }),
        fc.array(fc.jsonValue(), { maxLength: 3 }),
      ),
      notes: mostly(fc.dictionary(fc.string(), fc.string()), fc.jsonValue()),
      maybe: mostly(fc.oneof(fc.string(), fc.constant(null)), fc.integer()),
      other: fc.jsonValue(),
    },
    { requiredKeys: ['name'] },
  )
  let valid = 0
  fc.assert(
    fc.property(near, (made) => {
      const value = JSON.parse(JSON.stringify(made))
      const result = interpret(schema, value, { root: false })
      const refused = result.findings.some((f) => f.severity === 'error')
      if (!refused) valid++
      expect(second(result.value)).toBe(!refused)
    }),
    { numRuns: 1000 },
  )
  expect(valid).toBeGreaterThan(100)
})

test('its own result is left as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const once = interpret(schema, value, { root: false }).value
      expect(interpret(schema, once, { root: false }).value).toEqual(once)
    }),
  )
})

test('an old mistake in a list is excused when the list, with its defaults, is as before', () => {
  const old = { name: 'a', size: 3, parts: [{ count: 1 }], inner: { depth: 7 } }
  expect(told({ ...old, parts: [{}] }, { old })).toEqual([])
  expect(told({ ...old, parts: [{ count: 2 }] }, { old })).toEqual(['error parts[0].id: is missing'])
  expect(told({ ...old, parts: [{}] }, { old, ratchet: false })).toEqual(['error parts[0].id: is missing'])
})
