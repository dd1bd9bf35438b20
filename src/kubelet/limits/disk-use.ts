import { execFile } from 'node:child_process'

/** Bytes that each directory takes on the disk. Counted by another process: a volume may hold a million files. */
export function measureDirectories(directories: readonly string[]): Promise<Map<string, number>> {
  return new Promise((resolve) => {
    // It complains of what vanishes while it looks, and of what is not there yet; what it could count it says.
    execFile('du', ['-s', '-k', '-x', '--', ...directories], { encoding: 'utf8' }, (_, stdout) => {
      const lines = [...stdout.matchAll(/^(\d+)\s+(.*)$/gm)]
      resolve(new Map(lines.map(([, size, path]) => [path!, Number(size) * 1024])))
    })
  })
}
