// Lines of many logs as one stream, ordered by the time they were written.

export interface TimedLine {
  /** As the source says it, RFC 3339. */
  time: string
  at: number
  /** Without its newline. */
  bytes: Uint8Array
  /** It had one; not so the last of a program that ended in mid-line, nor the pieces of a very long one. */
  ended: boolean
}

export interface Labelled<L> {
  label: L
  line: TimedLine
}

const NEWLINE = 10
const BLANK = 32
/** A line without an end is passed on in pieces. */
const LONGEST = 1 << 20
/** Of each log, in lines and in bytes: lines may be long, and logs many. */
const MOST_QUEUED = 1_000
const MOST_BYTES = 1 << 18

/** `2026-11-16T09:12:05.118Z text` per line. */
export async function* readTimedLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TimedLine> {
  let rest: Buffer = Buffer.alloc(0)
  let time: { time: string; at: number } | undefined
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield { ...split(rest.subarray(0, end), time), ended: true }
      time = undefined
      rest = rest.subarray(end + 1)
    }
    if (rest.length > LONGEST) {
      const piece = { ...split(rest, time), ended: false }
      time = { time: piece.time, at: piece.at }
      yield piece
      rest = Buffer.alloc(0)
    }
  }
  if (rest.length > 0) yield { ...split(rest, time), ended: false }
}

function split(line: Buffer, begun: { time: string; at: number } | undefined): Omit<TimedLine, 'ended'> {
  if (begun) return { ...begun, bytes: line }
  const blank = line.indexOf(BLANK)
  const time = line.subarray(0, blank < 0 ? line.length : blank).toString('latin1')
  const at = Date.parse(time)
  if (Number.isNaN(at)) return { time: '', at: 0, bytes: line }
  return { time, at, bytes: blank < 0 ? new Uint8Array() : line.subarray(blank + 1) }
}

interface Feed<L> {
  label: L
  queue: TimedLine[]
  /** Bytes in the queue. */
  held: number
  ended: boolean
  /** When it was last heard of. */
  heard: number
  /** Lets a feed go on that was told to wait. */
  goOn?: () => void
}

/** Feeds may be added while lines are taken; the lines end when `close` was called and all feeds have. */
export class LineMerger<L> {
  readonly #feeds: Array<Feed<L>> = []
  #closed = false
  #error: unknown
  #wake: () => void = () => {}
  readonly #patience: number

  /** A log that had nothing to say for `patience` milliseconds does not hold up the others. */
  constructor(patience = Number.POSITIVE_INFINITY) {
    this.#patience = patience
  }

  /** Earlier added ones come first among lines of the same time. */
  add(label: L, lines: AsyncIterable<TimedLine>): void {
    const feed: Feed<L> = { label, queue: [], held: 0, ended: false, heard: performance.now() }
    this.#feeds.push(feed)
    this.#drain(feed, lines)
      .catch((error: unknown) => {
        this.#error ??= error
      })
      .finally(() => {
        feed.ended = true
        this.#wake()
      })
  }

  close(): void {
    this.#closed = true
    this.#wake()
  }

  async *lines(): AsyncGenerator<Labelled<L>> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error
      const now = performance.now()
      const behind = this.#feeds.filter(({ queue, ended }) => queue.length === 0 && !ended)
      const wait = Math.max(0, ...behind.map(({ heard }) => heard + this.#patience - now))
      const first = this.#first()
      if (first && wait === 0) {
        const line = first.queue.shift()!
        first.held -= line.bytes.length
        yield { label: first.label, line }
        first.goOn?.()
      } else if (!first && this.#closed && this.#feeds.every(({ ended }) => ended)) return
      else await this.#nextChange(first ? wait : Number.POSITIVE_INFINITY)
    }
  }

  #first(): Feed<L> | undefined {
    let first: Feed<L> | undefined
    for (const feed of this.#feeds) {
      if (feed.queue.length > 0 && (!first || feed.queue[0]!.at < first.queue[0]!.at)) first = feed
    }
    return first
  }

  async #drain(feed: Feed<L>, lines: AsyncIterable<TimedLine>): Promise<void> {
    for await (const line of lines) {
      feed.queue.push(line)
      feed.held += line.bytes.length
      feed.heard = performance.now()
      this.#wake()
      while (feed.queue.length >= MOST_QUEUED || feed.held >= MOST_BYTES) {
        await new Promise<void>((resolve) => {
          feed.goOn = resolve
        })
      }
    }
  }

  #nextChange(atMost: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = Number.isFinite(atMost) ? setTimeout(resolve, atMost) : undefined
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
