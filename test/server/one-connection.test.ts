// Large requests right behind large answers on one connection, as kubectl sends them when it applies several definitions.
import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { expect, test } from 'vitest'
import { startTestServer } from './client.ts'

const ROUNDS = 5
const BYTES = 500_000

test.each(['over TLS', 'at the socket'])(
  '%s a request that comes before the answer to the last one has gone waits for it',
  async (way) => {
    const { server } = await startTestServer()
    const { port } = new URL(server.url)
    const address = { port: Number(port), host: '127.0.0.1', ca: server.ca }
    const socket = way === 'over TLS' ? connectSecurely(address) : connect(server.socketPath!)
    await once(socket, way === 'over TLS' ? 'secureConnect' : 'connect')
    let text = ''
    socket.setEncoding('utf8').on('data', (more: string) => {
      text += more
    })
    const head = `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${server.token}\r\n`
    for (let round = 0; round < ROUNDS; round++) {
      const body = JSON.stringify({ metadata: { name: `large-${round}` }, data: { a: 'x'.repeat(BYTES) } })
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    }
    const codes = (): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]!)
    await expect.poll(() => codes().length >= ROUNDS || socket.destroyed).toBe(true)
    expect(codes()).toEqual(Array(ROUNDS).fill('201'))
    socket.destroy()
  },
)
