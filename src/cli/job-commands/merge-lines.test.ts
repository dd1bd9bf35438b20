import { expect, test } from 'vitest'
import type { Style } from '../output/terminal.ts'
import { renderLine } from './logs.ts'
import { LineMerger, readTimedLines, type TimedLine } from './merge-lines.ts'

const plain: Style = { width: 100, utf8: true, coloured: false, paint: (_, text) => text, ellipsis: '…' }

async function* chunksOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function textsOf(lines: AsyncIterable<TimedLine>): Promise<string[]> {
  const texts: string[] = []
  for await (const { at, bytes, ended } of lines) texts.push(`${at} ${Buffer.from(bytes)}${ended ? '$' : ''}`)
  return texts
}

const t = (ms: number): string => new Date(ms).toISOString()

test('lines are found however they are cut into chunks', async () => {
  const chunks = chunksOf(`${t(1)} on`, `e\n${t(2)} two\n${t(3).slice(0, 5)}`, `${t(3).slice(5)} \n${t(4)} no end`)
  expect(await textsOf(readTimedLines(chunks))).toEqual(['1 one$', '2 two$', '3 $', '4 no end'])
})

test('a line without an end is passed on in pieces of the same time, and all its bytes', async () => {
  const long = 'x'.repeat(1 << 20)
  let size = 0
  const times = new Set<number>()
  for await (const { at, bytes } of readTimedLines(chunksOf(`${t(7)} `, long, long, long))) {
    size += bytes.length
    times.add(at)
  }
  expect(size).toBe(3 * long.length)
  expect([...times]).toEqual([7])
})

test('many logs become one stream in the order of time', async () => {
  const merger = new LineMerger<string>()
  merger.add('a', readTimedLines(chunksOf(`${t(1)} a1\n${t(5)} a5\n`)))
  merger.add('b', readTimedLines(chunksOf(`${t(1)} b1\n`, `${t(3)} b3\n${t(9)} b9\n`)))
  merger.add('c', readTimedLines(chunksOf()))
  merger.close()
  const seen: string[] = []
  for await (const { line } of merger.lines()) seen.push(String(Buffer.from(line.bytes)))
  expect(seen).toEqual(['a1', 'b1', 'b3', 'a5', 'b9'])
})

test('a quiet log holds up the others only for a while, and new ones may come', async () => {
  let end = (): void => {}
  const quiet = new Promise<void>((resolve) => {
    end = resolve
  })
  // biome-ignore lint/correctness/useYield: it has nothing to say.
  async function* silence(): AsyncGenerator<TimedLine> {
    await quiet
  }
  const merger = new LineMerger<string>(20)
  merger.add('quiet', silence())
  merger.add('loud', readTimedLines(chunksOf(`${t(2)} now\n`)))
  const lines = merger.lines()
  expect((await lines.next()).value?.label).toBe('loud')
  merger.add('late', readTimedLines(chunksOf(`${t(1)} later\n`)))
  expect((await lines.next()).value?.label).toBe('late')
  merger.close()
  end()
  expect((await lines.next()).done).toBe(true)
})

test('a log that cannot be read ends the stream with its error', async () => {
  // biome-ignore lint/correctness/useYield: it fails before there is anything to yield.
  async function* broken(): AsyncGenerator<TimedLine> {
    throw new Error('cut')
  }
  const merger = new LineMerger<string>()
  merger.add('x', broken())
  merger.close()
  await expect(merger.lines().next()).rejects.toThrow('cut')
})

test('a line is shown with what was asked for, and else as it was written', () => {
  const source = { replica: 'worker-1', rank: 2, attempt: 2 }
  const line = { time: t(5), at: 5, bytes: Buffer.from([0x68, 0xff]), ended: false }
  const render = (options: { timestamps?: boolean; prefix: boolean }) =>
    Buffer.from(renderLine({ out: plain }, source, line, 12, options)).toString('latin1')
  expect(render({ prefix: true })).toBe('worker-1#2   | h\xff\n')
  expect(render({ prefix: true, timestamps: true })).toBe('1970-01-01T00:00:00.005Z worker-1#2   | h\xff\n')
  expect(render({ prefix: false })).toBe('h\xff')
})

test('of a log with long lines no more is taken than a little ahead', async () => {
  const [lines, length] = [200, 1 << 16]
  let taken = 0
  async function* long(): AsyncGenerator<TimedLine> {
    for (let i = 0; i < lines; i++) {
      taken += length
      yield { time: t(i), at: i, bytes: Buffer.alloc(length, 'x'), ended: true }
    }
  }
  const merger = new LineMerger<string>()
  merger.add('long', long())
  merger.close()
  let [given, ahead] = [0, 0]
  for await (const { line } of merger.lines()) {
    given += line.bytes.length
    await new Promise((resolve) => setImmediate(resolve))
    ahead = Math.max(ahead, taken - given)
  }
  expect(given).toBe(lines * length)
  expect(ahead).toBeLessThanOrEqual(1 << 19)
})
