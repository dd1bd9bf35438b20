// /metrics, /healthz and /readyz, for Prometheus and the kubelet.
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'

// Imported in the usual way it would bring Node's own WebSocket along, 13 MB that nobody needs here.
const { createServer } = process.getBuiltinModule('node:http')

export interface HealthOptions {
  /** All addresses without it. */
  host?: string
  port: number
  registry: Registry
  /** Why we are not ready; undefined: we are. */
  notReady: () => string | undefined
}

export interface HealthServer {
  /** `http://127.0.0.1:8080`. */
  url: string
  close(): Promise<void>
}

export async function serveHealth({ host, port, registry, notReady }: HealthOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const answer = (code: number, text: string, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(code, { 'content-type': type }).end(text)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'only GET\n')
    switch (request.url?.replace(/\?.*/s, '')) {
      case '/healthz':
      case '/livez':
        return answer(200, 'ok\n')
      case '/readyz': {
        const why = notReady()
        return why === undefined ? answer(200, 'ok\n') : answer(503, `${why}\n`)
      }
      case '/metrics':
        registry.metrics().then(
          (text) => answer(200, text, registry.contentType),
          (error: Error) => answer(500, `${error.message}\n`),
        )
        return
      default:
        return answer(404, 'there are /metrics, /healthz and /readyz\n')
    }
  })
  // Whoever asks slowly must not hold a connection for ever.
  server.requestTimeout = 10_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const at = server.address() as AddressInfo
  const shown = at.family === 'IPv6' ? `[${at.address}]` : at.address
  return {
    url: `http://${shown}:${at.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
