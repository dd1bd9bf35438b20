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
  const known = ['ApiError', 'ConnectionError', 'ConfigError'].includes(error.name)
  return {
    error: error.message,
    ...(typeof code === 'number' && { code }),
    ...(typeof problem === 'string' && { problem }),
    ...(!known && { stack: error.stack }),
  }
}
