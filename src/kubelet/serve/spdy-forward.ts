// kubectl's port forwarding: a SPDY connection inside a websocket. For each connection it opens a stream for errors and
// one for data, tied together by a request id.
import { connect, type Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { loopback } from '../peers/rewrite.ts'
import { sendBytes, writeUnhurried } from './accept.ts'
import {
  buildControlFrame,
  buildDataFrame,
  type Frame,
  FrameReader,
  finFlag,
  frameTypes,
  uint32,
} from './spdy-frames.ts'
import { HeaderCodec } from './spdy-headers.ts'

export const spdyProtocol = 'SPDY/3.1+portforward.k8s.io'

/** Data frames of this size keep several connections moving side by side. */
const chunkBytes = 1 << 15
const refused = 3

export class SpdyForward {
  readonly #socket: WebSocket
  readonly #localPort: (port: number) => number
  readonly #reader = new FrameReader()
  readonly #headers = new HeaderCodec()
  /** Error streams by request id, until their data stream comes. */
  readonly #errors = new Map<string, number>()
  readonly #connections = new Map<number, Socket>()
  #receiving: Promise<void> = Promise.resolve()
  #sending: Promise<void> = Promise.resolve()

  constructor(socket: WebSocket, localPort: (port: number) => number) {
    this.#socket = socket
    this.#localPort = localPort
    socket.on('message', (data) => {
      for (const frame of this.#reader.read(data as Buffer)) {
        // One after the other: what a header block means depends on those before it.
        this.#receiving = this.#receiving.then(() => this.#receive(frame)).catch(() => socket.terminate())
      }
    })
    socket.on('close', () => this.#end())
    socket.on('error', () => this.#end())
  }

  #end(): void {
    for (const connection of this.#connections.values()) connection.destroy()
    this.#headers.close()
  }

  async #receive(frame: Frame): Promise<void> {
    if (frame.kind === 'data') return this.#receiveData(frame.stream, frame.body, (frame.flags & finFlag) !== 0)
    switch (frame.type) {
      case frameTypes.synStream:
        return this.#open(frame.body)
      case frameTypes.rstStream:
        this.#connections.get(frame.body.readUInt32BE(0))?.destroy()
        return
      case frameTypes.ping:
        return this.#send(buildControlFrame(frameTypes.ping, 0, frame.body))
      case frameTypes.goAway:
        this.#socket.close()
    }
  }

  async #open(body: Buffer): Promise<void> {
    const stream = body.readUInt32BE(0)
    const headers = await this.#headers.decode(body.subarray(10))
    const reply = await this.#headers.encode({})
    this.#send(buildControlFrame(frameTypes.synReply, 0, Buffer.concat([uint32(stream), reply])))
    const { streamtype, port, requestid = '' } = headers
    if (streamtype === 'error') this.#errors.set(requestid, stream)
    else if (streamtype === 'data') this.#connect(stream, this.#errors.get(requestid), Number(port))
    else this.#send(buildControlFrame(frameTypes.rstStream, 0, uint32(stream, refused)))
    if (streamtype === 'data') this.#errors.delete(requestid)
  }

  #connect(stream: number, errors: number | undefined, port: number): void {
    const connection = connect({ host: loopback, port: this.#localPort(port), allowHalfOpen: true })
    this.#connections.set(stream, connection)
    connection.on('error', () => {
      if (errors !== undefined) this.#write(errors, Buffer.from(`nothing answers on port ${port} of the pod`))
    })
    connection.on('data', (chunk: Buffer) => {
      connection.pause()
      for (let at = 0; at < chunk.length; at += chunkBytes) this.#write(stream, chunk.subarray(at, at + chunkBytes))
      void this.#sending.then(() => connection.resume())
    })
    connection.on('end', () => this.#write(stream, Buffer.alloc(0), finFlag))
    connection.on('close', () => {
      this.#connections.delete(stream)
      if (!connection.readableEnded) this.#write(stream, Buffer.alloc(0), finFlag)
      if (errors !== undefined) this.#write(errors, Buffer.alloc(0), finFlag)
    })
  }

  #receiveData(stream: number, bytes: Buffer, last: boolean): void {
    const connection = this.#connections.get(stream)
    if (!connection || connection.destroyed) return
    if (bytes.length > 0) writeUnhurried(connection, bytes, this.#socket)
    if (last) connection.end()
  }

  #write(stream: number, bytes: Buffer, flags = 0): void {
    this.#send(buildDataFrame(stream, flags, bytes))
  }

  #send(frame: Buffer): void {
    this.#sending = this.#sending.then(() => sendBytes(this.#socket, frame))
  }
}
