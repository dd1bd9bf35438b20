// Kept connections over the network. undici describes only its index, which also loads fetch, caches, WebSockets and
// mocks: 70 ms of CPU and 13 MB. Its version is pinned, so its parts can be asked for by name.
import { createSecureContext } from 'node:tls'
import type * as Undici from 'undici'
// @ts-expect-error not described
import connectUntyped from 'undici/lib/api/api-connect.js'
// @ts-expect-error not described
import AgentUntyped from 'undici/lib/dispatcher/agent.js'
// @ts-expect-error not described
import DispatcherUntyped from 'undici/lib/dispatcher/dispatcher.js'
// @ts-expect-error not described
import ProxyAgentUntyped from 'undici/lib/dispatcher/proxy-agent.js'
import type { Connection } from './connection.ts'
import { ConfigError } from './errors.ts'
import type { Pool, Pools } from './http-pool.ts'
import { dispatch } from './network-answer.ts'

const Agent = AgentUntyped as typeof Undici.Agent
const ProxyAgent = ProxyAgentUntyped as typeof Undici.ProxyAgent
// A proxy is asked by a function that only undici's index would put in its place.
Object.assign((DispatcherUntyped as { prototype: object }).prototype, { connect: connectUntyped })

export function openNetworkPools(connection: Connection, connections: number): Pools {
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
    // It may have a password in it.
    throw new ConfigError(`the proxy ${proxy.replace(/\/\/.*@/, '//')} is not an http or https address`)
  }
  const open = (most: number | null): Pool =>
    poolOf(
      proxy === undefined
        ? new Agent({ ...options, connections: most })
        : new ProxyAgent({ ...options, connections: most, uri: proxy, requestTls: tls }),
    )
  return { requests: open(connections), streams: open(null) }
}

function poolOf(dispatcher: Undici.Dispatcher): Pool {
  return {
    send: (request) => dispatch(dispatcher, request),
    destroy: () => dispatcher.destroy(),
  }
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
