import { expect, test } from 'vitest'
import { findUnrunTests } from './unrun-tests.ts'

test.each([
  "test.skip('x'",
  "it.only('x'",
  "describe.todo('x'",
  "test.concurrent.skip('x'",
  "test.skipIf(mac)('x'",
  "xit('x'",
])('%s is found', (line) => {
  expect(findUnrunTests('a.test.ts', `\n${line}, () => {})`)).toHaveLength(1)
})

test.each(["test('skip', () => {", 'test.each([1])(', 'list.only(1)', "exit('x')"])('%s is fine', (line) => {
  expect(findUnrunTests('a.test.ts', line)).toEqual([])
})
