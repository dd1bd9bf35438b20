import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PortBook } from '../../src/kubelet/peers/port-book.ts'
import { portsInUse } from '../../src/kubelet/peers/port-hold.ts'

let directory: string
const open: Array<{ close(): unknown }> = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ports-'))
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  rmSync(directory, { recursive: true })
})

function openBook(at = directory) {
  const book = new PortBook(at)
  open.push(book)
  return book
}

const errorOf = (port: number) =>
  new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve('connected'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!))
  })

const listenOn = (port: number) =>
  new Promise<string>((resolve) => {
    const server: Server = createServer()
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!))
    server.listen(port, '0.0.0.0', () => server.close(() => resolve('listened')))
  })

test('fifty jobs with the same ports never share one, in two homes neither', async () => {
  const other = mkdtempSync(join(tmpdir(), 'ports-'))
  const books = [openBook(), openBook(other)]
  const wanted = ['master-0', 'worker-0', 'worker-1'].map((peer) => ({ peer, port: 2222 }))
  await Promise.all(Array.from({ length: 50 }, (_, i) => books[i % 2]!.allot(`job-${i}`, wanted)))
  const ports = Array.from({ length: 50 }, (_, i) =>
    wanted.map(({ peer, port }) => books[i % 2]!.portOf(`job-${i}`, peer, port)),
  )
  expect(new Set(ports.flat()).size).toBe(150)
  rmSync(other, { recursive: true })
})

test('a held port is in use, refuses connections, and is free at once when released', async () => {
  const book = openBook()
  await book.allot('job', [{ peer: 'worker-0', port: 2222 }])
  const port = book.portOf('job', 'worker-0', 2222)!
  expect(portsInUse().has(port)).toBe(true)
  expect(await errorOf(port)).toBe('ECONNREFUSED')
  await book.release('job', 'worker-0')
  expect(portsInUse().has(port)).toBe(false)
  expect(await listenOn(port)).toBe('listened')
})

test('the ports of a job stay the same in the next home, until the job is forgotten', async () => {
  const first = openBook()
  await first.allot('job', [{ peer: 'worker-0', port: 2222 }])
  const port = first.portOf('job', 'worker-0', 2222)
  await first.close()
  const second = openBook()
  await second.allot('job', [
    { peer: 'worker-0', port: 2222 },
    { peer: 'worker-1', port: 2222 },
  ])
  expect(second.portOf('job', 'worker-0', 2222)).toBe(port)
  expect(second.portOf('job', 'worker-1', 2222)).not.toBe(port)
  await second.forget('job')
  expect(openBook().portOf('job', 'worker-0', 2222)).toBeUndefined()
})
