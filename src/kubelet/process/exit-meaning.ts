import { constants } from 'node:os'

/** The signal that ended a process, from the code a shell reports for it. */
export function signalOf(exitCode: number): number | undefined {
  const signal = exitCode - 128
  return Object.values(constants.signals).includes(signal as never) ? signal : undefined
}

export function reasonOf(exitCode: number, outOfMemory: boolean): 'Completed' | 'Error' | 'OOMKilled' {
  if (outOfMemory) return 'OOMKilled'
  return exitCode === 0 ? 'Completed' : 'Error'
}

/** What a shell would report of a child that Node saw end. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 9)
}
