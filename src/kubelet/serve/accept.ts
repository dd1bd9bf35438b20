// Turns an upgrade request into a websocket that speaks one of Kubernetes' stream protocols, or refuses it in its words.
import type { IncomingMessage } from 'node:http'
import type { Duplex, Writable } from 'node:stream'
import type { WebSocket } from 'ws'

/** What a client may send in one message; kubectl sends 32 KiB. */
const longestMessage = 16 << 20

/** Undefined when client and server have no protocol in common; the client has then been told. */
export async function acceptSocket(
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  protocols: string[],
): Promise<WebSocket | undefined> {
  const offered = (req.headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim())
  const chosen = protocols.find((each) => offered.includes(each))
  if (chosen === undefined) {
    refuse(socket, 403, 'Forbidden', `none of the protocols ${offered.join(', ')} is spoken here`)
    return undefined
  }
  // kubectl's port forwarding has a name with a slash in it, which RFC 6455 and therefore the library do not allow.
  req.headers['sec-websocket-protocol'] = 'chosen'
  // Few homes are ever asked for it.
  const { WebSocketServer } = await import('ws')
  const server = new WebSocketServer({ noServer: true, maxPayload: longestMessage, handleProtocols: () => chosen })
  return new Promise((resolve) => server.handleUpgrade(req, socket, head, resolve))
}

function refuse(socket: Duplex, code: number, reason: string, message: string): void {
  const body = JSON.stringify(buildStatus(code, reason, message))
  const lines = [
    `HTTP/1.1 ${code} ${reason}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

export function reasonOf(code: number): string {
  return code === 404 ? 'NotFound' : 'BadRequest'
}

export function buildStatus(code: number, reason: string, message: string): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }
}

/** Resolves when the bytes are on their way, so that a slow reader slows the writer down. */
export function sendBytes(socket: WebSocket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => socket.send(bytes, () => resolve()))
}

/** So much may wait for a reader that does not read. */
const mostWaiting = 8 << 20

/** Passes bytes on, and stops listening to the client while too many of them wait. */
export function writeUnhurried(to: Writable, bytes: Buffer, from: WebSocket): void {
  to.write(bytes)
  if (to.writableLength < mostWaiting || from.isPaused) return
  from.pause()
  const resume = () => from.resume()
  to.once('drain', resume)
  to.once('close', resume)
}
