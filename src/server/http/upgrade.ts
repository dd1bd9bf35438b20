import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { parseObject } from '../object.ts'
import { badRequest, noSuchPath, notFound, type StatusError } from '../status-error.ts'
import { noBackend } from './handle-subresource.ts'
import type { ListenerParts } from './listener.ts'
import { parseTarget } from './request-target.ts'
import { toStatusError } from './respond.ts'

const STREAMS = ['exec', 'attach', 'portforward'] as const

/** exec, attach and portforward: checked here, then the connection goes to whoever runs the pod. */
export function buildUpgrader({
  api,
  guard,
  log,
}: ListenerParts): (req: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (req, socket, head) => {
    socket.on('error', () => socket.destroy())
    const connect = async (): Promise<void> => {
      guard(req)
      const target = parseTarget(req.url ?? '/')
      if (target.kind !== 'resource' || target.group !== '' || target.plural !== 'pods') throw noSuchPath()
      const stream = STREAMS.find((name) => name === target.subresource)
      if (!stream || !target.name || !target.namespace) throw noSuchPath()
      if (req.headers.upgrade?.toLowerCase() !== 'websocket') throw badRequest('only websocket upgrades are served')
      const row = api.store.get({ resource: 'pods', namespace: target.namespace, name: target.name })
      if (!row) throw notFound({ group: '', plural: 'pods' }, target.name)
      const serve = api.pods[stream]
      if (!serve) throw noBackend()
      await serve(parseObject(row.body), target.query, req, socket, head)
    }
    connect().catch((error: unknown) => refuse(socket, toStatusError(error, log)))
  }
}

function refuse(socket: Duplex, error: StatusError): void {
  const body = JSON.stringify(error.toStatus())
  const head = `HTTP/1.1 ${error.code} ${error.reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`
  socket.end(head + body)
}
