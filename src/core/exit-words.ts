// Exit codes in words a user understands.

const SIGNALS: Record<number, string> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  10: 'SIGUSR1',
  11: 'SIGSEGV',
  12: 'SIGUSR2',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
}

export function signalOf(exitCode: number): string | undefined {
  return exitCode > 128 ? SIGNALS[exitCode - 128] : undefined
}

/** `killed by SIGKILL (exit 137)`, `exit 1`, `command not found (exit 127)`. */
export function describeExit(exitCode: number | undefined): string {
  if (exitCode === undefined) return 'ended without an exit code'
  if (exitCode === 126) return 'not executable (exit 126)'
  if (exitCode === 127) return 'command not found (exit 127)'
  const signal = signalOf(exitCode)
  return signal ? `killed by ${signal} (exit ${exitCode})` : `exit ${exitCode}`
}

/** `exit 137 (SIGKILL)`, for a timeline. */
export function shortExit(exitCode: number | undefined): string {
  if (exitCode === undefined) return 'no exit code'
  const signal = signalOf(exitCode)
  return signal ? `exit ${exitCode} (${signal})` : `exit ${exitCode}`
}
