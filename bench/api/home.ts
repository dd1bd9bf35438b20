// The whole home as it is packed: server, operator, scheduler and kubelet in one process.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { mustRun } from '../../scripts/run-program.ts'
import { unpackBuilt } from '../cold-start.ts'
import { ageMs, cpuMs, residentMb } from './subject.ts'

export interface HomeStart {
  /** From the start of its process until it is ready for work. */
  readyMs: number
  /** What `trainyard up` takes, which starts it and waits for it. */
  upMs: number
  /** CPU of the home until then: what others do to the machine does not count. */
  cpuMs: number
  idleMb: number
}

export interface HomeFigures {
  /** On a machine that never ran it: nothing is compiled yet. */
  first: HomeStart
  /** Each in a new data directory. */
  later: HomeStart[]
}

export async function measureHome(starts: number, quietMs: number): Promise<HomeFigures> {
  await mustRun(process.execPath, ['scripts/build.ts'])
  const installed = unpackBuilt()
  const cache = mkdtempSync(join(tmpdir(), 'trainyard-bench-cache-'))
  try {
    const start = (): Promise<HomeStart> => startOnce(join(installed, 'bin/trainyard.js'), cache, quietMs)
    const first = await start()
    const later: HomeStart[] = []
    for (let n = 0; n < starts; n++) later.push(await start())
    return { first, later }
  } finally {
    for (const dir of [installed, cache]) rmSync(dir, { recursive: true, force: true })
  }
}

async function startOnce(launcher: string, cache: string, quietMs: number): Promise<HomeStart> {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-bench-home-'))
  const env = { ...process.env, TRAINYARD_HOME: dir, TRAINYARD_CACHE: cache }
  const started = performance.now()
  await mustRun(process.execPath, [launcher, 'up'], { env })
  const upMs = performance.now() - started
  try {
    const file = join(dir, 'home.json')
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number }
    // The file is written when all of it is ready.
    const readyMs = statSync(file).mtimeMs - (Date.now() - ageMs(pid))
    const used = cpuMs([pid])
    await delay(quietMs)
    return { readyMs, upMs, cpuMs: used, idleMb: residentMb([pid]) }
  } finally {
    await mustRun(process.execPath, [launcher, 'down', '--force', '--purge'], { env })
  }
}
