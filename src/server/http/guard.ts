import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { StatusError } from '../status-error.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Refuses whoever has no business here, before anything is parsed. A web page open in the user's browser can reach
 * loopback ports: it is kept out by the token, by the Host it must send (DNS rebinding) and by its Origin.
 */
export function buildGuard(port: number, token: string): (req: IncomingMessage) => void {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`])
  const origins = new Set([...hosts].map((host) => `https://${host}`))
  const expected = digest(token)
  return (req) => {
    const host = req.headers.host?.toLowerCase()
    if (!host || !hosts.has(host)) throw refuse('this server answers to its own address only (Host header)')
    const { origin } = req.headers
    if (origin !== undefined && !origins.has(origin))
      throw refuse('requests from web pages are not served (Origin header)')
    const presented = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
    if (presented === undefined || !timingSafeEqual(digest(presented), expected)) {
      throw new StatusError(401, 'Unauthorized', 'Unauthorized')
    }
  }
}

const refuse = (message: string): StatusError => new StatusError(403, 'Forbidden', message)
