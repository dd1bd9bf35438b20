// Programs write their logs themselves, without times. The home watches the files grow and notes when they reached which
// length; the index lies beside the log and is read by whoever asks for times.
import { appendFileSync, type FSWatcher, readFileSync, statSync, watch } from 'node:fs'
import type { Instant } from '../../lib/time.ts'

export interface Growth {
  /** The log had this many bytes at that time. */
  length: number
  at: Instant
}

const recordBytes = 16
/** Lines written within this time share it, which bounds the index however fast a program writes. */
const resolution = 10
const slowLook = 1000

export function indexPathOf(logPath: string): string {
  return logPath.replace(/\.log$/, '.times')
}

/** Up to all that is in the log now: what nobody noted, of a program too quick to be seen, came by the last change. */
export function readGrowth(logPath: string): Growth[] {
  const noted = readNotes(logPath)
  const last = noted.at(-1)
  const stats = statSync(logPath, { throwIfNoEntry: false })
  if (stats && stats.size > (last?.length ?? 0)) {
    noted.push({ length: stats.size, at: Math.max(last?.at ?? 0, stats.mtimeMs) })
  }
  return noted
}

export function readNotes(logPath: string): Growth[] {
  let bytes: Buffer
  try {
    bytes = readFileSync(indexPathOf(logPath))
  } catch {
    return []
  }
  const growth: Growth[] = []
  for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
    growth.push({ length: bytes.readDoubleLE(at), at: bytes.readDoubleLE(at + 8) })
  }
  return growth
}

export class LogClock {
  readonly #followed = new Map<string, FollowedLog>()
  #timer: NodeJS.Timeout | undefined

  follow(logPath: string): void {
    if (this.#followed.has(logPath)) return
    this.#followed.set(logPath, new FollowedLog(logPath))
    // A file system without change notices is looked at now and then.
    this.#timer ??= setInterval(() => {
      for (const log of this.#followed.values()) log.look()
    }, slowLook).unref()
  }

  /** Takes the last note: the program has ended. */
  finish(logPath: string): void {
    this.#followed.get(logPath)?.close()
    this.#followed.delete(logPath)
    if (this.#followed.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  close(): void {
    for (const logPath of [...this.#followed.keys()]) this.finish(logPath)
  }
}

class FollowedLog {
  readonly #path: string
  readonly #watcher: FSWatcher | undefined
  #length: number
  #last = 0
  #timer: NodeJS.Timeout | undefined

  constructor(path: string) {
    this.#path = path
    this.#length = readNotes(path).at(-1)?.length ?? 0
    // What was written while no home looked came at the latest when the file was last changed.
    this.#note(true)
    try {
      this.#watcher = watch(path, { persistent: false }, () => this.look())
      this.#watcher.on('error', () => this.#watcher?.close())
    } catch {
      // No watches left on this machine: the slow look remains.
    }
  }

  look(): void {
    if (this.#timer) return
    const wait = this.#last + resolution - Date.now()
    if (wait <= 0 || wait > resolution) {
      this.#note(false)
      return
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#note(false)
    }, wait).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#watcher?.close()
    this.#note(true)
  }

  #note(byFileTime: boolean): void {
    const stats = statSync(this.#path, { throwIfNoEntry: false })
    if (!stats || stats.size <= this.#length) return
    this.#last = Date.now()
    this.#length = stats.size
    const record = Buffer.alloc(recordBytes)
    record.writeDoubleLE(stats.size, 0)
    record.writeDoubleLE(byFileTime ? stats.mtimeMs : this.#last, 8)
    try {
      appendFileSync(indexPathOf(this.#path), record, { mode: 0o600 })
    } catch {
      // A full disk: the log goes without this time.
    }
  }
}
