// Frames of SPDY/3.1, as far as port forwarding uses them.

export const frameTypes = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 }
export const finFlag = 1

export type Frame =
  | { kind: 'control'; type: number; flags: number; body: Buffer }
  | { kind: 'data'; stream: number; flags: number; body: Buffer }

const headBytes = 8
const version = 3
const streamMask = 0x7fffffff

/** Cuts a stream of bytes into frames, however the bytes arrive. */
export class FrameReader {
  #pending = Buffer.alloc(0)

  read(bytes: Buffer): Frame[] {
    this.#pending = Buffer.concat([this.#pending, bytes])
    const frames: Frame[] = []
    while (this.#pending.length >= headBytes) {
      const length = this.#pending.readUIntBE(5, 3)
      if (this.#pending.length < headBytes + length) break
      const word = this.#pending.readUInt32BE(0)
      const flags = this.#pending[4]!
      const body = this.#pending.subarray(headBytes, headBytes + length)
      const isControl = word > streamMask
      frames.push(
        isControl ? { kind: 'control', type: word & 0xffff, flags, body } : { kind: 'data', stream: word, flags, body },
      )
      this.#pending = this.#pending.subarray(headBytes + length)
    }
    return frames
  }
}

export function buildControlFrame(type: number, flags: number, body: Buffer): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt16BE(0x8000 | version, 0)
  head.writeUInt16BE(type, 2)
  return finishFrame(head, flags, body)
}

export function buildDataFrame(stream: number, flags: number, body: Buffer): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(stream & streamMask, 0)
  return finishFrame(head, flags, body)
}

export function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i)
  return bytes
}

function finishFrame(head: Buffer, flags: number, body: Buffer): Buffer {
  head[4] = flags
  head.writeUIntBE(body.length, 5, 3)
  return Buffer.concat([head, body])
}
