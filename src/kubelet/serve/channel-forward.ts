// Port forwarding as the Python and JavaScript clients speak it: two channels for each port, data and errors, which
// both begin with the port's number.
import { connect, type Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { loopback } from '../peers/rewrite.ts'
import { sendBytes, writeUnhurried } from './accept.ts'

export const channelProtocol = 'v4.channel.k8s.io'

export function forwardChannels(socket: WebSocket, ports: number[], localPort: (port: number) => number): void {
  const connections = ports.map((port, i) => forwardPort(socket, port, localPort(port), 2 * i))
  socket.on('message', (data) => {
    const message = data as Buffer
    const channel = message[0] ?? 1
    const connection = channel % 2 === 0 ? connections[channel / 2] : undefined
    if (connection && !connection.destroyed) writeUnhurried(connection, message.subarray(1), socket)
  })
  const end = () => {
    for (const connection of connections) connection.destroy()
  }
  socket.on('close', end)
  socket.on('error', end)
}

function forwardPort(socket: WebSocket, port: number, local: number, channel: number): Socket {
  const send = (to: number, bytes: Buffer) => sendBytes(socket, Buffer.concat([Buffer.of(to), bytes]))
  const number = Buffer.alloc(2)
  number.writeUInt16LE(port)
  void send(channel, number)
  void send(channel + 1, number)
  const connection = connect(local, loopback)
  connection.on('error', () => void send(channel + 1, Buffer.from(`nothing answers on port ${port} of the pod`)))
  connection.on('data', async (chunk: Buffer) => {
    connection.pause()
    await send(channel, chunk)
    connection.resume()
  })
  connection.on('close', () => socket.close())
  return connection
}
