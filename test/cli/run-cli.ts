// The real program in this process, with everything it writes caught.

import type { Terminal } from '../../src/cli/output/terminal.ts'
import { runProgram } from '../../src/cli/program.ts'

export interface Ran {
  stdout: string
  stderr: string
  exitCode: number
}

export async function runCli(
  args: readonly string[],
  options: Partial<Terminal> & { input?: string | Uint8Array } = {},
): Promise<Ran> {
  const ran: Ran = { stdout: '', stderr: '', exitCode: 0 }
  const { input = '', ...rest } = options
  const terminal: Terminal = {
    out: (text) => {
      ran.stdout += text
    },
    err: (text) => {
      ran.stderr += text
    },
    stdin: async () => (typeof input === 'string' ? new TextEncoder().encode(input) : input),
    env: { LANG: 'C.UTF-8' },
    outIsTerminal: false,
    errIsTerminal: false,
    ...rest,
  }
  ran.exitCode = await runProgram(args, terminal, '0.0.0')
  return ran
}

/** A command and its answer as they would stand in a terminal, for golden files. */
export function transcript(args: readonly string[], { stdout, stderr, exitCode }: Ran): string {
  const blocks = [`$ trainyard ${args.join(' ')}\n`, stdout]
  if (stderr) blocks.push('--- stderr\n', stderr)
  blocks.push(`--- exit ${exitCode}\n`)
  return blocks.join('')
}
