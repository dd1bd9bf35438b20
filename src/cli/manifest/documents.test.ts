import { expect, test } from 'vitest'
import { parseDocuments } from './documents.ts'

function problemOf(text: string): string | undefined {
  const parsed = parseDocuments(text).documents.find((document) => 'problem' in document)
  if (!parsed || !('problem' in parsed)) return undefined
  const { message, position } = parsed.problem
  return `${position.line}:${position.column} ${message}`
}

function valuesOf(text: string): unknown[] {
  return parseDocuments(text).documents.map((document) => ('value' in document ? document.value : document.problem))
}

test.each([
  ['a: b: c', '1:4 a second ":" in one line; put the value in quotes or the inner key on its own line'],
  ['a: 1\n b: 2', '1:4 the next line is indented deeper, but its key has a value already'],
  ['a: - b', '1:4 a list cannot start here; put the first "-" on a line of its own'],
  ['a:\n\tb: 1', '2:1 a tab indents this line; YAML wants spaces'],
  ['a: [1, 2', '1:4 this [ is never closed'],
  ['a: "x', '1:4 this " is never closed'],
  ['a: [1,,2]', '1:7 there is a "," too many'],
  ['a: @x', '1:4 a value cannot start with @; put it in quotes'],
  ['a: "\\q"', '1:5 \\q is no escape in double quotes; use single quotes for a plain \\'],
  ['a: {{ .Values.x }}', '1:5 this is a template ("{{"); render it first, then hand over the result'],
  ['{{- if x }}\na: 1', '1:3 this is a template ("{{"); render it first, then hand over the result'],
  ['key: v\nother\nc: 1', '2:1 a key must stand on one line and end with ":"; is a ":" missing?'],
  ['a: }', '1:4 this does not belong here; is a quote, a line break or a ":" missing?'],
  ['--- a: 1', '1:5 what follows "---" must start on a line of its own'],
  ['a: 1\nb: 2\na: 3', '3:1 the key "a" stands here a second time; the first is in line 1'],
  ['a: *x', '1:4 there is no anchor &x before this alias'],
  ['a: &pod 1\nb: *pd', '2:4 there is no anchor &pd before this alias; did you mean *pod?'],
  ['a: &x [*x]', '1:8 *x stands inside of what &x marks'],
  ['a: .inf', '1:4 .inf is no number that JSON, and so Kubernetes, can hold'],
  ['a: !secret x', '1:12 the tag !secret has no meaning in a manifest'],
  ['a: !!omap [1]', '1:11 the tag !!omap has no meaning in a manifest'],
  ['a: !!int abc', '1:10 "abc" is no int, as its tag says'],
  ['? [1]\n: 2', '1:3 a key must be a word, a number or a quoted text'],
  ['<<: 3', '1:1 "<<" takes a map, an alias of one, or a list of these'],
])('%j is refused in our words', (text, answer) => {
  expect(problemOf(text)).toBe(answer)
})

test('a bomb of aliases is refused before it goes off', () => {
  const levels = Array.from({ length: 30 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(', ')}]`)
  expect(problemOf(`l0: &l0 [x, x]\n${levels.join('\n')}`)).toMatch(
    /^\d+:\d+ the aliases \(\*\) of this document unfold to more than 100000 values$/,
  )
})

test.each([
  ['brackets', '['.repeat(20_000)],
  ['closed brackets', '['.repeat(150) + ']'.repeat(150)],
  ['braces', '{"a":'.repeat(20_000)],
  ['dashes', '- '.repeat(20_000)],
  ['indentation', Array.from({ length: 1500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
])('nesting by %s is refused', (_, text) => {
  expect(problemOf(text)).toMatch(/the document is nested too deeply/)
})

test('anchors, aliases and merge keys are unfolded; what a map says itself wins', () => {
  const text = 'base: &base {x: 1, z: 2}\none: {<<: *base, z: 3}\nlist: {<<: [*base, {x: 9, w: 4}]}\nsame: *base'
  expect(valuesOf(text)).toEqual([
    { base: { x: 1, z: 2 }, one: { x: 1, z: 3 }, list: { x: 1, z: 2, w: 4 }, same: { x: 1, z: 2 } },
  ])
})

test('an anchor may be given anew, and an alias means the last one before it', () => {
  expect(valuesOf('a: &x 1\nb: *x\nc: &x 2\nd: *x')).toEqual([{ a: 1, b: 1, c: 2, d: 2 }])
})

test('empty documents are passed over, a broken one does not hide the others', () => {
  const { documents } = parseDocuments('---\n---\na: 1\n---\n# nothing\n---\nb: [\n---\nc: 3\n')
  expect(documents.map((document) => ('value' in document ? document.value : 'broken'))).toEqual([
    { a: 1 },
    'broken',
    { c: 3 },
  ])
})

test('JSON is read too, with tabs and a key called __proto__', () => {
  const [value] = valuesOf('{\n\t"a": "\\ud83d\\ude00",\n\t"__proto__": {"x": 1}\n}')
  expect(JSON.stringify(value)).toBe('{"a":"😀","__proto__":{"x":1}}')
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})
