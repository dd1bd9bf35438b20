import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { KubeClient } from '../../kube/index.ts'
import { LineSplitter, readAttempt, readKept } from './attempt-log.ts'

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

/** A home with the log of one pod, and a client that has another text for it. */
function stage({ restartCount = 0 } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'trainyard-kept-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  mkdirSync(join(home, 'logs/job/p/0001-u1'), { recursive: true })
  const path = join(home, 'logs/job/p/0001-u1/train.log')
  writeFileSync(path, 'a\nb\n')
  const pod = {
    metadata: { namespace: 'n', name: 'p', uid: 'u1', ownerReferences: [{ controller: true, uid: 'job' }] },
    status: { containerStatuses: [{ name: 'train', restartCount }] },
  } as Pod
  const client = {
    async *logs() {
      yield Buffer.from('of the API\n')
    },
    get: async () => pod,
  } as unknown as Pick<KubeClient, 'logs' | 'get'>
  const seen: string[] = []
  const reader = { onLine: (line: string) => seen.push(line), ready: async () => {} }
  let over = false
  const read = (tailLines?: number, container = 'train'): Promise<void> => {
    const attempt = { pod, container, tailLines, isOver: () => over }
    return readAttempt(client, attempt, home, reader, new AbortController().signal)
  }
  const end = (): void => {
    over = true
  }
  return { path, seen, read, end }
}

test('what a home keeps is followed where it lies, to the end of the attempt', async () => {
  const { path, seen, read, end } = stage()
  const reading = read()
  await expect.poll(() => seen).toEqual(['a', 'b'])
  appendFileSync(path, 'c\nunfinished')
  await expect.poll(() => seen).toEqual(['a', 'b', 'c'])
  appendFileSync(path, ' line')
  end()
  await reading
  expect(seen).toEqual(['a', 'b', 'c', 'unfinished line'])
})

test('of what was written before we came only the last lines', async () => {
  const { seen, read, end } = stage()
  end()
  await read(1)
  expect(seen).toEqual(['b'])
})

test.each([
  ['a container that was started again', { restartCount: 1 }, 'train'],
  ['a log that is not there', {}, 'other'],
])('the API is asked about %s', async (_, options, container) => {
  const { seen, read } = stage(options)
  await read(undefined, container)
  expect(seen).toEqual(['of the API'])
})
