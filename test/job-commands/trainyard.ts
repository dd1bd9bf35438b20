// The program as users start it, on a home of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'

const launcher = join(import.meta.dirname, '..', '..', 'bin', 'trainyard.js')

export interface Ran {
  stdout: string
  bytes: Buffer
  stderr: string
  code: number | null
}

export function trainyardIn(home: string): (...args: string[]) => Promise<Ran> {
  const run = trainyardWithInput(home)
  return (...args) => run('', ...args)
}

export function trainyardWithInput(home: string): (input: string, ...args: string[]) => Promise<Ran> {
  return async (input, ...args) => {
    const child = spawn(process.execPath, [launcher, ...args], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', TRAINYARD_HOME: home },
      stdio: 'pipe',
    })
    // A command may end without having read what it was given.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
    const [bytes, stderr, code] = await Promise.all([buffer(child.stdout), text(child.stderr), exit])
    return { stdout: bytes.toString(), bytes, stderr, code }
  }
}

export interface Going {
  child: ChildProcess
  stdout: () => string
  stderr: () => string
  /** The one that ended it. */
  signal: Promise<NodeJS.Signals | null>
}

/** For what ends only when it is told to. */
export function startTrainyard(home: string, ...args: string[]): Going {
  const child = spawn(process.execPath, [launcher, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', TRAINYARD_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const signal = new Promise<NodeJS.Signals | null>((resolve) => child.on('close', (_code, by) => resolve(by)))
  return { child, stdout: () => stdout, stderr: () => stderr, signal }
}
