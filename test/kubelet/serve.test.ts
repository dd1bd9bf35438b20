// Logs, commands and ports through the embedded API, spoken as clients speak them.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { PODS } from '../../src/kube/index.ts'
import { EmbeddedHome } from './embedded-home.ts'
import { until } from './until.ts'

let home: EmbeddedHome
const echo = `require('net').createServer((s) => s.pipe(s)).listen(process.env.PORT, '127.0.0.1', () => console.log('listening'))`

beforeAll(async () => {
  home = await EmbeddedHome.start()
  const marks = {
    peers: { p: { replicas: 1, host: 'p', ports: [7] } },
    places: [{ container: 'main', env: 'PORT', spans: [{ from: 0, to: 1, peer: 'p-0', port: 7, part: 'port' }] }],
  }
  const containers = [{ name: 'main', image: 'x', command: ['node', '-e', echo], env: [{ name: 'PORT', value: '7' }] }]
  await home.createPod('p', { hostname: 'p', containers }, { 'trainyard.dev/peers': JSON.stringify(marks) })
  await home.phase('p', 'Running')
  await until('the program to listen', async () => (await logOf('p')) === 'listening\n')
})

afterAll(async () => {
  const { client } = home
  for (const { metadata } of (await client.list(PODS)).items) {
    await client.delete(PODS, { namespace: 'default', name: metadata.name! }, { gracePeriodSeconds: 0 })
  }
  await home.emptied()
  await home.stop()
})

async function logOf(name: string, query = ''): Promise<string> {
  return home.client.text({ method: 'GET', path: `/api/v1/namespaces/default/pods/${name}/log${query}` })
}

function open(path: string, protocol: string | string[]): WebSocket {
  const url = `${home.server.url.replace('https', 'wss')}/api/v1/namespaces/default/pods/${path}`
  return new WebSocket(url, protocol, { ca: home.server.ca, headers: { authorization: `Bearer ${home.server.token}` } })
}

/** Everything an exec says, by channel. */
async function execute(query: string, talk: (socket: WebSocket) => void = () => {}, protocol = 'v5.channel.k8s.io') {
  const socket = open(`p/exec?${query}`, protocol)
  const said = ['', '', '', '']
  socket.on('message', (data: Buffer) => {
    said[data[0]!] += data.subarray(1).toString()
  })
  socket.on('open', () => talk(socket))
  await new Promise((resolve, reject) => socket.on('close', resolve).on('error', reject))
  return { stdout: said[1], stderr: said[2], status: JSON.parse(said[3] || '{}') }
}

const refusal = (path: string, protocol: string) =>
  new Promise<[number, string]>((resolve) => {
    open(path, protocol)
      .on('error', () => {})
      .on('unexpected-response', (_, response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => resolve([response.statusCode!, JSON.parse(body).message]))
      })
  })

test('a log that cannot be had, or is asked for in a wrong way, is answered in words', async () => {
  await expect(logOf('p', '?container=none')).rejects.toMatchObject({
    code: 400,
    message: 'container none is not valid for pod p',
  })
  await expect(logOf('p', '?tailLines=x')).rejects.toMatchObject({
    code: 400,
    message: 'tailLines "x" is no number of its kind',
  })
  await expect(logOf('p', '?sinceTime=x')).rejects.toMatchObject({ code: 400, message: 'sinceTime "x" is no time' })
  expect(await logOf('p', '?timestamps=true&tailLines=1')).toMatch(/^\d{4}-\d\d-\d\dT\S+Z listening\n$/)
})

test.each(['v5.channel.k8s.io', 'v4.channel.k8s.io'])(
  'a command runs over %s, with its streams and exit code',
  async (protocol) => {
    const answer = await execute(
      'command=sh&command=-c&command=echo%20out;echo%20err%20>%262;exit%203&stdout=true&stderr=true',
      undefined,
      protocol,
    )
    expect(answer).toMatchObject({ stdout: 'out\n', stderr: 'err\n' })
    expect(answer.status).toMatchObject({
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    })
  },
)

test('standard input reaches the command, and its end too', async () => {
  const answer = await execute('command=cat&stdin=true&stdout=true', (socket) => {
    socket.send(Buffer.from('\0hello '))
    socket.send(Buffer.from('\0world'))
    socket.send(Buffer.of(255, 0))
  })
  expect(answer).toEqual({ stdout: 'hello world', stderr: '', status: { metadata: {}, status: 'Success' } })
})

test('a command on a terminal hears of its size', async () => {
  const answer = await execute(
    'command=sh&command=-c&command=read%20x;stty%20size&stdin=true&stdout=true&tty=true',
    (socket) => {
      socket.send(Buffer.from('\u0004{"Width":90,"Height":20}'))
      socket.send(Buffer.from('\0go\n'))
    },
  )
  expect(answer.stdout).toContain('20 90')
})

test('what cannot be executed is told in words', async () => {
  const none = await execute('command=true&container=none')
  expect(none.status).toMatchObject({ status: 'Failure', code: 400, message: 'container none is not valid for pod p' })
  const { status } = await execute('command=no-such-thing')
  expect(status.message).toMatch(/^cannot start: no program "no-such-thing" on its PATH/)
  expect(await refusal('p/exec?command=true', 'v9.channel.k8s.io')).toEqual([
    403,
    'none of the protocols v9.channel.k8s.io is spoken here',
  ])
})

test('a port is forwarded over channels', async () => {
  const socket = open('p/portforward?ports=7', 'v4.channel.k8s.io')
  const received: Buffer[] = []
  socket.on('message', (data: Buffer) => received.push(data))
  socket.on('open', () => socket.send(Buffer.from('\0ping')))
  const all = () => received.map((each) => `${each[0]}:${each.subarray(1).toString('latin1')}`)
  await until('the echo', () => all().includes('0:ping'))
  expect(all().slice(0, 2)).toEqual(['0:\u0007\0', '1:\u0007\0'])
  socket.close()
})

test('kubectl’s name for its way of port forwarding is answered as it was sent', async () => {
  const { server } = home
  const name = 'SPDY/3.1+portforward.k8s.io'
  const headers = {
    authorization: `Bearer ${server.token}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    'sec-websocket-protocol': name,
  }
  const sent = request(`${server.url}/api/v1/namespaces/default/pods/p/portforward`, { ca: server.ca, headers }).end()
  const [response, socket] = await once(sent, 'upgrade')
  expect(response.headers['sec-websocket-protocol']).toBe(name)
  socket.destroy()
})
