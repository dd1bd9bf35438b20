import { expect, test } from 'vitest'
import { statusCauses } from './finding.ts'
import { interpret } from './interpret.ts'
import { int, list, map, type Rule, record, type Schema, text } from './schema.ts'

const rule = (rule: string, more: Partial<Rule> = {}): Rule => ({ rule, message: 'no', ...more })

const withRule = (given: Rule): Schema =>
  record(
    '',
    { a: int(''), b: text(''), either: { 'x-kubernetes-int-or-string': true }, half: { type: 'number' } },
    { 'x-kubernetes-validations': [given] },
  )

const verdict = (given: string, value: unknown, old?: unknown): boolean =>
  interpret(withRule(rule(given)), value, { root: false, old }).findings.length === 0

test.each([
  ['self.a > 3', { a: 4 }, true],
  ['self.a > 3', { a: 3 }, false],
  ['!has(self.a) || self.a > 3', {}, true],
  ['self.a / 2 == 2', { a: 5 }, true],
  ['self.half > 0.5', { half: 1 }, true],
  ["self.b.matches('^(?i:yes)$')", { b: 'YES' }, true],
  ['type(self.either) == int', { either: 3 }, true],
  ['type(self.either) == int', { either: '3' }, false],
  ['int(self.either) == 3', { either: '3' }, true],
  ['size(string(self.a)) == 3', { a: 100 }, true],
])('%s of %j is %s', (given, value, expected) => {
  expect(verdict(given, value)).toBe(expected)
})

test('a rule that cannot be evaluated refuses', () => {
  expect(verdict('self.a > 3', {})).toBe(false)
})

test('a rule about a change is only asked when there is something to change', () => {
  expect(verdict('self.a == oldSelf.a', { a: 1 })).toBe(true)
  expect(verdict('self.a == oldSelf.a', { a: 1 }, { a: 1 })).toBe(true)
  expect(verdict('self.a == oldSelf.a', { a: 1 }, { a: 2 })).toBe(false)
})

test('rules run on items of lists and members of maps, and say where', () => {
  const item = record('', { n: int('') }, { 'x-kubernetes-validations': [rule('self.n > 0', { fieldPath: '.n' })] })
  const schema = record('', { items: list('', item), members: map('', item) })
  const { findings } = interpret(
    schema,
    { items: [{ n: 1 }, { n: 0 }], members: { good: { n: 1 }, bad: { n: 0 } } },
    { root: false },
  )
  expect(findings.map((f) => [f.path, f.field])).toEqual([
    [['items', 1, 'n'], 'items[1].n'],
    [['members', 'bad', 'n'], 'members[bad].n'],
  ])
})

test('members of a map are held against their old values, items of a plain list are not', () => {
  const item = record('', { n: int('') }, { 'x-kubernetes-validations': [rule('self.n >= oldSelf.n')] })
  const schema = record('', { items: list('', item), members: map('', item) })
  const { findings } = interpret(
    schema,
    { items: [{ n: 1 }], members: { x: { n: 1 } } },
    { root: false, old: { items: [{ n: 2 }], members: { x: { n: 2 } } } },
  )
  expect(findings.map((f) => f.field)).toEqual(['members[x]'])
})

test('no rule is asked about a value of the wrong shape', () => {
  expect(interpret(withRule(rule('self.a > 3')), { a: 'x' }, { root: false }).findings.map((f) => f.from)).toEqual([
    'shape',
  ])
})

test('the server form says that rules were not run', () => {
  const causes = statusCauses(
    interpret(withRule(rule('self.a > 3')), { a: 'x' }, { root: false, asServer: true }).findings,
  )
  expect(causes.map((c) => c.message)).toEqual([
    'Invalid value: "string": a in body must be of type integer: "string"',
    expect.stringContaining('some validation rules were not checked'),
  ])
})

test('words for a person and words for the API', () => {
  const given = rule('self.a > 3', {
    message: 'too small',
    messageExpression: "'too small: ' + string(self.a)",
    reason: 'FieldValueForbidden',
    fieldPath: '.a',
    tell: (self: { a: number }) => ({ message: `${self.a} is small{see}`, path: ['a'], see: ['b'] }),
  })
  const [finding] = interpret(withRule(given), { a: 2 }, { root: false, at: ['spec'] }).findings
  expect(finding).toMatchObject({
    message: '2 is small{see}',
    path: ['spec', 'a'],
    see: ['spec', 'b'],
    field: 'spec.a',
    cause: 'Forbidden: too small: 2',
  })
})
