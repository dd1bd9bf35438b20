import { expect, test } from 'vitest'
import { parseLabelSelector } from './label-selector.ts'

test.each([
  ['', {}, true],
  ['a', { a: '' }, true],
  ['a', {}, false],
  ['!a', {}, true],
  ['a=b', { a: 'b' }, true],
  ['a==b', { a: 'c' }, false],
  ['a!=b', {}, true],
  ['a!=b', { a: 'b' }, false],
  ['a in (b,c)', { a: 'c' }, true],
  ['a in (b,)', { a: '' }, true],
  ['a notin (b,c)', {}, true],
  ['a notin (b,c)', { a: 'b' }, false],
  ['a>1', { a: '2' }, true],
  ['a<1', { a: 'x' }, false],
  ['a=b, c in (d), !e', { a: 'b', c: 'd' }, true],
  ['x.io/a=b', { 'x.io/a': 'b' }, true],
  ['constructor', {}, false],
])('%j on %j', (selector, labels, expected) => {
  expect(parseLabelSelector(selector)(labels as Record<string, string>)).toBe(expected)
})

test.each(['a=b=c', 'a in b', 'a b', '(', 'a in (b', '=b', 'a>b', 'a,', 'A B=c', '!', `a=${'x'.repeat(64)}`])(
  '%j cannot be parsed',
  (selector) => {
    expect(() => parseLabelSelector(selector)).toThrow(/expected|Invalid value/)
  },
)
