import { expect, test } from 'vitest'
import { expand } from './expand.ts'

const values: Record<string, string> = { A: 'a', EMPTY: '', REF: '$(A)' }

test.each([
  ['plain', 'plain'],
  ['$(A)-$(A)', 'a-a'],
  ['$(UNKNOWN)', '$(UNKNOWN)'],
  ['$(EMPTY)!', '!'],
  ['$(REF)', '$(A)'],
  ['$$(A)', '$(A)'],
  ['$$$(A)', '$a'],
  ['$$$$(A)', '$$(A)'],
  ['$A $', '$A $'],
  ['$(A', '$(A'],
  ['$($(A))', '$($(A))'],
  ['$()', '$()'],
])('%j becomes %j', (text, expected) => {
  expect(expand(text, (name) => values[name])).toBe(expected)
})
