// The runs of one container, as they lie in its directory; all but the last have ended.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Instant } from '../../lib/time.ts'
import { readJson } from '../home-directory.ts'
import { reasonOf, signalOf } from '../process/exit-meaning.ts'
import type { Launch } from '../process/launch.ts'
import { observeRun, removeRun, voidRun } from '../process/run.ts'
import { writeAtomically } from '../write-atomically.ts'

export type RunView =
  | { kind: 'starting' }
  | { kind: 'running'; startedAt: Instant; supervisor: number }
  | { kind: 'ended'; end: RunEnd; supervisor: number }

export interface RunEnd {
  exitCode: number
  reason: string
  signal?: number
  message?: string
  startedAt?: Instant
  finishedAt: Instant
  silentOnStderr?: boolean
}

const killed = 137

export function listRuns(containerDirectory: string): string[] {
  if (!existsSync(containerDirectory)) return []
  const numbers = readdirSync(containerDirectory).map((name) => Number(/^run-(\d+)$/.exec(name)?.[1]))
  return numbers
    .filter((number) => number > 0)
    .sort((a, b) => a - b)
    .map((number) => join(containerDirectory, `run-${number}`))
}

/** Runs a former home prepared and perhaps never started: either their supervisor has the claim, or they are dropped. */
export function settleRuns(containerDirectory: string): void {
  for (const run of listRuns(containerDirectory)) {
    if (readFailure(run)) continue
    const { state } = observeRun(run)
    if (state === 'void' || (state === 'prepared' && voidRun(run))) removeRun(run)
  }
}

export function viewRun(directory: string): RunView {
  const failure = readFailure(directory)
  if (failure) {
    const { exitCode, message, at } = failure
    return { kind: 'ended', supervisor: 0, end: { exitCode, reason: 'StartError', message, finishedAt: at } }
  }
  const state = observeRun(directory)
  switch (state.state) {
    case 'prepared':
    case 'void':
      return { kind: 'starting' }
    case 'running':
      return { kind: 'running', startedAt: state.startedAt, supervisor: state.supervisor }
    case 'ended': {
      const { state: _, supervisor, ...ending } = state
      const { exitCode } = ending
      const reason = reasonOf(exitCode, existsSync(join(directory, 'out-of-memory')))
      const signal = signalOf(exitCode)
      return { kind: 'ended', supervisor, end: { ...ending, reason, ...(signal && { signal }) } }
    }
    case 'lost':
      return { kind: 'ended', supervisor: 0, end: loseRun(directory, state.startedAt) }
  }
}

export function recordFailure(directory: string, exitCode: number, message: string, at: Instant): void {
  writeAtomically(join(directory, 'failure.json'), JSON.stringify({ exitCode, message, at }))
}

export function recordOutOfMemory(directory: string): void {
  writeFileSync(join(directory, 'out-of-memory'), '')
}

export function recordStart(directory: string, start: Launch): void {
  writeAtomically(join(directory, 'start.json'), JSON.stringify(start))
}

export function readStart(directory: string): Launch | undefined {
  return readJson(join(directory, 'start.json'))
}

function readFailure(directory: string): { exitCode: number; message: string; at: Instant } | undefined {
  return readJson(join(directory, 'failure.json'))
}

/** The time at which the loss was first noticed is kept, so that it does not wander from look to look. */
function loseRun(directory: string, startedAt: Instant): RunEnd {
  const path = join(directory, 'lost.json')
  const at = readJson<number>(path) ?? Date.now()
  writeAtomically(path, JSON.stringify(at))
  const message = 'the process that watched over it was killed or the machine was restarted; how it ended is not known'
  return { exitCode: killed, reason: 'ContainerStatusUnknown', message, startedAt, finishedAt: at }
}
