// An HTTPS server, also at a socket without TLS, whose every answer the test decides, to be as broken as networks and servers are.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Authority } from '../../scripts/real/certificates.ts'
import type { Connection } from '../../src/kube/connection.ts'

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: unknown
}

export type Reply = (response: ServerResponse, asked: Asked) => void | Promise<void>

export interface FaultyServer {
  connection: Connection
  /** Where it answers without TLS. */
  socket: string
  authority: Authority
  /** Everything asked so far. */
  asked: Asked[]
  close(): Promise<void>
}

export async function startFaultyServer(reply: Reply): Promise<FaultyServer> {
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-faulty-'))
  const authority = new Authority(folder)
  await authority.create()
  const own = await authority.issue('server', { name: 'server', servesAs: ['IP:127.0.0.1'] })
  const asked: Asked[] = []
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = ''
    for await (const chunk of request) text += chunk
    const url = new URL(request.url ?? '/', 'https://server')
    const body = text === '' ? undefined : JSON.parse(text)
    const entry = {
      method: request.method!,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    }
    asked.push(entry)
    await reply(response, entry)
  }
  const server = createServer({ cert: own.cert, key: own.key }, listener)
  const local = createPlainServer(listener)
  const socket = join(folder, 'api.sock')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => local.listen(socket, resolve))
  const { port } = server.address() as AddressInfo
  return {
    asked,
    authority,
    socket,
    connection: { server: `https://127.0.0.1:${port}`, namespace: 'default', tls: { ca: authority.cert } },
    async close() {
      for (const each of [server, local]) {
        each.closeAllConnections()
        await new Promise((resolve) => each.close(resolve))
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function answer(
  response: ServerResponse,
  code: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

export function refuse(
  response: ServerResponse,
  code: number,
  reason: string,
  headers: Record<string, string> = {},
): void {
  answer(response, code, { kind: 'Status', status: 'Failure', code, reason, message: `${reason} for a test` }, headers)
}

export function pod(name: string, resourceVersion: number, uid = `uid-${name}`) {
  const metadata = { namespace: 'default', name, uid, resourceVersion: String(resourceVersion) }
  return { apiVersion: 'v1', kind: 'Pod', metadata }
}

export function podList(resourceVersion: number, ...items: object[]) {
  return { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: String(resourceVersion) }, items }
}

export function line(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`
}

/** Resolves as soon as `check` holds, which is looked at whenever the event loop comes round. */
export async function until(check: () => boolean, what: string, patience = 10_000): Promise<void> {
  const end = Date.now() + patience
  while (!check()) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
