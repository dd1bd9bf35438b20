// Kept connections. undici describes only its index, which also loads fetch, caches, WebSockets and mocks: 70 ms of CPU
// and 13 MB in every command that talks to a cluster. Its version is pinned, so its parts can be asked for by name.
import { createSecureContext } from 'node:tls'
import type * as Undici from 'undici'
// @ts-expect-error not described
import requestUntyped from 'undici/lib/api/api-request.js'
// @ts-expect-error not described
import AgentUntyped from 'undici/lib/dispatcher/agent.js'
// @ts-expect-error not described
import ProxyAgentUntyped from 'undici/lib/dispatcher/proxy-agent.js'
import type { Connection } from './connection.ts'
import { ConfigError } from './errors.ts'

const Agent = AgentUntyped as typeof Undici.Agent
const ProxyAgent = ProxyAgentUntyped as typeof Undici.ProxyAgent
const requestOn = requestUntyped as Undici.Dispatcher['request']

export type Pool = Undici.Dispatcher
export type PoolAnswer = Undici.Dispatcher.ResponseData

/** One for requests, of so many connections, and one for streams: a watch holds its connection for minutes, and in the
 * requests' pool it would starve them. */
export function openPools(connection: Connection, connections: number): { requests: Pool; streams: Pool } {
  const { ca, cert, key, serverName, insecure } = connection.tls
  const tls = {
    ...readCertificates({ ca, cert, key }),
    servername: serverName,
    rejectUnauthorized: !insecure,
    timeout: 10_000,
  }
  // Node's HTTP/2 can spin for ever when a server goes away under an aborted request (seen as 10 GB and a dead operator).
  const options = { connect: tls, keepAliveTimeout: 20_000, allowH2: false }
  const { proxy } = connection
  if (proxy !== undefined && !/^https?:/.test(proxy)) {
    throw new ConfigError(`the kubeconfig's proxy-url ${proxy} is not an http or https address`)
  }
  const open = (most: number | null): Pool =>
    proxy === undefined
      ? new Agent({ ...options, connections: most })
      : new ProxyAgent({ ...options, connections: most, uri: proxy, requestTls: tls })
  return { requests: open(connections), streams: open(null) }
}

/** Read once: given to each connection anew they would be half of what opening it costs. */
function readCertificates(certificates: Pick<Connection['tls'], 'ca' | 'cert' | 'key'>) {
  try {
    return { secureContext: createSecureContext(certificates) }
  } catch {
    // The first connection says what is wrong with them.
    return certificates
  }
}

export function sendThrough(pool: Pool, options: Undici.Dispatcher.RequestOptions): Promise<PoolAnswer> {
  return requestOn.call(pool, options) as Promise<PoolAnswer>
}
