import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { LineSplitter, readKept } from './attempt-log.ts'

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

test('a kept log is read in pieces, each when the one before has been taken', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-kept-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const path = join(dir, 'train.log')
  const lines = Array.from({ length: 100_000 }, (_, i) => `line ${i} ${'x'.repeat(60)}`)
  writeFileSync(path, lines.join('\n'))
  const seen: string[] = []
  let [held, most] = [0, 0]
  const onLine = (line: string): void => {
    seen.push(line)
    held += line.length
    most = Math.max(most, held)
  }
  const ready = async (): Promise<void> => {
    held = 0
  }
  await readKept({ uid: 'u', path }, { onLine, ready }, new AbortController().signal)
  expect(seen).toEqual(lines)
  expect(most).toBeLessThanOrEqual(1 << 20)

  const enough = new AbortController()
  const few: string[] = []
  await readKept(
    { uid: 'u', path },
    { onLine: (line) => few.push(line), ready: async () => enough.abort() },
    enough.signal,
  )
  expect(few.length).toBeLessThan(lines.length / 2)
})
