// Kept connections to an API server, over the network or, to a server of this machine, over a socket in its directory.
import type { Connection } from './connection.ts'

export interface PoolRequest {
  origin: string
  path: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string | string[]>
  body: string | null
  signal: AbortSignal | null
  /** Milliseconds without an answer, and without more of it, before it is given up; 0: never. */
  headersTimeout: number
  bodyTimeout: number
}

export interface PoolAnswer {
  statusCode: number
  headers: Record<string, string | string[] | undefined>
  body: AsyncIterable<Uint8Array> & {
    text(): Promise<string>
    destroy(): unknown
  }
}

export interface Pool {
  send(request: PoolRequest): Promise<PoolAnswer>
  /** Ends all connections; what is on the way fails. */
  destroy(): Promise<void>
}

/** One for requests, of so many connections, and one for streams: a watch holds its connection for minutes, and in the
 * requests' pool it would starve them. */
export interface Pools {
  requests: Pool
  streams: Pool
}

/** Only what this connection needs is read. */
export async function openPools(connection: Connection, connections: number): Promise<Pools> {
  if (connection.socket !== undefined) {
    const { openSocketPools } = await import('./socket-pool.ts')
    return openSocketPools(connection.socket, connections)
  }
  const { openNetworkPools } = await import('./network-pool.ts')
  return openNetworkPools(connection, connections)
}
