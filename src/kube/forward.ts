// One connection to a port of a pod, through the API: a websocket with a channel for the data and one for errors, both
// of which begin with the port's number.
import { Duplex } from 'node:stream'
import type WebSocket from 'ws'
import type { Connection } from './connection.ts'
import { ConnectionError } from './errors.ts'
import { onRefusal, openPodSocket } from './pod-socket.ts'
import type { ObjectName } from './resource.ts'

const PROTOCOLS = ['v4.channel.k8s.io']
const DATA = 0
const ERROR = 1
const PORT_BYTES = 2

/** Resolves when the way is open. What the pod's side says of trouble is the stream's error. */
export async function forwardPort(connection: Connection, pod: ObjectName, port: number): Promise<Duplex> {
  const socket = await openPodSocket(
    connection,
    pod,
    'portforward',
    new URLSearchParams({ ports: String(port) }),
    PROTOCOLS,
  )
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(streamOf(socket)))
    onRefusal(socket, connection.server, reject)
  })
}

function streamOf(socket: WebSocket): Duplex {
  const greeted = new Set<number>()
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (bytes: Buffer, _encoding, done) => {
      if (socket.readyState !== socket.OPEN) done(new ConnectionError('cut', 'the connection to the pod has ended'))
      else socket.send(Buffer.concat([Buffer.of(DATA), bytes]), done)
    },
    final: (done) => {
      socket.close()
      done()
    },
    destroy: (error, done) => {
      socket.terminate()
      done(error)
    },
  })
  socket.on('message', (data) => {
    const message = data as Buffer
    const channel = message[0] ?? ERROR
    const first = !greeted.has(channel)
    greeted.add(channel)
    const rest = message.subarray(first ? 1 + PORT_BYTES : 1)
    if (rest.length === 0) return
    if (channel === ERROR) stream.destroy(new ConnectionError('cut', rest.toString()))
    else if (!stream.push(rest)) socket.pause()
  })
  socket.on('close', () => stream.push(null))
  socket.on('error', (error) => stream.destroy(error))
  return stream
}
