import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { KubeClient } from '../../src/kube/client.ts'
import { Informer, type InformerOptions } from '../../src/kube/informer.ts'
import { type KubeObject, PODS } from '../../src/kube/resource.ts'
import {
  type Asked,
  answer,
  type FaultyServer,
  line,
  pod,
  podList,
  refuse,
  startFaultyServer,
  until,
} from './faulty-server.ts'

const open: Array<{ close(): Promise<void> }> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()))
})

interface Play {
  lists?: Array<(response: ServerResponse, asked: Asked) => void>
  watches?: Array<(response: ServerResponse, asked: Asked) => void>
}

/** Plays lists and watches in turn; the last one of each is repeated. */
async function follow(play: Play, options: Partial<InformerOptions<KubeObject>> = {}) {
  let lists = 0
  let watches = 0
  const server = await startFaultyServer((response, asked) => {
    const turns = asked.query.has('watch') ? play.watches! : play.lists!
    const turn = asked.query.has('watch') ? watches++ : lists++
    turns[Math.min(turn, turns.length - 1)]!(response, asked)
  })
  const client = new KubeClient(server.connection, { timeout: 2_000 })
  const errors: unknown[] = []
  const informer = new Informer<KubeObject>({
    client,
    resource: PODS,
    backoff: { first: 5, most: 20 },
    absence: { first: 5, most: 20 },
    onError: (error) => errors.push(error),
    ...options,
  })
  const stop = new AbortController()
  const running = informer.run(stop.signal)
  open.push({
    async close() {
      stop.abort()
      await running
      await client.close()
      await server.close()
    },
  })
  return {
    informer,
    server,
    errors,
    names: () =>
      informer.cache
        .list()
        .map((item) => item.metadata.name)
        .sort(),
  }
}

const watchesOf = (server: FaultyServer) => server.asked.filter((asked) => asked.query.has('watch'))
const listsOf = (server: FaultyServer) => server.asked.filter((asked) => !asked.query.has('watch'))

/** A watch that says these lines and stays open. */
const says =
  (...lines: string[]) =>
  (response: ServerResponse) => {
    response.writeHead(200).write(lines.join(''))
    response.flushHeaders()
  }

test('a list in pages, then the changes', async () => {
  const page = (next: string | undefined, name: string) => (response: ServerResponse) =>
    answer(response, 200, { metadata: { resourceVersion: '10', continue: next }, items: [pod(name, 5)] })
  const { informer, server, names } = await follow({
    lists: [page('t1', 'a'), page('t2', 'b'), page(undefined, 'c')],
    watches: [says(line('ADDED', pod('d', 11)), line('DELETED', pod('a', 12)))],
  })
  await informer.synced
  await until(() => names().join() === 'b,c,d', 'a is gone and d is there')
  expect(listsOf(server).map((asked) => asked.query.get('continue'))).toEqual([null, 't1', 't2'])
  expect(watchesOf(server)[0]?.query.get('resourceVersion')).toBe('10')
  expect(watchesOf(server)[0]?.query.get('allowWatchBookmarks')).toBe('true')
})

test('a list that expires between two pages is fetched in one go', async () => {
  const { server, names } = await follow({
    lists: [
      (response) =>
        answer(response, 200, { metadata: { resourceVersion: '1', continue: 't' }, items: [pod('old', 1)] }),
      (response) => refuse(response, 410, 'Expired'),
      (response) => answer(response, 200, podList(9, pod('a', 8))),
    ],
    watches: [says()],
  })
  await until(() => names().join() === 'a', 'the list is in')
  expect(listsOf(server)[2]?.query.get('limit')).toBeNull()
})

test.each([
  ['a dropped socket', (response: ServerResponse) => void response.destroy()],
  ['a 500', (response: ServerResponse) => refuse(response, 500, 'InternalError')],
  ['a body cut in the middle', (response: ServerResponse) => void response.writeHead(200).end('{"items":[')],
])('a list that meets %s is tried again', async (_, fault) => {
  const { errors, names } = await follow({
    lists: [fault, fault, fault, (response) => answer(response, 200, podList(9, pod('a', 8)))],
    watches: [says()],
  })
  await until(() => names().join() === 'a', 'the list is in')
  expect(errors).toHaveLength(3)
})

test.each([
  ['a dropped socket', (response: ServerResponse) => void response.destroy()],
  [
    'half an event',
    (response: ServerResponse) => {
      response.write('{"type":"ADDED","obj')
      setImmediate(() => response.destroy())
    },
  ],
  ['an end in good order', (response: ServerResponse) => void response.end()],
  ['an error event', (response: ServerResponse) => void response.end(line('ERROR', { kind: 'Status', code: 500 }))],
  ['a line that is no JSON', (response: ServerResponse) => void response.end('what?\n')],
  ['silence', () => {}],
])('a watch that ends by %s goes on from where it stood, without a new list', async (_, fault) => {
  const { server, names } = await follow(
    {
      lists: [(response) => answer(response, 200, podList(9, pod('a', 8)))],
      watches: [
        (response) => {
          response.writeHead(200).write(line('MODIFIED', pod('a', 10)) + line('BOOKMARK', pod('', 15)))
          setTimeout(() => fault(response), 20)
        },
        says(line('ADDED', pod('b', 16))),
      ],
    },
    { silence: 300 },
  )
  await until(() => names().join() === 'a,b', 'b is there')
  expect(watchesOf(server)[1]?.query.get('resourceVersion')).toBe('15')
  expect(listsOf(server)).toHaveLength(1)
})

test.each([
  ['as an answer', (response: ServerResponse) => refuse(response, 410, 'Expired')],
  [
    'as an event',
    (response: ServerResponse) => void response.writeHead(200).end(line('ERROR', { kind: 'Status', code: 410 })),
  ],
])('410 %s means a new list, and what it lacks is gone', async (_, expired) => {
  const { server, names, errors } = await follow({
    lists: [
      (response) => answer(response, 200, podList(9, pod('a', 8), pod('b', 8))),
      (response) => answer(response, 200, podList(20, pod('b', 8), pod('c', 19))),
    ],
    watches: [expired, says()],
  })
  await until(() => names().join() === 'b,c', 'the new list is in')
  expect(listsOf(server)).toHaveLength(2)
  expect(errors).toEqual([])
})

test('a server that ends every watch at once is not asked in a tight loop', async () => {
  const { server } = await follow({
    lists: [(response) => answer(response, 200, podList(9))],
    watches: [(response) => void response.writeHead(200).end()],
  })
  await until(() => watchesOf(server).length >= 3, 'it has been asked a few times')
  const before = watchesOf(server).length
  await new Promise((resolve) => setTimeout(resolve, 200))
  // 20 ms at most, shortened by up to half.
  expect(watchesOf(server).length - before).toBeLessThanOrEqual(21)
})

test('a resource that is not installed is no error, and is found when it comes', async () => {
  const { informer, errors, names } = await follow({
    lists: [
      (response) => refuse(response, 404, 'NotFound'),
      (response) => refuse(response, 404, 'NotFound'),
      (response) => answer(response, 200, podList(9, pod('a', 8))),
    ],
    watches: [says()],
  })
  await informer.synced
  expect(informer.installed).toBe(false)
  await until(() => informer.installed, 'it is installed')
  expect(names()).toEqual(['a'])
  expect(errors).toEqual([])
})

test('a resource that goes away takes its objects with it', async () => {
  const { informer, names } = await follow({
    lists: [
      (response) => answer(response, 200, podList(9, pod('a', 8))),
      (response) => refuse(response, 404, 'NotFound'),
    ],
    watches: [(response) => refuse(response, 404, 'NotFound')],
  })
  await until(() => !informer.installed && names().length === 0, 'everything is forgotten')
})

test('recheck does not wait for the next look', async () => {
  let installed = false
  const { informer } = await follow(
    {
      lists: [(response) => (installed ? answer(response, 200, podList(9)) : refuse(response, 404, 'NotFound'))],
      watches: [says()],
    },
    { absence: { first: 3_600_000, most: 3_600_000 } },
  )
  await informer.synced
  installed = true
  await informer.recheck()
  expect(informer.installed).toBe(true)
})

test('a watch that speaks often enough is left alone', async () => {
  const { server, informer } = await follow(
    {
      lists: [(response) => answer(response, 200, podList(9))],
      watches: [
        (response) => {
          response.writeHead(200)
          let version = 10
          const timer = setInterval(() => response.write(line('BOOKMARK', pod('', version++))), 50)
          response.on('close', () => clearInterval(timer))
          setTimeout(() => response.write(line('ADDED', pod('last', 1_000))), 900)
        },
      ],
    },
    { silence: 400 },
  )
  await until(() => informer.cache.size === 1, 'the late event is in')
  expect(watchesOf(server)).toHaveLength(1)
})
