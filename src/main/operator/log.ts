// One JSON object a line: what log collectors of clusters read without being told how.
import type { LogLevel } from '../../cli/cluster/operator-flags.ts'

export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void

const WEIGHT: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

export function jsonLog(least: LogLevel, write: (line: string) => void, now: () => number = Date.now): Log {
  return (level, message, fields = {}) => {
    if (WEIGHT[level] < WEIGHT[least]) return
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...fields })}\n`)
  }
}

/** What went wrong, in words; a defect of ours with the place where it is. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) }
  const { code, problem } = error as { code?: unknown; problem?: unknown }
  // A TimeoutError's code is a number of the platform's own, and where it was made says nothing.
  const known = ['ApiError', 'ConnectionError', 'ConfigError', 'TimeoutError'].includes(error.name)
  return {
    error: error.message,
    ...(error.name === 'ApiError' && { code }),
    ...(typeof problem === 'string' && { problem }),
    ...(!known && { stack: error.stack }),
  }
}
