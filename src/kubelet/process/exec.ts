// A further program in a container's environment and directory, while this home lives.
import { type ChildProcess, spawn } from 'node:child_process'
import type { RunStart } from '../pod/container-runs.ts'
import { exitCodeOf } from './exit-meaning.ts'
import { findProgram } from './find-program.ts'

export function spawnBeside(start: RunStart, command: string[], stdio: 'pipe' | 'ignore'): ChildProcess {
  const program = findProgram(command[0] ?? '', start.env.PATH ?? '', start.cwd)
  return spawn(program, command.slice(1), { cwd: start.cwd, env: start.env, detached: true, stdio })
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
