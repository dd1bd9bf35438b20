// One run of one container: a directory in which its supervisor leaves what happened.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Instant } from '../../lib/time.ts'
import { commandLineOf, readProcesses } from './process-table.ts'
import { supervisorScript } from './supervisor-script.ts'

export interface RunRequest {
  directory: string
  /** The program as an absolute path, and its arguments. */
  argv: string[]
  cwd: string
  env: Record<string, string>
  logPath: string
  /** Files through which the program joins its cgroups. */
  cgroupProcs?: readonly string[]
}

export type RunState =
  /** Prepared; its supervisor has not said that it runs. */
  | { state: 'prepared' }
  | { state: 'running'; supervisor: number; startedAt: Instant }
  | ({ state: 'ended'; startedAt: Instant; supervisor: number } & Ending)
  /** The supervisor is gone and has left no word. */
  | { state: 'lost'; startedAt: Instant; supervisor: number }
  /** A home has taken the claim, so that nothing will ever start here. */
  | { state: 'void' }

interface Ending {
  exitCode: number
  finishedAt: Instant
  /** It wrote nothing to its standard error; false also where that is not known. */
  silentOnStderr: boolean
}

const nothing = '#'.repeat(31)

/** Makes the directory of a run that has not started. */
export function prepareRun(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeFileSync(join(directory, 'end.new'), `${nothing}\n`, { mode: 0o600 })
}

/** Starts the supervisor; resolves once it exists. `onExit` is called when it ends while this home lives. */
export function startRun(request: RunRequest, onExit: () => void): Promise<void> {
  mkdirSync(dirname(request.logPath), { recursive: true, mode: 0o700 })
  const log = openSync(request.logPath, 'a', 0o600)
  const errors = openSync(request.logPath, 'a', 0o600)
  return new Promise((resolve, reject) => {
    try {
      const args = [
        '-c',
        supervisorScript,
        'trainyard-run',
        request.directory,
        String(request.cgroupProcs?.length ?? 0),
        ...(request.cgroupProcs ?? []),
        ...request.argv,
      ]
      const child = spawn('/bin/sh', args, {
        cwd: request.cwd,
        env: request.env,
        detached: true,
        stdio: ['ignore', log, errors],
      })
      child.once('spawn', resolve)
      child.once('error', reject)
      child.once('exit', onExit)
      child.unref()
    } catch (error) {
      reject(error)
    } finally {
      closeSync(log)
      closeSync(errors)
    }
  })
}

/** What is known of a run from its directory and the machine's processes. */
export function observeRun(directory: string): RunState {
  const claim = readClaim(directory)
  if (claim === undefined) return { state: 'prepared' }
  if (claim.text === 'void') return { state: 'void' }
  const supervisor = Number.parseInt(claim.text, 10) || 0
  const startedAt = claim.at
  const end = readEnd(directory)
  if (end) return { state: 'ended', startedAt, supervisor, ...end }
  // Created and not yet written: it is just starting, unless it was killed in that very moment. Time cannot tell these
  // apart: a shell may be kept waiting for seconds, and clocks jump.
  if (supervisor === 0 && isBeingStarted(directory)) return { state: 'prepared' }
  if (isSupervisor(supervisor, directory)) return { state: 'running', supervisor, startedAt }
  // It may have ended between the two looks.
  const late = readEnd(directory)
  if (late) return { state: 'ended', startedAt, supervisor, ...late }
  return { state: 'lost', startedAt, supervisor }
}

/** Takes the claim of a run that seems not to have started. False: its supervisor was first. */
export function voidRun(directory: string): boolean {
  try {
    writeFileSync(join(directory, 'claim'), 'void', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

export function removeRun(directory: string): void {
  rmSync(directory, { recursive: true, force: true })
}

function readClaim(directory: string): { text: string; at: Instant } | undefined {
  const path = join(directory, 'claim')
  try {
    return { text: readFileSync(path, 'utf8').trim(), at: statSync(path).mtimeMs }
  } catch {
    return undefined
  }
}

function readEnd(directory: string): Ending | undefined {
  const path = join(directory, 'end')
  try {
    const [, exitCode, errors] = /^(\d+)(?: (\d+))?/.exec(readFileSync(path, 'utf8')) ?? []
    if (exitCode === undefined) return undefined
    return { exitCode: Number(exitCode), finishedAt: statSync(path).mtimeMs, silentOnStderr: errors === '0' }
  } catch {
    return undefined
  }
}

function isBeingStarted(directory: string): boolean {
  return readProcesses().some(({ pid }) => isSupervisor(pid, directory))
}

/** A pid alone may have been given to another process since; a supervisor carries its directory as an argument. */
function isSupervisor(pid: number, directory: string): boolean {
  return pid > 0 && (commandLineOf(pid)?.includes(directory) ?? false)
}
