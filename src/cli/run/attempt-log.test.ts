import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineSplitter } from './attempt-log.ts'

function split(...chunks: Uint8Array[]): string[] {
  const lines: string[] = []
  const splitter = new LineSplitter((line) => lines.push(line))
  for (const chunk of chunks) splitter.write(chunk)
  splitter.end()
  return lines
}

test('lines come out whole, wherever the stream was cut', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-zä训😀 ]*$/u)), fc.array(fc.nat(40)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
      expect(split(...at.slice(1).map((end, i) => bytes.subarray(at[i], end)))).toEqual(lines)
    }),
  )
})

test('an unfinished last line counts, and one that never ends comes in pieces', () => {
  expect(split(Buffer.from('a\r\nb'))).toEqual(['a', 'b'])
  const pieces = split(...Array.from({ length: 20 }, () => Buffer.alloc(1 << 14, 'x')))
  expect(pieces.map(({ length }) => length)).toEqual([65536, 65536, 65536, 65536, 65536])
})
