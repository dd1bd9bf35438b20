// Kept connections over a Unix socket, to the home of this machine. No encryption, no handshakes, and Node's own client:
// reading undici and TLS would be half of what a short command costs.
import type * as Http from 'node:http'
import { text } from 'node:stream/consumers'
import type { Pool, PoolAnswer, PoolRequest, Pools } from './http-pool.ts'

// An import would read all that the module offers, and with it Node's own fetch: 40 ms.
const { Agent, request } = process.getBuiltinModule('node:http')

export function openSocketPools(socketPath: string, connections: number): Pools {
  const open = (maxSockets: number): Pool => {
    const agent = new Agent({ keepAlive: true, maxSockets })
    return {
      send: (asked) => send(agent, socketPath, asked),
      destroy: async () => agent.destroy(),
    }
  }
  return { requests: open(connections), streams: open(Number.POSITIVE_INFINITY) }
}

function send(agent: Http.Agent, socketPath: string, asked: PoolRequest): Promise<PoolAnswer> {
  const { origin, path, method, body, headersTimeout, bodyTimeout } = asked
  const headers: PoolRequest['headers'] = { ...asked.headers, host: new URL(origin).host }
  // Told by us: Node does not do so for a DELETE, whose body would then be taken for the next request.
  if (body !== null) headers['content-length'] = String(Buffer.byteLength(body))
  return new Promise((resolve, reject) => {
    const sent = request({ agent, socketPath, path, method, headers, signal: asked.signal ?? undefined })
    const giveUpAfter = (milliseconds: number, code: string): void => {
      sent.setTimeout(milliseconds, () => sent.destroy(Object.assign(new Error('silence'), { code })))
    }
    sent.on('error', reject)
    sent.on('response', (answer) => {
      giveUpAfter(bodyTimeout, 'SILENT_IN_THE_MIDDLE')
      resolve({ statusCode: answer.statusCode ?? 0, headers: answer.headers, body: bodyOf(answer) })
    })
    giveUpAfter(headersTimeout, 'SILENT')
    sent.end(body ?? undefined)
  })
}

function bodyOf(answer: Http.IncomingMessage): PoolAnswer['body'] {
  // Who reads the body hears of its errors; without this, one that nobody got to read would end the process.
  answer.on('error', () => {})
  return Object.assign(answer, { text: () => text(answer) })
}
