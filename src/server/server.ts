import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import type { Crd } from '../api/build-crd.ts'
import type { Api, PodBackend } from './api.ts'
import { startCollectors } from './collect/collectors.ts'
import { bringDefinitions } from './crd/bring-definitions.ts'
import { buildGuard } from './http/guard.ts'
import { listenLocally } from './http/listen-locally.ts'
import { buildListener, DEFAULT_LIMITS, type Limits } from './http/listener.ts'
import { buildUpgrader } from './http/upgrade.ts'
import { buildKubeconfig, loadIdentity, writePrivateFile } from './identity/identity.ts'
import { Metrics } from './metrics.ts'
import { Registry } from './resources/registry.ts'
import { unusable } from './store/database.ts'
import { DEFAULT_HISTORY, type HistoryOptions, startCompaction } from './store/keep-history.ts'
import { Store, type StorePoint, StoreWriteError } from './store/store.ts'

export interface ServerOptions {
  /** Where everything is kept; made if it is not there. One server per directory. */
  dir: string
  /** A free one if left out. */
  port?: number
  /** How pods' logs, exec and port forwarding are answered; may be set later. */
  pods?: PodBackend
  /** Definitions of kinds that it serves from the first moment on. */
  definitions?: readonly Crd[]
  limits?: Partial<Limits>
  history?: HistoryOptions
  /** Told of the moments a crash must survive. */
  onStorePoint?: (point: StorePoint) => void
  now?: () => number
  log?: (line: string) => void
}

export interface RunningServer {
  url: string
  /** Where it answers without TLS, to its owner alone; not everywhere can there be such a socket. */
  socketPath: string | undefined
  kubeconfigPath: string
  token: string
  ca: string
  /** Connects whoever runs the pods. */
  setPodBackend(pods: PodBackend): void
  stop(): Promise<void>
}

// An import would read all that the module offers, and with it Node's own fetch.
const { createServer: createPlainServer } = process.getBuiltinModule('node:http')

const LOOPBACK = '127.0.0.1'
const PATIENCE = { requestTimeout: 60_000, keepAliveTimeout: 120_000 }

/** A Kubernetes API on this machine alone. Resolves when it answers. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const now = options.now ?? Date.now
  const log = options.log ?? ((line: string) => process.stderr.write(`${line}\n`))
  const store = new Store(options.dir, options.onStorePoint)
  // What was started is ended in the reverse order, also where the start itself fails half-way.
  const ends: Array<() => unknown> = [() => store.close()]
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const identity = loadIdentity(options.dir, now())
    const registry = new Registry(store)
    const api: Api = { store, registry, now, pods: options.pods ?? {} }
    const metrics = new Metrics()
    const limits = { ...DEFAULT_LIMITS, ...options.limits }
    const { certificate: cert, key } = identity
    const server = createServer({ cert, key, minVersion: 'TLSv1.2', ...PATIENCE })
    server.on('secureConnection', readThroughStream)
    const local = createPlainServer(PATIENCE)
    ends.push(() => Promise.all([server, local].map(close)))
    server.listen(options.port ?? 0, LOOPBACK)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const socketPath = await listenLocally(local, options.dir)
    const guard = buildGuard(port, identity.token)
    const parts = { api, metrics, guard, limits, log }
    bringDefinitions(api, options.definitions ?? [])
    await store.committed()
    ends.push(await startCollectors(api, log))
    ends.push(startCompaction(store, options.history ?? DEFAULT_HISTORY, log))
    const [listener, upgrader] = [buildListener(parts), buildUpgrader(parts)]
    for (const each of [server, local]) each.on('request', listener).on('upgrade', upgrader)
    const url = `https://${LOOPBACK}:${port}`
    const kubeconfigPath = join(options.dir, 'kubeconfig')
    writePrivateFile(kubeconfigPath, buildKubeconfig(url, identity))
    return {
      url,
      socketPath,
      kubeconfigPath,
      token: identity.token,
      ca: identity.ca,
      setPodBackend: (pods) => {
        api.pods = pods
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw explain(error, options.dir)
  }
}

/**
 * A request that comes while Node has not noticed yet that the answer before it is through makes Node pause the connection.
 * Where the parser reads from TLS itself, what TLS has deciphered by then ends the connection (HPE_PAUSED); where somebody
 * listens to the data it is fed by the stream, and waits.
 */
function readThroughStream(socket: TLSSocket): void {
  socket.on('data', () => {})
}

function close(server: Server): Promise<unknown> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}

/** What the disk refuses is told as the store tells it. */
function explain(error: unknown, dir: string): unknown {
  if (error instanceof StoreWriteError) return unusable(error.cause, dir)
  const { syscall } = error as NodeJS.ErrnoException
  return syscall === undefined || syscall === 'listen' ? error : unusable(error, dir)
}
