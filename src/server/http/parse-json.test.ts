import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

test.each([
  ['{"a":1,"a":2}', ['a']],
  ['{"a":{"b":1,"b":2},"c":[{"d":1,"d":2}]}', ['a.b', 'c[0].d']],
  ['{"a":[1,{"x":1},{"x":1}],"b":{"x":1}}', []],
  ['{"a":"{\\"a\\":1,\\"a\\":2}","b":"a"}', []],
  ['{"\\u0061":1,"a":2}', ['a']],
  ['[{"a":{}},{"a":{}}]', []],
])('%s repeats %j', (text, expected) => {
  expect(parseJson(text).duplicates).toEqual(expected)
})

test('what JSON.stringify writes is read back and repeats nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      expect(parseJson(text)).toEqual({ value: JSON.parse(text), duplicates: [] })
    }),
  )
})
