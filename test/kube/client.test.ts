import { afterEach, describe, expect, test } from 'vitest'
import { KubeClient } from '../../src/kube/client.ts'
import { ApiError, ConnectionError, isAlreadyExists, isConflict } from '../../src/kube/errors.ts'
import { PODS } from '../../src/kube/resource.ts'
import type { TransportOptions } from '../../src/kube/transport.ts'
import {
  answer,
  type FaultyServer,
  line,
  pod,
  podList,
  type Reply,
  refuse,
  startFaultyServer,
} from './faulty-server.ts'

const open: Array<{ close(): Promise<void> }> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()))
})

type Way = 'over TLS' | 'over a socket'

async function serveOver(
  way: Way,
  reply: Reply,
  options: TransportOptions = {},
): Promise<{ client: KubeClient; server: FaultyServer }> {
  const server = await startFaultyServer(reply)
  if (way === 'over a socket') server.connection = { ...server.connection, socket: server.socket, tls: {} }
  const client = new KubeClient(server.connection, options)
  open.push(client, server)
  return { client, server }
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('should have failed'),
    (error) => error,
  )
}

const at = { namespace: 'default', name: 'p' }

test('nobody listening, and a certificate of somebody else, are told apart', async () => {
  const { server } = await serveOver('over TLS', (response) => answer(response, 200, pod('p', 1)))
  const stranger = new KubeClient({ ...server.connection, tls: {} })
  const nobody = new KubeClient({ ...server.connection, server: 'https://127.0.0.1:1' })
  open.push(stranger, nobody)
  expect(await failureOf(stranger.get(PODS, at))).toMatchObject({ problem: 'untrusted' })
  const error = await failureOf(nobody.get(PODS, at))
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toMatchObject({ problem: 'unreachable', message: 'https://127.0.0.1:1: nothing listens there' })
})

test('a socket that is gone is one at which nobody listens', async () => {
  const { server } = await serveOver('over a socket', (response) => answer(response, 200, pod('p', 1)))
  await server.close()
  for (const socket of [server.connection.socket!, '/nowhere/api.sock']) {
    const client = new KubeClient({ ...server.connection, socket })
    open.push(client)
    expect(await failureOf(client.get(PODS, at))).toMatchObject({ name: 'ConnectionError', problem: 'unreachable' })
  }
})

describe.each<Way>(['over TLS', 'over a socket'])('%s', (way) => {
  const serve = (reply: Reply, options?: TransportOptions) => serveOver(way, reply, options)

  test('a refusal is an ApiError with code, reason and message', async () => {
    const { client } = await serve((response) => refuse(response, 404, 'NotFound'))
    const error = await failureOf(client.get(PODS, at))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 404, reason: 'NotFound', message: 'NotFound for a test' })
  })

  test('a page of some proxy is still an ApiError', async () => {
    const { client } = await serve((response) => void response.writeHead(502).end('<html>bad gateway'))
    expect(await failureOf(client.get(PODS, at))).toMatchObject({
      name: 'ApiError',
      code: 502,
      message: '<html>bad gateway',
    })
  })

  test('AlreadyExists is no conflict of versions', async () => {
    const { client } = await serve((response, { method }) =>
      refuse(response, 409, method === 'POST' ? 'AlreadyExists' : 'Conflict'),
    )
    const created = await failureOf(client.create(PODS, pod('p', 1)))
    const updated = await failureOf(client.update(PODS, pod('p', 1)))
    expect([isAlreadyExists(created), isConflict(created)]).toEqual([true, false])
    expect([isAlreadyExists(updated), isConflict(updated)]).toEqual([false, true])
  })

  test('429 is waited out as long as the server says, for writes too', async () => {
    let refusals = 2
    const { client, server } = await serve((response) => {
      if (refusals-- > 0) refuse(response, 429, 'TooManyRequests', { 'retry-after': '0' })
      else answer(response, 201, pod('p', 7))
    })
    expect((await client.create(PODS, pod('p', 0))).metadata.resourceVersion).toBe('7')
    expect(server.asked).toHaveLength(3)
  })

  test('a wait for a busy server ends when the caller gives up', async () => {
    const { client } = await serve((response) => refuse(response, 429, 'TooManyRequests', { 'retry-after': '3600' }))
    const giveUp = new AbortController()
    const waiting = failureOf(client.get(PODS, at, giveUp.signal))
    giveUp.abort(new Error('enough'))
    expect(await waiting).toMatchObject({ message: 'enough' })
  })

  test('a write that met a plain 500 is not sent again', async () => {
    const { client, server } = await serve((response) => refuse(response, 500, 'InternalError'))
    expect(await failureOf(client.create(PODS, pod('p', 0)))).toMatchObject({ code: 500 })
    expect(server.asked).toHaveLength(1)
  })

  test.each([
    ['a dropped socket', (response: Parameters<Reply>[0]) => void response.destroy(), 'cut'],
    [
      'a body cut in the middle',
      (response: Parameters<Reply>[0]) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"kind":')
        setImmediate(() => response.destroy())
      },
      'cut',
    ],
    [
      'an answer that is no JSON',
      (response: Parameters<Reply>[0]) => void response.writeHead(200).end('hello'),
      'garbled',
    ],
    ['no answer', () => {}, 'silent'],
  ])('%s is a ConnectionError', async (_, reply, problem) => {
    const { client } = await serve(reply, { timeout: 1_000 })
    expect(await failureOf(client.get(PODS, at))).toMatchObject({ name: 'ConnectionError', problem })
  })

  test('a refused token is asked for anew, once', async () => {
    const { server } = await serve((response, { headers }) => {
      if (headers.authorization === 'Bearer new') answer(response, 200, pod('p', 1))
      else refuse(response, 401, 'Unauthorized')
    })
    let token = 'old'
    const client = new KubeClient({
      ...server.connection,
      token: {
        get: () => token,
        forget() {
          token = 'new'
        },
      },
    })
    open.push(client)
    expect((await client.get(PODS, at)).metadata.name).toBe('p')
  })

  test('warnings of the server are passed on, unquoted', async () => {
    const warnings: string[] = []
    const warning = '299 - "unknown field \\"spec.x\\"", 299 - "second"'
    const { client } = await serve((response) => answer(response, 201, pod('p', 1), { warning }), {
      onWarning: (text) => warnings.push(text),
    })
    await client.create(PODS, pod('p', 0))
    expect(warnings).toEqual(['unknown field "spec.x"', 'second'])
  })

  test.each([
    ['Status', { kind: 'Status', status: 'Success' }, true],
    [
      'an object in its grace period',
      { ...pod('p', 2), metadata: { deletionTimestamp: 'x', deletionGracePeriodSeconds: 30 } },
      false,
    ],
    [
      'an object held by a finalizer',
      { ...pod('p', 2), metadata: { deletionTimestamp: 'x', finalizers: ['f'] } },
      false,
    ],
    [
      'an object without grace',
      { ...pod('p', 2), metadata: { deletionTimestamp: 'x', deletionGracePeriodSeconds: 0 } },
      true,
    ],
  ])('a delete answered by %s: gone is %s', async (_, body, gone) => {
    const { client, server } = await serve((response) => answer(response, 200, body))
    expect((await client.delete(PODS, at, { uid: 'u', gracePeriodSeconds: 0 })).gone).toBe(gone)
    expect(server.asked[0]?.body).toMatchObject({ preconditions: { uid: 'u' }, gracePeriodSeconds: 0 })
  })

  test('items of a list know what they are', async () => {
    const { kind: _, apiVersion: __, ...bare } = pod('p', 1)
    const { client } = await serve((response) => answer(response, 200, podList(5, bare)))
    const list = await client.list(PODS, { namespace: 'default', labelSelector: 'a=b', limit: 3 })
    expect(list).toMatchObject({ resourceVersion: '5', items: [{ apiVersion: 'v1', kind: 'Pod' }] })
  })

  test('a watch hands out whole events and says where it was cut', async () => {
    const { client } = await serve((response) => {
      response.writeHead(200)
      const text = line('ADDED', pod('ä', 1)) + line('MODIFIED', pod('ä', 2))
      const bytes = Buffer.from(text)
      const half = text.indexOf('ä') + 1
      response.write(bytes.subarray(0, half))
      setImmediate(() => {
        response.write(bytes.subarray(half, bytes.length - 10))
        setImmediate(() => response.end())
      })
    })
    const seen: string[] = []
    const watching = (async () => {
      for await (const event of client.watch(PODS)) seen.push(`${event.type} ${event.object.metadata.name}`)
    })()
    expect(await failureOf(watching)).toMatchObject({ problem: 'cut' })
    expect(seen).toEqual(['ADDED ä'])
  })

  test('a watch that stops being read leaves no connection behind', async () => {
    let closed = false
    const { client } = await serve((response) => {
      response.on('close', () => {
        closed = true
      })
      response.writeHead(200).write(line('ADDED', pod('p', 1)))
    })
    for await (const _ of client.watch(PODS)) break
    await expect.poll(() => closed).toBe(true)
  })

  test('at most so many requests are on the way at once', async () => {
    let now = 0
    let most = 0
    const { client } = await serve(
      (response) => {
        most = Math.max(most, ++now)
        setTimeout(() => {
          now--
          answer(response, 200, pod('p', 1))
        }, 5)
      },
      { concurrency: 3 },
    )
    await Promise.all(Array.from({ length: 20 }, () => client.get(PODS, at)))
    expect(most).toBe(3)
  })

  test('logs come as the bytes they are, and a follower can leave at any time', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 200])
    let closed = false
    const { client, server } = await serve((response) => {
      response.on('close', () => {
        closed = true
      })
      response.writeHead(200, { 'content-type': 'text/plain' }).write(bytes)
    })
    const stop = new AbortController()
    const seen: Uint8Array[] = []
    const following = (async () => {
      for await (const chunk of client.logs(at, { container: 'c', follow: true, tailLines: 5, signal: stop.signal })) {
        seen.push(chunk)
        stop.abort(new Error('enough'))
      }
    })()
    expect(await failureOf(following)).toMatchObject({ message: 'enough' })
    expect(Buffer.concat(seen)).toEqual(bytes)
    expect(server.asked[0]?.path).toBe('/api/v1/namespaces/default/pods/p/log')
    expect(Object.fromEntries(server.asked[0]!.query)).toEqual({ container: 'c', follow: 'true', tailLines: '5' })
    await expect.poll(() => closed).toBe(true)
  })

  test('who gives up before the connections are there asks nobody', async () => {
    const { client, server } = await serve((response) => answer(response, 200, pod('p', 1)))
    const giveUp = new AbortController()
    const waiting = failureOf(client.get(PODS, at, giveUp.signal))
    giveUp.abort(new Error('enough'))
    expect(await waiting).toMatchObject({ message: 'enough' })
    expect(server.asked).toEqual([])
  })

  test('a server waits for a reader who takes his time', async () => {
    const chunk = Buffer.alloc(2 ** 20, 'x')
    let left = 64
    let waits = false
    const { client } = await serve(async (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      while (left > 0) {
        left--
        waits = !response.write(chunk)
        if (waits) await new Promise<void>((resolve) => response.once('drain', resolve))
      }
      response.end()
    })
    /** Nothing has moved while the event loop came round many times. */
    const stalled = async (): Promise<boolean> => {
      const before = left
      for (let round = 0; round < 500; round++) {
        await new Promise((resolve) => setImmediate(resolve))
        if (left !== before) return false
      }
      return waits
    }
    let bytes = 0
    for await (const piece of client.logs(at, { container: 'c' })) {
      if (bytes === 0) while (left > 0 && !(await stalled()));
      if (bytes === 0) expect(left).toBeGreaterThan(0)
      bytes += piece.length
    }
    expect(bytes).toBe(64 * chunk.length)
  })

  test('a body goes whole with every method, and the next request on the connection is a request', async () => {
    const { client, server } = await serve((response) => answer(response, 200, pod('p', 1)), { concurrency: 1 })
    await client.create(PODS, pod('é', 1), {})
    await client.delete(PODS, at, { uid: 'u' })
    await client.get(PODS, at)
    expect(server.asked.map(({ method, body }) => [method, body === undefined])).toEqual([
      ['POST', false],
      ['DELETE', false],
      ['GET', true],
    ])
  })

  test('a client that was closed asks nobody any more', async () => {
    const { client, server } = await serve((response) => answer(response, 200, pod('p', 1)))
    await client.get(PODS, at)
    await client.close()
    expect(await failureOf(client.get(PODS, at))).toBeInstanceOf(ConnectionError)
    expect(server.asked).toHaveLength(1)
  })
})
