import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { closingLine } from '../closing-line.ts'
import { type AnyEvent, anyEvent, anyJob } from './arbitraries.ts'
import { type Seen, World } from './world.ts'

const RUNS = Number(process.env.TRAINYARD_RUNS ?? 2_000)
const SEED = Number(process.env.TRAINYARD_SEED ?? Math.floor(Math.random() * 2 ** 31))
const AT_LEAST = 0.05

const reached: Record<keyof Seen, number> = {
  restarts: 0,
  refusals: 0,
  pauses: 0,
  crashes: 0,
  losses: 0,
  vanishedAfterEnd: 0,
}
let runs = 0

function befall(world: World, event: AnyEvent): void {
  const pods = world.pods()
  const pod = pods[event.on % Math.max(1, pods.length)]
  switch (event.do) {
    case 'pass':
      world.pass()
      break
    case 'crash':
      world.pass(event.at, event.done)
      break
    case 'deliver':
      world.deliver(event.count, event.onlyPods)
      break
    case 'repeat':
      world.repeat(event.on)
      break
    case 'progress':
      for (const each of pods) world.schedule(each)
      for (const each of world.pods()) world.start(each)
      break
    case 'exit':
      if (pod) world.exit(pod, event.code)
      break
    case 'evict':
    case 'loseNode':
    case 'remove':
      if (pod) world[event.do as 'evict'](pod)
      break
    case 'pause':
    case 'resume':
      world.setPaused(event.do === 'pause')
      break
    case 'wait':
      world.api.now += event.seconds * 1000
      break
  }
}

/** Looks until nothing more is to be done at this instant. */
function settle(world: World): void {
  for (let i = 0; i < 60; i++) {
    world.deliverAll()
    const decision = world.pass()
    if (!decision || (!decision.changed && decision.actions.length === 0)) return
    // A status that is not urgent is written in its own time.
    if (decision.changed && !decision.urgent) world.api.now = Math.max(world.api.now, world.wakeAt ?? 0)
  }
  throw new Error('the controller does not come to rest')
}

/** From here on all goes well: every pod runs and ends with 0. */
function goWell(world: World): void {
  world.setPaused(false)
  for (let round = 0; round < 60 && world.api.job && !world.finished; round++) {
    settle(world)
    if (!world.finished) expectAReasonToWait(world)
    for (const pod of world.pods()) world.schedule(pod)
    settle(world)
    for (const pod of world.pods()) world.start(pod)
    settle(world)
    world.api.now += 1000
    for (const pod of world.pods()) world.exit(pod, 0)
    settle(world)
    world.api.now = Math.max(world.api.now + 1000, world.wakeAt ?? 0)
  }
  settle(world)
}

function expectAReasonToWait(world: World): void {
  const paused = world.record.phase === 'Paused'
  const alive = world.pods().some(({ status }) => status?.phase === 'Pending' || status?.phase === 'Running')
  expect(paused || alive || world.wakeAt !== undefined, `waits for nothing: ${JSON.stringify(world.record)}`).toBe(true)
}

test('nothing is lost, nothing is done twice, and every job ends', () => {
  fc.assert(
    fc.property(
      anyJob,
      fc.array(anyEvent, { minLength: 15, maxLength: 80 }),
      fc.array(anyEvent, { maxLength: 12 }),
      (job, events, after) => {
        const world = new World(job)
        for (const event of events) befall(world, event)
        goWell(world)
        const ended = world.record.phase
        for (const event of after) befall(world, event)
        settle(world)
        expect(world.record.phase).toBe(ended)
        runs++
        for (const key of Object.keys(reached) as Array<keyof Seen>) if (world.seen[key] > 0) reached[key]++
        expect(world.violations).toEqual([])
        expect(world.finished, `not finished: ${JSON.stringify(world.record)}`).toBe(true)
      },
    ),
    { numRuns: RUNS, seed: SEED, verbose: 1 },
  )
}, 3_600_000)

test('deciding again in an unchanged world changes nothing', () => {
  fc.assert(
    fc.property(anyJob, fc.array(anyEvent, { maxLength: 25 }), (job, events) => {
      const world = new World(job)
      for (const event of events) befall(world, event)
      settle(world)
      const again = world.pass()
      expect(again?.changed).toBe(false)
      expect(again?.actions).toEqual([])
      expect(again?.reasons).toEqual([])
    }),
    { numRuns: Math.ceil(RUNS / 4), seed: SEED },
  )
}, 3_600_000)

test.each(Object.keys(reached) as Array<keyof Seen>)('the runs reach: %s', (what) => {
  expect(reached[what] / runs).toBeGreaterThanOrEqual(AT_LEAST)
})

afterAll(() => {
  const shares = Object.entries(reached).map(([what, n]) => `${what} ${Math.round((100 * n) / Math.max(1, runs))} %`)
  closingLine(`properties: ${runs} runs, seed ${SEED}; ${shares.join(', ')}`)
})
