// The machine's processes, as far as they tell which pod they belong to.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Every process of a pod inherits these from its supervisor; they find it again after it left session and parent. */
export const podMark = 'TRAINYARD_POD_UID'
export const containerMark = 'TRAINYARD_CONTAINER'

export interface ProcessRow {
  pid: number
  ppid: number
  pgid: number
  /** The session; 0 where the system does not say. */
  sid: number
  podUid?: string
  container?: string
}

const hasProc = process.platform === 'linux'

/** All processes but zombies, which are no longer anything that can be stopped. */
export function readProcesses(): ProcessRow[] {
  return hasProc ? readProc() : readPs()
}

let next: Promise<ProcessRow[]> | undefined

/** The processes at a moment after the call; those who ask at the same time share one look. */
export function readProcessesSoon(): Promise<ProcessRow[]> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = undefined
      resolve(readProcesses())
    })
  })
  return next
}

export function commandLineOf(pid: number): string | undefined {
  try {
    if (hasProc) return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'latin1', stdio: 'pipe' })
  } catch {
    return undefined
  }
}

function readProc(): ProcessRow[] {
  const rows: ProcessRow[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      // The name in parentheses may hold anything, blanks and parentheses too.
      const [state, ppid, pgid, sid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 4)
      if (state === 'Z' || state === 'X') continue
      rows.push({ pid, ppid: Number(ppid), pgid: Number(pgid), sid: Number(sid), ...readMarks(pid) })
    } catch {
      // It ended while we looked.
    }
  }
  return rows
}

function readMarks(pid: number): { podUid?: string; container?: string } {
  try {
    const environ = readFileSync(`/proc/${pid}/environ`, 'latin1')
    const podUid = markIn(environ, podMark, '\0')
    return podUid === undefined ? {} : { podUid, container: markIn(environ, containerMark, '\0') }
  } catch {
    // Another user's process.
    return {}
  }
}

function markIn(environ: string, name: string, separator: string): string | undefined {
  const key = `${name}=`
  const at = environ.startsWith(key) ? 0 : environ.indexOf(separator + key) + 1
  if (at === 0 && !environ.startsWith(key)) return undefined
  const end = environ.indexOf(separator, at)
  return environ.slice(at + key.length, end < 0 ? undefined : end)
}

const columns = ['pid=', 'ppid=', 'pgid=', 'state=', 'command='].flatMap((column) => ['-o', column])

/** The portable way. `-E` (BSD, macOS) and `e` (procps) both print the environment behind the command. */
export function readPs(): ProcessRow[] {
  const flags = process.platform === 'linux' ? 'axeww' : '-axwwE'
  return parsePs(execFileSync('ps', [flags, ...columns], { encoding: 'latin1', maxBuffer: 1 << 28 }))
}

export function parsePs(text: string): ProcessRow[] {
  const rows: ProcessRow[] = []
  for (const line of text.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s(.*)$/.exec(line)
    if (!match || match[4]!.startsWith('Z')) continue
    const command = match[5]!.trimEnd()
    const podUid = markIn(command, podMark, ' ')
    rows.push({
      pid: Number(match[1]),
      ppid: Number(match[2]),
      pgid: Number(match[3]),
      sid: 0,
      ...(podUid === undefined ? {} : { podUid, container: markIn(command, containerMark, ' ') }),
    })
  }
  return rows
}
