// Programs that may outlive the one that started them, known by process id and start time so that
// nothing else is ever signalled.
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

export interface ProcessRecord {
  name: string
  pid: number
  /** Ticks since boot on Linux, a date elsewhere: only ever compared. */
  startedAt: string
  log: string
}

function startTimeOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (.*)/s)
      const fields = rest.split(' ')
      // A zombie is dead; it only waits for its parent to notice.
      return fields[0] === 'Z' ? undefined : fields[19]
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}

export function startProcess(name: string, path: string, args: readonly string[], log: string): ProcessRecord {
  const output = openSync(log, 'a', 0o600)
  try {
    const child = spawn(path, args, { detached: true, stdio: ['ignore', output, output] })
    child.on('error', () => {})
    child.unref()
    if (child.pid === undefined) throw new Error(`cannot start ${path}`)
    return { name, pid: child.pid, startedAt: startTimeOf(child.pid) ?? '', log }
  } finally {
    closeSync(output)
  }
}

export function isAlive(record: ProcessRecord): boolean {
  return record.startedAt !== '' && startTimeOf(record.pid) === record.startedAt
}

export function signal(record: ProcessRecord, name: NodeJS.Signals): void {
  if (!isAlive(record)) return
  try {
    process.kill(record.pid, name)
  } catch {
    // It ended between the look and the signal.
  }
}

export async function stopProcess(record: ProcessRecord, graceMs: number): Promise<void> {
  signal(record, 'SIGTERM')
  for (const end = performance.now() + graceMs; isAlive(record) && performance.now() < end; ) await delay(20)
  signal(record, 'SIGKILL')
  while (isAlive(record)) await delay(20)
}

export function lastLines(record: ProcessRecord, count: number): string {
  try {
    return readFileSync(record.log, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
  } catch {
    return ''
  }
}
