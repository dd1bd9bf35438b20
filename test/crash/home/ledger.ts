// What the programs themselves write about their lives, and the pipes by which they are told how to end.
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** `exit 3`, `kill 9`: what the program is told to do. */
export type Ending = `exit ${number}` | `kill ${number}`

export interface Life {
  attempt: number
  pid: number
  uid: string
  /** How it went, if it was told to go; and when, in milliseconds since 1970. */
  ending?: Ending
  endedAt?: number
}

/**
 * Two children that no signal to the program's group reaches: one in a session of its own, as torchrun starts its
 * workers, and one whose parent is gone as well. Then it waits to be told how to end.
 */
export const PROGRAM = `
echo "start $ATTEMPT $$ $POD_UID" >> "$LEDGER/$KEY"
setsid sleep 1000 &
(setsid sh -c 'sleep 1000 & wait' &)
echo "$KEY attempt $ATTEMPT"
read what code < "$LEDGER/$KEY.$ATTEMPT"
echo "end $ATTEMPT $what $code $(date +%s%3N)" >> "$LEDGER/$KEY"
test "$what" = kill && kill -"$code" $$
exit "$code"
`

export class Ledger {
  readonly dir: string
  readonly #pipes = new Map<string, number>()

  constructor(dir: string) {
    this.dir = dir
  }

  /** Pipes for this many attempts of each of these replicas. */
  prepare(keys: readonly string[], attempts: number): void {
    const names = keys.flatMap((key) => Array.from({ length: attempts }, (_, i) => `${key}.${i + 1}`))
    execFileSync(
      'mkfifo',
      names.map((name) => join(this.dir, name)),
    )
    // Opened for both directions: neither side has to wait for the other to come.
    for (const name of names)
      this.#pipes.set(name, openSync(join(this.dir, name), constants.O_RDWR | constants.O_NONBLOCK))
  }

  tell(key: string, attempt: number, ending: Ending): void {
    writeSync(this.#pipes.get(`${key}.${attempt}`)!, `${ending}\n`)
  }

  livesOf(key: string): Life[] {
    const lives: Life[] = []
    for (const line of this.#read(key).split('\n').filter(Boolean)) {
      const [word, attempt, ...rest] = line.split(' ')
      if (word === 'start') lives.push({ attempt: Number(attempt), pid: Number(rest[0]), uid: rest[1] ?? '' })
      else {
        const life = lives.findLast((each) => each.attempt === Number(attempt))
        if (!life) throw new Error(`${key}: an end without a start: ${line}`)
        life.ending = `${rest[0]} ${rest[1]}` as Ending
        life.endedAt = Number(rest[2])
      }
    }
    return lives
  }

  close(): void {
    for (const fd of this.#pipes.values()) closeSync(fd)
    this.#pipes.clear()
  }

  #read(key: string): string {
    try {
      return readFileSync(join(this.dir, key), 'utf8')
    } catch {
      return ''
    }
  }
}

/** How Kubernetes reports such an end. */
export function reportedAs(ending: Ending): { exitCode: number; signal?: number } {
  const [what, code] = ending.split(' ')
  return what === 'exit' ? { exitCode: Number(code) } : { exitCode: 128 + Number(code), signal: Number(code) }
}
