import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** As much as Kubernetes takes from a log for a container's last message. */
const mostBytes = 2048
const mostLines = 80

/** The end of a log, for a status. */
export function readLastWords(path: string): string | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const bytes = Buffer.alloc(Math.min(size, mostBytes))
      readSync(file, bytes, 0, bytes.length, size - bytes.length)
      const lines = bytes.toString().trimEnd().split('\n')
      return lines.slice(-mostLines).join('\n') || undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
