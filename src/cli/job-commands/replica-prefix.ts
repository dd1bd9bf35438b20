// What stands before a replica's lines: always the same colour for the same rank.
import type { Style } from '../output/terminal.ts'

const CODES = [36, 33, 35, 32, 34, 96]

export function paintReplica(style: Style, rank: number, text: string): string {
  return style.coloured ? `\u001b[${CODES[rank % CODES.length]}m${text}\u001b[39m` : text
}

/** `worker-1`, `worker-1#2`. */
export function labelOf(replica: string, attempt: number): string {
  return attempt > 1 ? `${replica}#${attempt}` : replica
}
