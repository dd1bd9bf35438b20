// Starts the home as a process of its own, and waits until it answers.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { flagsOf, type HomePlan } from './home-plan.ts'
import { findHome, type HomeState, logFile } from './home-state.ts'
import { makeDirectory } from './make-directory.ts'

/** How to start ourselves again: the Node that runs us and the launcher. */
export type Launcher = readonly [command: string, ...args: string[]]

export class HomeError extends Error {
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.name = 'HomeError'
    this.hint = hint
  }
}

const PATIENCE = 60_000
const PACE = 25

export interface Started {
  state: HomeState
  /** How long it took; undefined if it was running already. */
  took?: number
}

export async function ensureHome(
  dir: string,
  launcher: Launcher,
  onWaiting: () => void = () => {},
  port?: number,
  plan?: HomePlan,
): Promise<Started> {
  const running = findHome(dir)
  if (running) return { state: running }
  const start = performance.now()
  const log = openLog(dir)
  const [command, ...args] = launcher
  const child = spawn(
    command,
    [
      ...args,
      'up',
      '--foreground',
      ...(port === undefined ? [] : ['--port', String(port)]),
      ...(plan ? flagsOf(plan) : []),
    ],
    {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, TRAINYARD_HOME: dir },
    },
  )
  closeSync(log)
  let ended: string | undefined
  child.once('error', (error) => {
    ended = error.message
  })
  child.once('exit', (code, signal) => {
    ended = signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`
  })
  child.unref()
  for (let told = false; performance.now() - start < PATIENCE; await sleep(PACE)) {
    const state = findHome(dir)
    if (state) return { state, took: performance.now() - start }
    if (ended !== undefined)
      throw new HomeError(`the home did not start: ${lastWords(dir) ?? ended}`, `see ${logFile(dir)}`)
    if (!told && performance.now() - start > 1_000) {
      told = true
      onWaiting()
    }
  }
  throw new HomeError(`the home did not answer within ${PATIENCE / 1000} s`, `see ${logFile(dir)}`)
}

function openLog(dir: string): number {
  try {
    makeDirectory(dir)
    return openSync(logFile(dir), 'a', 0o600)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new HomeError(`cannot keep a home in ${dir} (${code})`, 'choose another directory  export TRAINYARD_HOME=…')
  }
}

function lastWords(dir: string): string | undefined {
  try {
    const line = readFileSync(logFile(dir), 'utf8').trimEnd().split('\n').at(-1)
    return line?.replace(/^\d{4}-\S+Z /, '')
  } catch {
    return undefined
  }
}
