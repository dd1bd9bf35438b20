// The `trainyard` command.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Machine } from '../cli/home/commands.ts'
import type { Terminal } from '../cli/output/terminal.ts'
import { runProgram } from '../cli/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Five times what is read of a file: enough to see that something is too large, and an end for what has none. */
const MOST_INPUT = 16 * 1024 * 1024
/** No answer, as when a cluster cannot be reached; here it is we who have none. */
const NO_ANSWER = 3

// Whoever reads us may stop early (`trainyard plan … | head`); that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  bytes: async (bytes) => {
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
  },
  drained: async () => {
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
  },
  stdin: readStdin,
  env: process.env,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  outIsTerminal: process.stdout.isTTY === true,
  errIsTerminal: process.stderr.isTTY === true,
}

async function readStdin(): Promise<Uint8Array> {
  if (process.stdin.isTTY) terminal.err('trainyard: reading from the terminal; Ctrl-D ends the input\n')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MOST_INPUT) break
  }
  return Buffer.concat(chunks)
}

const machine: Machine = {
  launcher: [process.execPath, process.argv[1]!],
  serveHome: async (options) => {
    const { serveHome } = await import('./home/serve-home.ts')
    return serveHome({ ...options, version })
  },
  runOperator: async (run) => {
    const { runOperator } = await import('./operator/run-operator.ts')
    return runOperator(run, version)
  },
  mountsVolumes: async () => {
    const { findNamespaceTools } = await import('../kubelet/volumes/namespace.ts')
    return findNamespaceTools() !== undefined
  },
  limitsProcesses: async () => {
    const { openCgroups } = await import('../kubelet/limits/cgroups.ts')
    const { canLimitProcesses, usualProcessLimit } = await import('../kubelet/limits/process-limit.ts')
    return canLimitProcesses(openCgroups(`doctor-${process.pid}`)) ? usualProcessLimit() : undefined
  },
}

// No await here: the launcher requires this file, which is quicker than importing it and waits for nothing.
runProgram(process.argv.slice(2), terminal, version, machine).then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    terminal.err(
      `trainyard: this is a defect of trainyard, not of your input; please report it\n${(error as Error)?.stack ?? error}\n`,
    )
    process.exitCode = NO_ANSWER
  },
)
