// That the model of the README's first example is really shared.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readManifestText } from '../../src/cli/manifest/manifest.ts'

const STEPS = 240
const WEIGHTS = 650

let dir: string
let children: ChildProcess[]
let closing: (Server | Socket)[]

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trainyard-digits-'))
  const text = readFileSync(new URL('../../examples/digits/job.yaml', import.meta.url), 'utf8')
  const { manifests } = readManifestText('job.yaml', text)
  const { data } = manifests[0]!.object as unknown as { data: Record<string, string> }
  writeFileSync(join(dir, 'train.mjs'), data['train.mjs']!)
  children = []
  closing = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const each of closing) 'destroy' in each ? each.destroy() : each.close()
  rmSync(dir, { recursive: true, force: true })
})

interface Rank {
  child: ChildProcess
  lines: string[]
  ended: Promise<number | null>
}

/** One rank, in a directory of its own, as fast as it can. */
function startRank(rank: number, world: number, port: number): Rank {
  const cwd = join(dir, `world-${world}-rank-${rank}`)
  mkdirSync(cwd, { recursive: true })
  const env = {
    PATH: process.env.PATH,
    RANK: String(rank),
    WORLD_SIZE: String(world),
    MASTER_PORT: String(port),
    STEP_MS: '0',
  }
  const child = spawn(process.execPath, [join(dir, 'train.mjs')], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const lines: string[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line))
  return { child, lines, ended: new Promise((resolve) => child.on('close', resolve)) }
}

function modelOf(world: number): { step: number; weights: number[] } {
  return JSON.parse(readFileSync(join(dir, `world-${world}-rank-0`, 'model.json'), 'utf8'))
}

async function listen(server: Server): Promise<number> {
  closing.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Wire {
  port: number
  /** The gradients that rank 0 got over it. */
  sent: { rank: number; step: number; gradient: number[] }[]
  /** Lets no gradient of this rank through from a step on … */
  hold: (rank: number, step: number) => void
  /** … and then does, with those that have come meanwhile. */
  release: (rank: number) => void
}

/** Stands between the ranks and rank 0, and reads what goes over the sockets. */
async function tapWire(to: number): Promise<Wire> {
  const sent: Wire['sent'] = []
  const held = new Map<number, { step: number; waiting: (() => void)[] }>()
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    closing.push(near, far)
    for (const socket of [near, far]) socket.on('error', () => {})
    far.pipe(near)
    near.on('close', () => far.destroy())
    // Rank 0 may not listen yet: then the rank has to try again.
    far.on('close', () => near.end())
    let rank: number | undefined
    createInterface({ input: near }).on('line', (line) => {
      const message = JSON.parse(line)
      if (rank === undefined) {
        rank = Number(message.rank)
        far.write(`${line}\n`)
        return
      }
      const from = rank
      const pass = () => {
        sent.push({ rank: from, step: message.step, gradient: message.gradient })
        far.write(`${line}\n`)
      }
      const hold = held.get(from)
      if (hold && message.step >= hold.step) hold.waiting.push(pass)
      else pass()
    })
  })
  return {
    port: await listen(server),
    sent,
    hold: (rank, step) => held.set(rank, { step, waiting: [] }),
    release: (rank) => {
      const { waiting } = held.get(rank)!
      held.delete(rank)
      for (const pass of waiting) pass()
    },
  }
}

/** Four ranks that have all but rank 2 done their part of step 60. */
async function startHeldAt60(): Promise<{ ranks: Rank[]; wire: Wire; sentAt: (step: number) => number[] }> {
  const port = await freePort()
  const wire = await tapWire(port)
  wire.hold(2, 60)
  const ranks = [startRank(0, 4, port), ...[1, 2, 3].map((rank) => startRank(rank, 4, wire.port))]
  const sentAt = (step: number) => wire.sent.flatMap((message) => (message.step === step ? [message.rank] : [])).sort()
  await expect.poll(() => sentAt(60)).toEqual([1, 3])
  return { ranks, wire, sentAt }
}

test('four ranks come to the weights of one with the same batch, by gradients that cross sockets in every step', async () => {
  const alone = startRank(0, 1, await freePort())
  expect(await alone.ended).toBe(0)

  const port = await freePort()
  const wire = await tapWire(port)
  const ranks = [startRank(0, 4, port), ...[1, 2, 3].map((rank) => startRank(rank, 4, wire.port))]
  expect(await Promise.all(ranks.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])

  const [one, four] = [modelOf(1), modelOf(4)]
  expect(one.step).toBe(STEPS)
  expect(four.step).toBe(STEPS)
  expect(four.weights).toHaveLength(WEIGHTS)
  const apart = Math.max(...four.weights.map((weight, i) => Math.abs(weight - one.weights[i]!)))
  expect(apart).toBeLessThan(1e-6)
  expect(Math.max(...one.weights.map(Math.abs))).toBeGreaterThan(0.1)

  const every = Array.from({ length: STEPS }, (_, step) => step)
  for (const rank of [1, 2, 3]) {
    const own = wire.sent.filter((message) => message.rank === rank)
    expect(own.map(({ step }) => step)).toEqual(every)
    expect(own.every(({ gradient }) => gradient.length === WEIGHTS && gradient.some((value) => value !== 0))).toBe(true)
  }
  // No two ranks look at the same digits.
  expect(new Set(wire.sent.map(({ gradient }) => JSON.stringify(gradient))).size).toBe(3 * STEPS)
})

test('a stopped rank stops the others', async () => {
  const { ranks, wire, sentAt } = await startHeldAt60()
  ranks[2]!.child.kill('SIGSTOP')
  // Its last gradient brings the world to step 61, and there it stands.
  wire.release(2)
  await expect.poll(() => sentAt(61)).toEqual([1, 3])
  expect(sentAt(62)).toEqual([])
  expect(ranks.map(({ child }) => child.exitCode)).toEqual([null, null, null, null])
  ranks[2]!.child.kill('SIGCONT')
  expect(await Promise.all(ranks.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
  expect(wire.sent).toHaveLength(3 * STEPS)
})

test('a killed rank stops the others until it is there again', async () => {
  const { ranks, wire, sentAt } = await startHeldAt60()
  ranks[2]!.child.kill('SIGKILL')
  await expect.poll(() => ranks[0]!.lines.at(-1)).toBe('lost rank 2, waiting for it at step 60')
  expect(sentAt(61)).toEqual([])
  expect(existsSync(join(dir, 'world-4-rank-0', 'model.json'))).toBe(false)
  wire.release(2)
  const again = startRank(2, 4, wire.port)
  expect(await Promise.all([ranks[0]!, ranks[1]!, ranks[3]!, again].map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
  expect(again.lines[0]).toMatch(/^rank 2 joined .*, going on from step 60$/)
  expect(modelOf(4).step).toBe(STEPS)
})

function connectOnceThere(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const attempt = (): void => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(socket)).once('error', () => setTimeout(attempt, 20))
      closing.push(socket)
    }
    attempt()
  })
}

test('a connection that is reset is a lost rank, not the end of rank 0', async () => {
  const port = await freePort()
  const first = startRank(0, 2, port)
  const socket = await connectOnceThere(port)
  socket.write('{"rank":1,"step":0}\n')
  await new Promise((resolve) => socket.once('data', resolve))
  socket.resetAndDestroy()
  await expect.poll(() => first.lines.at(-1)).toBe('lost rank 1, waiting for it at step 0')
  const second = startRank(1, 2, port)
  expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0])
})
