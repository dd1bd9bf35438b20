// A further program in a container's environment and directory, while this home lives.
import { type ChildProcess, spawn } from 'node:child_process'
import type { RunStart } from '../pod/container-runs.ts'
import { exitCodeOf } from './exit-meaning.ts'
import { CannotStart, findProgram } from './find-program.ts'
import { ptyScript } from './pty-script.ts'

export function spawnBeside(start: RunStart, command: string[], stdio: 'pipe' | 'ignore'): ChildProcess {
  const program = findProgram(command[0] ?? '', start.env.PATH ?? '', start.cwd)
  return spawn(program, command.slice(1), { cwd: start.cwd, env: start.env, detached: true, stdio })
}

/** On a pseudo-terminal; descriptor 3 takes its size. */
export function spawnOnTerminal(start: RunStart, command: string[]): ChildProcess {
  const path = start.env.PATH ?? ''
  const program = findProgram(command[0] ?? '', path, start.cwd)
  let python: string
  try {
    python = findProgram('python3', path, start.cwd)
  } catch {
    throw new CannotStart('a terminal needs python3 on this machine; ask without one', 127)
  }
  const env = { TERM: 'xterm-256color', ...start.env }
  const args = ['-c', ptyScript, program, ...command.slice(1)]
  return spawn(python, args, { cwd: start.cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
}

/** Its exit code as a shell would tell it; 124 when it took too long and was killed. */
export function execBeside(start: RunStart, command: string[], timeoutMs: number): Promise<number> {
  return new Promise((resolve) => {
    try {
      const child = spawnBeside(start, command, 'ignore')
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
