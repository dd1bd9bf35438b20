// A home or a cluster that does not answer, or says no: in words, with the exit code that tells which.
import type { Terminal } from './output/terminal.ts'

const NO = 1
const NO_ANSWER = 3

/** What is neither is a defect of ours and is thrown on. */
export function reportRefusal(terminal: Terminal, error: unknown): number {
  if (!(error instanceof Error)) throw error
  const { hint } = error as { hint?: string }
  const tell = (code: number): number => {
    terminal.err(`trainyard: ${error.message}\n${hint ? `  ${hint}\n` : ''}`)
    return code
  }
  // By name: the Kubernetes client is loaded only by the commands that need it.
  switch (error.name) {
    case 'HomeError':
    case 'ConfigError':
    case 'ConnectionError':
      return tell(NO_ANSWER)
    case 'Declined':
      return tell(NO)
    case 'ApiError': {
      const { code } = error as { code?: number }
      return tell(code === 401 || code === 403 || (code ?? 0) >= 500 || code === 429 ? NO_ANSWER : NO)
    }
  }
  throw error
}
