import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { BatchedWriter } from './batched-writer.ts'

function collect() {
  const writes: string[] = []
  const writer = new BatchedWriter(async (bytes) => void writes.push(Buffer.from(bytes).toString()))
  return { writes, writer }
}

test('lines that come together are written together, in their order and soon', async () => {
  const { writes, writer } = collect()
  for (const line of ['a\n', 'b\n', 'c\n']) await writer.write(Buffer.from(line))
  expect(writes).toEqual([])
  await turn()
  expect(writes).toEqual(['a\nb\nc\n'])
  await writer.write(Buffer.from('d\n'))
  await writer.flush()
  await turn()
  expect(writes).toEqual(['a\nb\nc\n', 'd\n'])
})

test('what is large goes at once, and whoever writes waits for it', async () => {
  const { writes, writer } = collect()
  await writer.write(Buffer.alloc(70_000, 'x'))
  expect(writes.map((text) => text.length)).toEqual([70_000])
})
