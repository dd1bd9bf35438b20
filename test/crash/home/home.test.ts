// The home killed at random moments of the start, run, exit and restart of jobs, and of its own start.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isFinished, resourceOf } from '../../../src/cli/home/running-jobs.ts'
import { PODS } from '../../../src/kube/index.ts'
import { closingLine } from '../../closing-line.ts'
import { Director } from './director.ts'
import { MOST_ATTEMPTS, type PlannedJob, planJobs } from './jobs.ts'
import { judgeJob } from './judge-round.ts'
import { KillableHome } from './killable-home.ts'
import { Ledger } from './ledger.ts'
import { isAlive, markedProcesses } from './marked-processes.ts'

const ROUNDS = Number(process.env.TRAINYARD_ROUNDS ?? 25)
const SEED = Number(process.env.TRAINYARD_SEED ?? Math.floor(Math.random() * 2 ** 31))
const MOMENTS = ['start', 'run', 'exit', 'restart', 'boot'] as const
/** For a machine that is busy with much else. */
const PATIENCE = 300_000

const MARK = `crash-${randomUUID()}`

const figures = { kills: 0, attempts: 0, endedAlone: 0 }
const until = (state: () => unknown) => vi.waitFor(state, { timeout: PATIENCE, interval: 10 })

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-crash-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

function homeIn(dir: string): KillableHome {
  const home = new KillableHome(join(dir, 'home'))
  onTestFinished(() => home.close())
  return home
}

const begun = performance.now()
function tell(line: string): void {
  console.log(`${((performance.now() - begun) / 1000).toFixed(1)} s  ${line}`)
}

test(
  `${ROUNDS} kills: every program runs once, and its end is told as it was (seed ${SEED})`,
  async () => {
    const dir = scratch()
    onTestFinished(() => {
      for (const pid of markedProcesses(MARK)) process.kill(pid, 'SIGKILL')
    })
    const home = homeIn(dir)
    const random = randomFrom(SEED)
    await home.start()
    for (let round = 1; round <= ROUNDS; round++) await playRound(home, dir, round, random)
    await until(() => expect(readdirSync(join(home.dir, 'pods'))).toEqual([]))
    closingLine(
      `test:crash home: ${figures.kills} kills in ${ROUNDS} rounds of 3 jobs, ${figures.attempts} attempts, ` +
        `each ran once, ${figures.endedAlone} ended while no home ran, no orphan, logs byte-exact`,
    )
  },
  PATIENCE + ROUNDS * 60_000,
)

async function playRound(home: KillableHome, dir: string, round: number, random: () => number): Promise<void> {
  const moment = MOMENTS[round % MOMENTS.length]!
  const mark = `${MARK}-${round}.`
  const ledger = new Ledger(join(dir, `ledger-${round}`))
  mkdirSync(ledger.dir)
  const jobs = planJobs(round, ledger, mark, random)
  const keys = jobs.flatMap(({ replicas }) => replicas.map(({ key }) => key))
  ledger.prepare(keys, MOST_ATTEMPTS)
  const director = new Director(ledger, jobs, random)
  director.holding = moment === 'run' || moment === 'exit' || moment === 'boot'
  director.start()
  try {
    await Promise.all(jobs.map(({ job }) => home.client.create(resourceOf(job), job)))
    await killAt(moment, home, director, keys, ledger, random)
    director.holding = false
    await judgeRound(home, jobs, ledger, mark)
    if (round % 5 === 0) tell(`${round} of ${ROUNDS} rounds, ${figures.kills} kills`)
  } catch (error) {
    const where = `round ${round}, killed at ${moment}, seed ${SEED}`
    throw new Error(`${where}; ${home.describe()}`, { cause: error })
  } finally {
    await director.stop()
    ledger.close()
  }
}

/** Kills the home at such a moment, and has it running again. */
async function killAt(
  moment: (typeof MOMENTS)[number],
  home: KillableHome,
  director: Director,
  keys: readonly string[],
  ledger: Ledger,
  random: () => number,
): Promise<void> {
  const pids = () => keys.flatMap((key) => ledger.livesOf(key).map(({ pid }) => pid))
  if (moment === 'restart') await until(() => expect(director.counts.ended).toBeGreaterThan(0))
  else if (moment !== 'start') await until(() => expect(director.counts.started).toBe(keys.length))
  await delay(random() * { start: 400, run: 100, exit: 100, restart: 150, boot: 50 }[moment])
  await home.kill()
  figures.kills++
  const before = director.counts.ended
  if (moment === 'exit') {
    // Everybody who was told to end does so while there is nobody to see it.
    director.holding = false
    const ending = new Set(pids())
    await until(() => expect(director.counts.ended).toBeGreaterThan(before))
    await delay(random() * 200)
    director.holding = true
    for (const key of keys) {
      for (const { pid, ending: told } of ledger.livesOf(key)) {
        if (told && ending.has(pid)) await until(() => expect(isAlive(pid)).toBe(false))
      }
    }
  } else await delay(random() * 150)
  figures.endedAlone += director.counts.ended - before
  if (moment === 'run') {
    const running = pids()
    await home.start()
    // They are the same programs as before, and the home looks after them again.
    expect(pids()).toEqual(running)
    expect(running.filter((pid) => !isAlive(pid))).toEqual([])
    return
  }
  for (let again = moment === 'boot' ? 2 : 0; again > 0; again--) {
    home.launch()
    await delay(random() * 1000)
    await home.kill()
    figures.kills++
  }
  await home.start()
}

async function judgeRound(home: KillableHome, jobs: PlannedJob[], ledger: Ledger, mark: string): Promise<void> {
  const { client } = home
  const at = ({ job }: PlannedJob) => ({ namespace: 'default', name: job.metadata.name ?? '' })
  for (const planned of jobs) {
    const resource = resourceOf(planned.job)
    await until(async () => expect(isFinished(await client.get(resource, at(planned)))).toBe(true))
    // Those who do not decide may end after the job, and be told of later.
    await until(async () => {
      const job = await client.get(resource, at(planned))
      const { items } = await client.list(PODS, { labelSelector: `trainyard.dev/job-uid=${job.metadata.uid}` })
      expect(judgeJob(planned, job, items, ledger)).toEqual([])
    })
    figures.attempts += planned.replicas.reduce((sum, { key }) => sum + ledger.livesOf(key).length, 0)
  }
  expect(markedProcesses(mark)).toEqual([])
  await Promise.all(jobs.map((planned) => client.delete(resourceOf(planned.job), at(planned))))
  await until(async () => expect((await client.list(PODS)).items).toEqual([]))
}

/** Written in pieces, so that the home is gone for some of them. */
const CHATTER = `
for i in 1 2 3 4 5 6 7 8 9 10; do head -c 5242880 /dev/urandom | tee -a "$COPY"; sleep 0.2; done
`

test('fifty megabytes of random bytes of each replica are kept as they were written', async () => {
  const dir = scratch()
  const home = homeIn(dir)
  await home.start()
  const names = ['a', 'b', 'c']
  const copyOf = (name: string) => join(dir, `${name}.copy`)
  for (const name of names) {
    const env = [{ name: 'COPY', value: copyOf(name) }]
    const template = { spec: { containers: [{ name: 'c', image: 'i', command: ['sh', '-c', CHATTER], env }] } }
    const rules = { successRules: [{ worker: ['0'] }], failureRules: [{ worker: ['0'] }] }
    const job = {
      apiVersion: 'batch.tensorstack.dev/v1beta1',
      kind: 'GenericJob',
      metadata: { name, namespace: 'default' },
      spec: { ...rules, replicaSpecs: [{ type: 'worker', template }] },
    }
    await home.client.create(resourceOf(job as never), job as never)
  }
  for (let kills = 0; kills < 3; kills++) {
    await delay(200 + Math.random() * 500)
    await home.kill()
    await delay(Math.random() * 300)
    await home.start()
  }
  const resource = resourceOf({ kind: 'GenericJob' } as never)
  for (const name of names) {
    const at = { namespace: 'default', name }
    await until(async () => expect(isFinished(await home.client.get(resource, at))).toBe(true))
  }
  const { items } = await home.client.list(PODS)
  expect(items).toHaveLength(3)
  for (const { metadata } of items) {
    const name = metadata.name![0]!
    const [kept, copy] = [createHash('sha256'), createHash('sha256')]
    let bytes = 0
    for await (const chunk of home.client.logs({ namespace: 'default', name: metadata.name! }, {})) {
      kept.update(chunk)
      bytes += chunk.length
    }
    for await (const chunk of createReadStream(copyOf(name))) copy.update(chunk)
    expect([bytes, kept.digest('hex')]).toEqual([52_428_800, copy.digest('hex')])
  }
}, 300_000)

function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
