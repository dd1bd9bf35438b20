// Kept connections. undici describes only its index, which also loads fetch, caches, WebSockets and mocks: 70 ms of CPU
// and 13 MB in every command that talks to a cluster. Its version is pinned, so its parts can be asked for by name.
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

export function openPool(connection: Connection, connections?: number): Pool {
  const { ca, cert, key, serverName, insecure } = connection.tls
  const tls = { ca, cert, key, servername: serverName, rejectUnauthorized: !insecure, timeout: 10_000 }
  // Node's HTTP/2 can spin for ever when a server goes away under an aborted request (seen as 10 GB and a dead operator).
  const options = { connect: tls, connections: connections ?? null, keepAliveTimeout: 20_000, allowH2: false }
  if (connection.proxy === undefined) return new Agent(options)
  if (!/^https?:/.test(connection.proxy)) {
    throw new ConfigError(`the kubeconfig's proxy-url ${connection.proxy} is not an http or https address`)
  }
  return new ProxyAgent({ ...options, uri: connection.proxy, requestTls: tls })
}

export function sendThrough(pool: Pool, options: Undici.Dispatcher.RequestOptions): Promise<PoolAnswer> {
  return requestOn.call(pool, options) as Promise<PoolAnswer>
}
