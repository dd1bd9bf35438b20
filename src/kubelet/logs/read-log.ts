// A log as it is asked for: from where, with which times, and for how long.
import { type FileHandle, open } from 'node:fs/promises'
import type { Instant } from '../../lib/time.ts'
import { type Growth, readGrowth } from './log-clock.ts'
import { waitForGrowth } from './wait-for-growth.ts'

export interface LogQuery {
  tailLines?: number
  /** Lines written from then on. */
  since?: Instant
  limitBytes?: number
  timestamps?: boolean
  /** Goes on until the program has ended. */
  follow?: boolean
}

const chunkBytes = 1 << 16
const newline = 10

/** Yields the bytes of a log; without times they are exactly what the program wrote. */
export async function* readLog(
  path: string,
  query: LogQuery,
  isOver: () => boolean,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<Buffer> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return
  try {
    let at = await findStart(file, path, query)
    let left = query.limitBytes ?? Number.POSITIVE_INFINITY
    const stamp = query.timestamps ? new Stamp(path) : undefined
    while (!signal.aborted && left > 0) {
      // Asked before the read: what is written until the end is read after it.
      const over = isOver()
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at)
      if (bytesRead > 0) {
        const bytes = buffer.subarray(0, bytesRead)
        const chunk = (stamp ? stamp.mark(bytes, at) : bytes).subarray(0, left)
        at += bytesRead
        left -= chunk.length
        yield chunk
      } else if (!query.follow || over) return
      else await waitForGrowth(path, at, signal)
    }
  } finally {
    await file.close()
  }
}

async function findStart(file: FileHandle, path: string, { tailLines, since }: LogQuery): Promise<number> {
  const { size } = await file.stat()
  const bySince = since === undefined ? 0 : await nextLine(file, lengthBefore(readGrowth(path), since))
  return tailLines === undefined ? bySince : Math.max(bySince, await findTail(file, size, tailLines))
}

/** How long the log was when it had last grown before that time. */
function lengthBefore(growth: Growth[], since: Instant): number {
  return growth[firstIndex(growth, ({ at }) => at >= since) - 1]?.length ?? 0
}

async function nextLine(file: FileHandle, offset: number): Promise<number> {
  if (offset === 0) return 0
  for (let at = offset - 1; ; at += chunkBytes) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, at)
    const found = buffer.subarray(0, bytesRead).indexOf(newline)
    if (found >= 0) return at + found + 1
    if (bytesRead < chunkBytes) return at + bytesRead
  }
}

/** Where the last lines begin; a newline at the very end does not begin another. */
async function findTail(file: FileHandle, size: number, lines: number): Promise<number> {
  if (lines <= 0) return size
  let wanted = lines
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunkBytes)
    const { buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
    for (let i = end - start - 1; i >= 0; i--) {
      if (buffer[i] === newline && start + i !== size - 1 && --wanted === 0) return start + i + 1
    }
    end = start
  }
  return 0
}

/** Puts the time before each line, however the line is cut into chunks. */
class Stamp {
  readonly #path: string
  #growth: Growth[]
  #atLineStart = true

  constructor(path: string) {
    this.#path = path
    this.#growth = readGrowth(path)
  }

  mark(bytes: Buffer, offset: number): Buffer {
    const parts: Buffer[] = []
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(newline, from) + 1 || bytes.length
      if (this.#atLineStart) parts.push(Buffer.from(`${this.#timeOf(offset + from)} `))
      parts.push(bytes.subarray(from, end))
      this.#atLineStart = bytes[end - 1] === newline
      from = end
    }
    return Buffer.concat(parts)
  }

  #timeOf(offset: number): string {
    if ((this.#growth.at(-1)?.length ?? 0) <= offset) this.#growth = readGrowth(this.#path)
    const found = this.#growth[firstIndex(this.#growth, ({ length }) => length > offset)]
    return new Date(found?.at ?? Date.now()).toISOString()
  }
}

function firstIndex<T>(sorted: T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(sorted[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
