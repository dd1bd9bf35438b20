// The `trainyard` command.
import { readFileSync } from 'node:fs'
import type { Terminal } from '../cli/output/terminal.ts'
import { runProgram } from '../cli/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

// Whoever reads us may stop early (`trainyard plan … | head`); that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  stdin: readStdin,
  env: process.env,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  outIsTerminal: process.stdout.isTTY === true,
  errIsTerminal: process.stderr.isTTY === true,
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

process.exitCode = await runProgram(process.argv.slice(2), terminal, version)
