import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonSyntaxError } from './json-syntax.ts'

const judge = (text: string): string | undefined => jsonSyntaxError(Buffer.from(text))

// Each answer is that of Go's encoding/json.
test.each([
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['{"a"', 'unexpected end of JSON input'],
  ['{"a":tru', 'unexpected end of JSON input'],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['trux', "invalid character 'x' in literal true (expecting 'e')"],
  ['-x', "invalid character 'x' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['01', "invalid character '1' after top-level value"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
])('%j: %s', (text, expected) => {
  expect(judge(text)).toBe(expected)
})

test('agrees with JSON.parse on what is JSON', () => {
  const text = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.array(fc.constantFrom(...'{}[]",:0-1.eE+tfn\\u a'), { maxLength: 12 }).map((signs) => signs.join('')),
  )
  fc.assert(
    fc.property(text, (sample) => {
      const isJson = ((): boolean => {
        try {
          JSON.parse(sample)
          return true
        } catch {
          return false
        }
      })()
      expect(judge(sample) === undefined).toBe(isJson)
    }),
    { numRuns: 500 },
  )
})
