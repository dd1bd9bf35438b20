// Through a proxy, as one leads out of many offices: requests, watches, and what goes on inside pods.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { KubeClient } from '../../src/kube/client.ts'
import { openPodSocket } from '../../src/kube/pod-socket.ts'
import { PODS } from '../../src/kube/resource.ts'
import { answer, line, pod, startFaultyServer } from './faulty-server.ts'

const open: Array<{ close(): unknown }> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()))
})

/** One that lets in who has the password; tells where everybody went. */
async function startProxy(): Promise<{ url: string; ways: string[] }> {
  const ways: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer().on('connect', (request: IncomingMessage, client: Socket) => {
    const password = Buffer.from(request.headers['proxy-authorization']?.split(' ')[1] ?? '', 'base64').toString()
    if (password !== 'ana:secret') return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    ways.push(request.url ?? '')
    const [host = '', port] = request.url!.split(':')
    const there = connect(Number(port), host, () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    for (const socket of [there, client]) sockets.add(socket.on('error', () => {}))
    there.pipe(client).pipe(there)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  open.push(server, { close: () => sockets.forEach((socket) => void socket.destroy()) })
  return { url: `http://ana:secret@127.0.0.1:${(server.address() as AddressInfo).port}`, ways }
}

test('requests and watches', async () => {
  const server = await startFaultyServer((response, { query }) =>
    query.has('watch') ? void response.end(line('ADDED', pod('p', 2))) : answer(response, 200, pod('p', 1)),
  )
  const proxy = await startProxy()
  const client = new KubeClient({ ...server.connection, proxy: proxy.url })
  open.push(server, client)
  expect(await client.get(PODS, { namespace: 'default', name: 'p' })).toMatchObject({ metadata: { name: 'p' } })
  for await (const { object } of client.watch(PODS)) expect(object.metadata.resourceVersion).toBe('2')
  const to = server.connection.server.replace('https://', '')
  expect(proxy.ways).toEqual([to, to])
})

test('a command in a pod', async () => {
  const { connection, authority, close } = await startFaultyServer(() => {})
  open.push({ close })
  const own = await authority.issue('pods', { name: 'pods', servesAs: ['IP:127.0.0.1'] })
  const server = createSecureServer({ cert: own.cert, key: own.key })
  const sockets = new WebSocketServer({ server }).on('connection', (socket) => socket.send('hello'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  open.push(server, { close: () => sockets.clients.forEach((each) => void each.terminate()) })
  const proxy = await startProxy()
  const to = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const through = { ...connection, server: `https://${to}`, proxy: proxy.url }
  const socket = await openPodSocket(through, { name: 'p' }, 'exec', new URLSearchParams(), ['v5.channel.k8s.io'])
  const [message] = (await once(socket, 'message')) as [Buffer]
  expect(message.toString()).toBe('hello')
  expect(proxy.ways).toEqual([to])
})

test('a proxy that cannot be used is named without its password', async () => {
  const client = new KubeClient({ server: 'https://k8s', namespace: 'n', tls: {}, proxy: 'socks5://ana:secret@proxy' })
  open.push(client)
  await expect(client.get(PODS, { name: 'p' })).rejects.toThrow('the proxy socks5://proxy is not an http')
})
