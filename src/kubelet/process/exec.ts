// A further program in a container's environment and directory, while this home lives.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { exitCodeOf } from './exit-meaning.ts'
import { CannotStart, findProgram } from './find-program.ts'
import { arrange, type Launch, locate } from './launch.ts'
import { ptyScript } from './pty-script.ts'

export function spawnBeside(launch: Launch, command: string[], stdio: 'pipe' | 'ignore'): ChildProcess {
  const program = find(launch, command[0] ?? '')
  return spawnArranged(launch, [program, ...command.slice(1)], stdio)
}

/** On a pseudo-terminal; descriptor 3 takes its size. */
export function spawnOnTerminal(launch: Launch, command: string[]): ChildProcess {
  const program = find(launch, command[0] ?? '')
  let python: string
  try {
    python = find(launch, 'python3')
  } catch {
    throw new CannotStart('a terminal needs python3 on this machine; ask without one', 127)
  }
  const env = { TERM: 'xterm-256color', ...launch.env }
  const argv = [python, '-c', ptyScript, program, ...command.slice(1)]
  return spawnArranged({ ...launch, env }, argv, ['pipe', 'pipe', 'pipe', 'pipe'])
}

function find({ env, cwd, mounts }: Launch, name: string): string {
  return findProgram(name, env.PATH ?? '', cwd, (path) => locate(path, mounts))
}

function spawnArranged(launch: Launch, wanted: string[], stdio: StdioOptions): ChildProcess {
  const { argv, cwd, env } = arrange(launch, wanted)
  return spawn(argv[0]!, argv.slice(1), { cwd, env, detached: true, stdio })
}

/** Its exit code as a shell would tell it; 124 when it took too long and was killed. */
export function execBeside(launch: Launch, command: string[], timeoutMs: number): Promise<number> {
  return new Promise((resolve) => {
    try {
      const child = spawnBeside(launch, command, 'ignore')
      const timer = setTimeout(() => {
        resolve(124)
        killGroup(child)
      }, timeoutMs)
      child.once('error', () => resolve(126))
      child.once('exit', (code, signal) => {
        clearTimeout(timer)
        resolve(exitCodeOf(code, signal))
      })
    } catch {
      resolve(127)
    }
  })
}

export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}
