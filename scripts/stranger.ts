// How the project looks to someone who has just come by: the machine's own Node and npm, nothing of this checkout.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** npm scripts put the project's own Node first on the PATH and tell their children about the project; undone here. */
export function strangerEnv(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !/node_modules|node-gyp-bin/.test(entry))
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE|INIT_CWD|TRAINYARD_)/.test(name))
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), CI: 'true', NO_COLOR: '1' }
}

export async function inEmptyDirectory<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-stranger-'))
  try {
    return await work(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
