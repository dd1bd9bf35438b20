import { type SpawnOptions, spawn } from 'node:child_process'

export interface Ended {
  /** As a shell would say it: 128 + signal for a program that was killed. */
  code: number
  output: string
}

export interface RunOptions extends Pick<SpawnOptions, 'cwd' | 'env'> {
  /** Show what the program writes as it writes it, besides keeping it. */
  show?: boolean
  input?: string
}

const SIGNALS: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGABRT: 6, SIGKILL: 9, SIGTERM: 15 }

/** Runs a program to its end. stdout and stderr come back in one text, in the order they were written. */
export function runProgram(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    const keep = (chunk: Buffer): void => {
      chunks.push(chunk)
      if (options.show) process.stdout.write(chunk)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    // A program that ends without reading its input is no failure of ours.
    child.stdin?.on('error', () => {})
    child.stdin?.end(options.input)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const ended = code ?? 128 + (SIGNALS[signal ?? 'SIGTERM'] ?? 0)
      resolve({ code: ended, output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}

/** The same, where anything but exit code 0 is a failure of the caller. */
export async function mustRun(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, output } = await runProgram(command, args, options)
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')}: exit code ${code}\n${output.trimEnd()}`)
  return output
}
