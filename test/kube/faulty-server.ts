// An HTTPS server whose every answer the test decides, to be as broken as networks and servers are.
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
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
  const server = createServer({ cert: own.cert, key: own.key }, async (request, response) => {
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
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    asked,
    authority,
    connection: { server: `https://127.0.0.1:${port}`, namespace: 'default', tls: { ca: authority.cert } },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
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
