// Keeps a loopback port from being given away without listening on it: a peer that comes too early must be refused, as
// it would be by a host whose program does not listen yet.
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, Socket } from 'node:net'
import { loopback } from './rewrite.ts'

export class PortHolder {
  #anchor: Promise<Server> | undefined
  readonly #held = new Map<number, Socket>()

  /** Binds the port as the local end of a connection to ourselves; false if it is taken. */
  async hold(port: number): Promise<boolean> {
    this.#anchor ??= listen()
    const anchor = (await this.#anchor).address() as AddressInfo
    return new Promise((resolve) => {
      const socket = new Socket()
      socket.once('error', () => resolve(false))
      socket.connect({ host: loopback, port: anchor.port, localAddress: loopback, localPort: port }, () => {
        socket.removeAllListeners('error').on('error', () => {})
        socket.unref()
        this.#held.set(port, socket)
        resolve(true)
      })
    })
  }

  /** Gives the port up at once: a reset leaves nothing that lingers on it. */
  async release(port: number): Promise<void> {
    const socket = this.#held.get(port)
    if (!socket) return
    this.#held.delete(port)
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
      socket.resetAndDestroy()
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((port) => this.release(port)))
    const anchor = await this.#anchor
    this.#anchor = undefined
    anchor?.close()
  }
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => {}).unref())
    server.once('error', reject)
    server.listen(0, loopback, 4096, () => resolve(server.unref()))
  })
}

/** How many sockets of this machine have a port, in whatever state; empty where the system does not tell. */
export function portsInUse(): Map<number, number> {
  const ports = new Map<number, number>()
  for (const path of ['/proc/net/tcp', '/proc/net/tcp6']) {
    try {
      for (const [, hex] of readFileSync(path, 'latin1').matchAll(/^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) /gm)) {
        const port = Number.parseInt(hex!, 16)
        ports.set(port, (ports.get(port) ?? 0) + 1)
      }
    } catch {
      // Not Linux, or no IPv6.
    }
  }
  return ports
}

/** Ports the system does not hand out by itself, so that nobody gets one by chance after it was released. */
export function choosableRange(): { from: number; to: number } {
  let [low, high] = process.platform === 'darwin' ? [49152, 65535] : [32768, 60999]
  try {
    const range = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'latin1').trim().split(/\s+/).map(Number)
    if (range.length === 2 && range.every(Number.isInteger)) [low, high] = range as [number, number]
  } catch {
    // The usual range of this system.
  }
  if (low >= 24000) return { from: 20000, to: low - 1 }
  if (high <= 62000) return { from: high + 1, to: 65535 }
  return { from: 20000, to: 65535 }
}
