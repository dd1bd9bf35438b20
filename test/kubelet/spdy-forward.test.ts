// kubectl's port forwarding: SPDY frames in a websocket, and a program that answers.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { SpdyForward } from '../../src/kubelet/serve/spdy-forward.ts'
import {
  buildControlFrame,
  buildDataFrame,
  type Frame,
  FrameReader,
  uint32,
} from '../../src/kubelet/serve/spdy-frames.ts'
import { HeaderCodec } from '../../src/kubelet/serve/spdy-headers.ts'
import { until } from './until.ts'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
const echo = createServer({ allowHalfOpen: true }, (socket) => socket.on('error', () => {}).pipe(socket))

beforeAll(async () => {
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  server.on('connection', (socket) => {
    new SpdyForward(socket, (port) => (port === 700 ? (echo.address() as AddressInfo).port : port))
  })
})

afterAll(() => {
  server.close()
  echo.close()
})

/** The client's end of kubectl's protocol. */
class SpdyClient {
  readonly socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  readonly frames: Frame[] = []
  readonly #headers = new HeaderCodec()
  readonly #reader = new FrameReader()

  constructor() {
    this.socket.on('message', (data: Buffer) => this.frames.push(...this.#reader.read(data)))
  }

  ready = new Promise((resolve, reject) => this.socket.on('open', resolve).on('error', reject))

  async openStream(stream: number, headers: Record<string, string>): Promise<void> {
    const body = Buffer.concat([uint32(stream, 0), Buffer.of(0, 0), await this.#headers.encode(headers)])
    this.socket.send(buildControlFrame(1, 0, body))
  }

  dataOf(stream: number): Buffer {
    return Buffer.concat(
      this.frames.flatMap((frame) => (frame.kind === 'data' && frame.stream === stream ? [frame.body] : [])),
    )
  }

  hasEnded(stream: number): boolean {
    return this.frames.some((frame) => frame.kind === 'data' && frame.stream === stream && (frame.flags & 1) === 1)
  }
}

test('a port is forwarded as kubectl does it, several connections at once, megabytes in both directions', async () => {
  const client = new SpdyClient()
  await client.ready
  const sent = [randomBytes(3 << 20), randomBytes(1 << 20)]
  for (const [i, bytes] of sent.entries()) {
    await client.openStream(4 * i + 1, { streamtype: 'error', port: '700', requestid: String(i) })
    await client.openStream(4 * i + 3, { streamtype: 'data', port: '700', requestid: String(i) })
    for (let at = 0; at < bytes.length; at += 50_000)
      client.socket.send(buildDataFrame(4 * i + 3, 0, bytes.subarray(at, at + 50_000)))
    client.socket.send(buildDataFrame(4 * i + 3, 1, Buffer.alloc(0)))
  }
  await until('both echoes to end', () => client.hasEnded(3) && client.hasEnded(7))
  expect([client.dataOf(3).equals(sent[0]!), client.dataOf(7).equals(sent[1]!)]).toEqual([true, true])
  await until('the error streams to end', () => client.hasEnded(1) && client.hasEnded(5))
  expect(client.frames.filter((frame) => frame.kind === 'control' && frame.type === 2)).toHaveLength(4)
  client.socket.send(buildControlFrame(6, 0, uint32(1)))
  await until('the answer to a ping', () => client.frames.some((frame) => frame.kind === 'control' && frame.type === 6))
  client.socket.close()
})

test('a port on which nothing listens is told over the error stream', async () => {
  const client = new SpdyClient()
  await client.ready
  await client.openStream(1, { streamtype: 'error', port: '1', requestid: '0' })
  await client.openStream(3, { streamtype: 'data', port: '1', requestid: '0' })
  await until('both streams to end', () => client.hasEnded(1) && client.hasEnded(3))
  expect(String(client.dataOf(1))).toBe('nothing answers on port 1 of the pod')
  client.socket.close()
})
