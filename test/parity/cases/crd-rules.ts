import { area, type Case, patch, post, put, type Step } from '../case.ts'
import {
  type Any,
  change,
  define,
  make,
  object,
  path,
  READY,
  refusedBy,
  rule,
  thing,
  version,
  withSpec,
} from './custom-kind.ts'

// What schemas ask of values, and what CEL rules see of them.
const one = area('crd')
const ruled = (schema: Any, ...rules: Any[]): Any => ({ ...schema, 'x-kubernetes-validations': rules })
const text = { type: 'string' }
const number = { type: 'integer' }
const items = (schema: Any, more: Any = {}): Any => ({ type: 'array', items: schema, maxItems: 20, ...more })
const byName = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }
const named = (more: Any = {}): Any => object({ name: text, ...more }, { required: ['name'] })
const atRoot = (name: string, rules: Any[], ...steps: Step[]): Case =>
  one(
    name,
    define({
      ...version('v1', object({ a: number })),
      schema: {
        openAPIV3Schema: ruled(
          { type: 'object', properties: { spec: object({ a: number }), status: object({ b: number }) } },
          ...rules,
        ),
      },
    }),
    READY,
    ...steps,
  )

export const CRD_RULES: Case[] = [
  withSpec(
    'an int or string with a pattern',
    object({
      a: {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        pattern: '^[0-9]+%?$',
      },
    }),
    make({ a: '50%' }),
    change({ a: 7 }),
    change({ a: 'many' }),
    change({ a: 1.5 }),
  ),
  withSpec(
    'an embedded resource',
    object({
      a: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    }),
    make({ a: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', foo: 1 }, spec: { b: 1 } } }),
    change({ a: { apiVersion: null } }),
  ),
  withSpec(
    'an embedded resource without kind',
    object({
      a: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    }),
    make({ a: { metadata: { name: 'x' } } }),
    make({ a: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'Bad Name', labels: { 'a b': 'c' } } } }),
  ),
  withSpec(
    'known fields among preserved ones',
    object({
      a: object({ b: number, c: object({ d: text }) }, { 'x-kubernetes-preserve-unknown-fields': true }),
    }),
    make({ a: { b: 1, x: 2, c: { d: 'y', e: 'gone' } } }),
    make({ a: { b: 'no' } }),
  ),
  withSpec(
    'one of',
    object({ a: number, b: number }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    make({}),
    make({ a: 1, b: 2 }),
    make({ a: 1 }),
  ),
  withSpec(
    'all of',
    object({ a: { ...number, allOf: [{ minimum: 2 }, { maximum: 4 }] } }),
    make({ a: 5 }),
    make({ a: 3 }),
  ),
  withSpec('not', object({ a: { ...text, not: { enum: ['x'] } } }), make({ a: 'x' }), make({ a: 'y' })),
  withSpec(
    'any of several fields',
    object({ a: number, b: number, c: number }, { anyOf: [{ required: ['a', 'b'] }, { required: ['c'] }] }),
    make({ a: 1 }),
    make({ c: 1 }),
  ),
  withSpec(
    'formats',
    object({ a: { ...text, format: 'date-time' }, b: { ...text, format: 'byte' }, c: { ...number, format: 'int32' } }),
    make({ a: 'yesterday', b: '?', c: 3_000_000_000 }),
    make({ a: '2026-01-01T00:00:00Z', b: 'YQ==', c: 3 }),
  ),
  withSpec('multiples', object({ a: { ...number, multipleOf: 5 } }), make({ a: 12 })),
  withSpec(
    'a number of properties',
    object({ a: { type: 'object', additionalProperties: text, maxProperties: 1, minProperties: 1 } }),
    make({ a: { x: '1', y: '2' } }),
    make({ a: {} }),
  ),
  withSpec('texts too long', object({ a: { ...text, maxLength: 3 } }), make({ a: 'four' })),
  withSpec('an enum of numbers', object({ a: { ...number, enum: [1, 2] } }), make({ a: 3 })),
  withSpec('items of a wrong type', object({ a: items(number) }), make({ a: [1, 'x', null] })),
  withSpec('a whole number with a fraction', object({ a: number }), make({ a: 1.5 })),
  withSpec('a whole number written as one with a fraction', object({ a: number }), make({ a: 2 }), {
    ...patch('merge', path('/a'), '{"spec":{"a":3.0}}'),
  }),
  withSpec(
    'a rule over old items by their key',
    object({
      a: items(ruled(named({ v: number }), rule('self.v >= oldSelf.v', 'may not shrink')), byName),
    }),
    make({ a: [{ name: 'x', v: 2 }] }),
    change({
      a: [
        { name: 'y', v: 1 },
        { name: 'x', v: 3 },
      ],
    }),
    change({
      a: [
        { name: 'y', v: 5 },
        { name: 'x', v: 1 },
      ],
    }),
  ),
  withSpec(
    'an optional old value',
    object({
      a: ruled(text, rule('!oldSelf.hasValue() || self == oldSelf.value()', 'is fixed', { optionalOldSelf: true })),
    }),
    make({ a: 'x' }),
    change({ a: 'y' }),
  ),
  withSpec(
    'an optional old value on creation',
    object({
      a: ruled(
        text,
        rule('oldSelf.orValue("none") != "none" || self == "first"', 'begins as first', { optionalOldSelf: true }),
      ),
    }),
    make({ a: 'x' }),
    make({ a: 'first' }),
  ),
  withSpec(
    'a message that is an expression',
    ruled(object({ a: number, name: { ...text, maxLength: 9 } }), {
      rule: 'self.a > 3',
      messageExpression: '"the a of " + self.name + " is too small"',
    }),
    make({ a: 3, name: 'x' }),
  ),
  withSpec(
    'every reason',
    ruled(
      object({ a: number }),
      rule('self.a > 1', 'one', { reason: 'FieldValueInvalid' }),
      rule('self.a > 1', 'two', { reason: 'FieldValueForbidden' }),
      rule('self.a > 1', 'three', { reason: 'FieldValueRequired', fieldPath: '.a' }),
      rule('self.a > 1', 'four', { reason: 'FieldValueDuplicate' }),
    ),
    make({ a: 0 }),
  ),
  withSpec(
    'a rule on a map',
    object({
      a: ruled(
        { type: 'object', additionalProperties: number, maxProperties: 9 },
        rule('self.all(k, self[k] > 0)', 'positive'),
      ),
    }),
    make({ a: { x: 1, y: -1 } }),
    make({ a: { x: 1 } }),
  ),
  withSpec(
    'rules inside lists',
    object({ a: items(ruled(object({ min: number, max: number }), rule('self.min <= self.max', 'order'))) }),
    make({
      a: [
        { min: 1, max: 2 },
        { min: 3, max: 2 },
      ],
    }),
  ),
  withSpec(
    'exists, filter, map and size',
    object({
      a: ruled(
        items({ ...text, maxLength: 9 }),
        rule('self.exists(x, x == "main")', 'main is missing'),
        rule('self.filter(x, x.startsWith("m")).size() == 1', 'one m'),
        rule('self.map(x, size(x)).all(n, n < 6)', 'short'),
        rule('self.exists_one(x, x == "main")', 'only one main'),
      ),
    }),
    make({ a: ['main', 'more', 'muchlonger'.slice(0, 9)] }),
    make({ a: ['main', 'x'] }),
  ),
  withSpec(
    'texts in rules',
    object({
      a: ruled(
        { ...text, maxLength: 20 },
        rule('self.matches("^[a-z]+$")', 'letters'),
        rule('self.endsWith("z")', 'ends in z'),
        rule('self.contains("b") && self.lowerAscii() == self', 'has b'),
        rule('self.split("-").size() < 3', 'parts'),
      ),
    }),
    make({ a: 'A-b-c' }),
    make({ a: 'abz' }),
  ),
  withSpec(
    'numbers in rules',
    ruled(
      object({ a: number, r: { type: 'number' } }),
      rule('self.a % 2 == 0', 'even'),
      rule('self.r * 2.0 <= 1.0', 'half'),
      rule('self.a in [2, 4, 6]', 'of few'),
    ),
    make({ a: 3, r: 0.75 }),
    make({ a: 4, r: 0.5 }),
  ),
  withSpec(
    'a field that is not there',
    ruled(object({ a: number, b: number }), rule('self.a < self.b', 'order')),
    make({ a: 1 }),
  ),
  withSpec(
    'choices in rules',
    ruled(
      object({ kind: text, size: number }),
      rule('self.kind == "big" ? self.size > 10 : true', 'big ones are big'),
      rule('has(self.size) == (self.kind != "none")', 'none has no size'),
    ),
    make({ kind: 'big', size: 3 }),
    make({ kind: 'none', size: 1 }),
    make({ kind: 'small', size: 1 }),
  ),
  withSpec(
    'keys with signs in rules',
    ruled(object({ 'a-b': number, 'c.d': number }), rule('self.a__dash__b < self.c__dot__d', 'order')),
    make({ 'a-b': 2, 'c.d': 1 }),
  ),
  withSpec(
    'times in rules',
    object({ a: ruled({ ...text, format: 'duration' }, rule('self <= duration("1h")', 'an hour at most')) }),
    make({ a: '90m' }),
    make({ a: '30m' }),
  ),
  atRoot('a rule on the name', [rule('self.metadata.name.startsWith("x")', 'starts with x')], make({ a: 1 })),
  atRoot(
    'a rule between spec and status',
    [rule('!has(self.status) || self.status.b <= self.spec.a', 'status over spec')],
    post(path(), thing('a', { a: 1 }, { status: { b: 2 } })),
    post(path(), thing('a', { a: 2 }, { status: { b: 2 } })),
  ),
  withSpec(
    'untouched mistakes under a rule may stay',
    object({ a: text, b: text }),
    make({ a: 'bad' }),
    {
      ...patch('merge', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.{ns}.example.com', {
        spec: {
          versions: [version('v1', object({ a: ruled(text, rule('self == "good"', 'be good')), b: text }))],
        },
      }),
      unseen: true,
    },
    refusedBy({ a: 'bad' }),
    change({ b: 'x' }),
    change({ a: 'worse' }),
  ),
  withSpec(
    'a field once set stays set',
    ruled(object({ a: text, b: text }), rule('!has(oldSelf.a) || has(self.a)', 'a may not be removed')),
    make({ a: 'x', b: 'y' }),
    change({ a: null }),
    put(path('/a'), thing('a', { b: 'z' }, { metadata: { resourceVersion: '{rv}' } })),
  ),
]
