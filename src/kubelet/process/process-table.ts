// The machine's processes, as far as they tell which pod they belong to.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Every process of a pod inherits these from its supervisor; they find it again after it left session and parent. */
export const podMark = 'TRAINYARD_POD_UID'
export const containerMark = 'TRAINYARD_CONTAINER'
/** The directory of the home that started it. */
export const homeMark = 'TRAINYARD_POD_HOME'

export interface ProcessRow {
  pid: number
  ppid: number
  pgid: number
  /** The session; 0 where the system does not say. */
  sid: number
  podUid?: string
  container?: string
  home?: string
}

const hasProc = process.platform === 'linux'

/** All processes but zombies, which are no longer anything that can be stopped. */
export function readProcesses(): ProcessRow[] {
  return hasProc ? readProc() : readPs()
}

let next: Promise<ProcessRow[]> | undefined
let last = { at: 0, took: 0 }
/** Looking may take this share of the time: where many pods end together, they share a look. */
const share = 1 / 4

/** The processes at a moment after the call; those who ask at about the same time share one look. */
export function readProcessesSoon(): Promise<ProcessRow[]> {
  next ??= new Promise((resolve) => {
    setTimeout(
      () => {
        next = undefined
        const began = performance.now()
        const rows = readProcesses()
        const at = performance.now()
        last = { at, took: at - began }
        resolve(rows)
      },
      Math.max(0, last.at + last.took / share - performance.now()),
    )
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

type Marks = Pick<ProcessRow, 'podUid' | 'container' | 'home'>

/** The marks of processes that have been there for a while, by pid and start. A young one may just be about to become
 * the program it was forked for, and is looked at again. */
let known = new Map<string, Marks>()
const hertz = 100
const settled = 5

function readProc(): ProcessRow[] {
  const rows: ProcessRow[] = []
  const seen = new Map<string, Marks>()
  const uptime = Number.parseFloat(readFileSync('/proc/uptime', 'latin1'))
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      // The name in parentheses may hold anything, blanks and parentheses too.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const [state, ppid, pgid, sid] = fields
      if (state === 'Z' || state === 'X') continue
      const start = fields[19]!
      const key = `${pid} ${start}`
      const marks = known.get(key) ?? readMarks(pid)
      if (uptime - Number(start) / hertz > settled) seen.set(key, marks)
      rows.push({ pid, ppid: Number(ppid), pgid: Number(pgid), sid: Number(sid), ...marks })
    } catch {
      // It ended while we looked.
    }
  }
  known = seen
  return rows
}

function readMarks(pid: number): Marks {
  try {
    const environ = readFileSync(`/proc/${pid}/environ`, 'latin1')
    return marksIn(environ, '\0')
  } catch {
    // Another user's process.
    return {}
  }
}

function marksIn(environ: string, separator: string): Marks {
  const podUid = markIn(environ, podMark, separator)
  if (podUid === undefined) return {}
  const home = markIn(environ, homeMark, separator)
  return { podUid, container: markIn(environ, containerMark, separator), ...(home !== undefined && { home }) }
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
    rows.push({
      pid: Number(match[1]),
      ppid: Number(match[2]),
      pgid: Number(match[3]),
      sid: 0,
      ...marksIn(command, ' '),
    })
  }
  return rows
}
