import { renameSync, writeFileSync } from 'node:fs'

/** The file has either its old content or the new, whenever we are killed. */
export function writeAtomically(path: string, content: string): void {
  const fresh = `${path}.${process.pid}.new`
  writeFileSync(fresh, content, { mode: 0o600 })
  renameSync(fresh, path)
}
