// A websocket to something of a pod: a command in it, or one of its ports.
import { text } from 'node:stream/consumers'
import type WebSocket from 'ws'
import type { Connection } from './connection.ts'
import { connectionErrorOf } from './connection-problem.ts'
import { errorOf } from './errors.ts'
import type { ObjectName } from './resource.ts'

export async function openPodSocket(
  connection: Connection,
  { namespace = 'default', name }: ObjectName,
  subresource: 'exec' | 'portforward',
  query: URLSearchParams,
  protocols: string[],
): Promise<WebSocket> {
  const { tls, server, proxy } = connection
  const token = await connection.token?.get()
  const url = new URL(server)
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name ?? '')}/${subresource}`
  url.pathname = url.pathname.replace(/\/$/, '') + path
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:'
  url.search = query.toString()
  // Loaded by those who need it: hardly any command does.
  const { WebSocket: Socket } = await import('ws')
  const { Agent } = await import('node:https')
  return new Socket(url, protocols, {
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...connection.headers },
    ca: tls.ca,
    cert: tls.cert,
    key: tls.key,
    rejectUnauthorized: !tls.insecure,
    ...(tls.serverName && { servername: tls.serverName }),
    ...(proxy && { agent: new Agent({ proxyEnv: { HTTPS_PROXY: proxy } }) }),
  })
}

/** No websocket came about: the API's refusal, or why it could not be reached. */
export function onRefusal(socket: WebSocket, server: string, refuse: (error: unknown) => void): void {
  socket.on('unexpected-response', (_request, response) => {
    text(response).then(
      (body) => refuse(errorOf(response.statusCode ?? 500, parseBody(body))),
      (error) => refuse(connectionErrorOf(error, server)),
    )
  })
  socket.on('error', (error) => refuse(connectionErrorOf(error, server)))
}

export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
