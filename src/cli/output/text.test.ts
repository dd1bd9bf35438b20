import { expect, test } from 'vitest'
import { Lines } from '../manifest/positions.ts'
import { codeFrame } from './code-frame.ts'
import { styleFor } from './terminal.ts'
import { cut, padEnd, printable, textWidth, wrap } from './text.ts'

const style = styleFor(
  {
    out: () => {},
    err: () => {},
    stdin: async () => new Uint8Array(),
    env: { LANG: 'C.UTF-8' },
    outIsTerminal: false,
    errIsTerminal: false,
  },
  'out',
  'never',
)

test('text is measured as a terminal shows it', () => {
  expect(['abc', 'äöü', '训练', 'a\u0301', '😀'].map(textWidth)).toEqual([3, 3, 4, 1, 2])
  expect(padEnd('训练', 6)).toBe('训练  ')
})

test('what is cut ends with dots and fits', () => {
  expect(cut('abcdef', 6, '…')).toBe('abcdef')
  expect(cut('abcdefg', 6, '…')).toBe('abcde…')
  expect(cut('训练训练', 6, '…')).toBe('训练…')
  expect(cut('abcdefg', 6, '...')).toBe('abc...')
})

test('lines are broken between words and go on indented', () => {
  expect(wrap('one two three four', 9)).toEqual(['one two', '  three', '  four'])
  expect(wrap('exactly ten', 11)).toEqual(['exactly ten'])
  expect(wrap('a-word-longer-than-the-page b', 10)).toEqual(['a-word-longer-than-the-page', '  b'])
})

test('control and direction characters become visible', () => {
  expect(printable('a\u001b[2J\tb\u202ec\u0085')).toBe('a\ufffd[2J b\ufffdc\ufffd')
})

test('a frame marks the place, after wide characters too', () => {
  expect(codeFrame(new Lines('名: 训练\nx: 1\n'), { line: 1, column: 4, length: 2 }, true, style)).toEqual([
    '    1 | 名: 训练',
    '      |     ^^^^',
  ])
  expect(codeFrame(new Lines('a: 1\nb: 2\n'), { line: 2, column: 4, length: 1 }, true, style)).toEqual([
    '    1 | a: 1',
    '    2 | b: 2',
    '      |    ^',
  ])
  expect(codeFrame(new Lines('a: 1\nb: 2\n'), { line: 2, column: 4, length: 1 }, false, style)).toHaveLength(2)
  expect(codeFrame(new Lines(''), { line: 1, column: 1, length: 1 }, true, style)).toEqual([])
})

test('a frame of a long line shows the part that is meant', () => {
  const [line, caret] = codeFrame(
    new Lines(`${'x'.repeat(5000)}HERE${'y'.repeat(5000)}`),
    { line: 1, column: 5001, length: 4 },
    true,
    style,
  )
  expect(line).toMatch(/^ {4}1 \| …x+HEREy+…$/)
  expect(line).toHaveLength(100)
  expect(caret!.indexOf('^')).toBe(line!.indexOf('HERE'))
})
