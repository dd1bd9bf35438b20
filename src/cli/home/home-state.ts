// What a running home leaves in its directory for those who look for it.
import { readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface HomeState {
  pid: number
  /** When the process started, in the system's own count: a pid alone may be another's by now. */
  birth: string
  url: string
  /** Where it answers commands of this machine, if it does. */
  socket?: string
  kubeconfig: string
  version: string
  /** RFC 3339. */
  since: string
  /** The virtualenv or Conda environment it was started in: its programs are what jobs find. */
  environment?: string
}

type Variables = Readonly<Record<string, string | undefined>>

export function activeEnvironment(env: Variables): string | undefined {
  return env.VIRTUAL_ENV || env.CONDA_PREFIX || undefined
}

export function homeDirectory(env: Variables): string {
  return resolve(env.TRAINYARD_HOME || join(env.HOME || homedir(), '.trainyard'))
}

/** `~/.trainyard`, as a person would write it. */
export function shortPath(path: string, env: Variables): string {
  const own = env.HOME || homedir()
  return path === own || path.startsWith(`${own}/`) ? `~${path.slice(own.length)}` : path
}

export const stateFile = (dir: string): string => join(dir, 'home.json')
export const logFile = (dir: string): string => join(dir, 'home.log')

/** The home that runs in this directory, if one does. */
export function findHome(dir: string): HomeState | undefined {
  let state: HomeState
  try {
    state = JSON.parse(readFileSync(stateFile(dir), 'utf8')) as HomeState
  } catch {
    return undefined
  }
  return birthOf(state.pid) === state.birth ? state : undefined
}

export function forgetHome(dir: string): void {
  rmSync(stateFile(dir), { force: true })
}

/** Linux tells when a process was born; elsewhere only whether it is there. */
export function birthOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A dead process keeps its entry until somebody has asked how it ended.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    if (process.platform === 'linux') return undefined
  }
  try {
    process.kill(pid, 0)
    return 'there'
  } catch {
    return undefined
  }
}
