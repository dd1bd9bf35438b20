import { readFile } from 'node:fs/promises'
import { ConfigError } from './errors.ts'

/** Where the bearer token comes from; asked before every request. */
export interface TokenSource {
  get(): Promise<string> | string
  /** The server did not accept it: get a new one. */
  forget(): void
}

export function fixedToken(token: string): TokenSource {
  return { get: () => token, forget() {} }
}

/** Projected tokens are replaced on disk long before they expire, so the file is read anew every minute. */
export function tokenInFile(path: string, now: () => number = Date.now): TokenSource {
  const keepFor = 60_000
  let known: { token: string; readAt: number } | undefined
  return {
    async get() {
      if (known !== undefined && now() - known.readAt < keepFor) return known.token
      try {
        known = { token: (await readFile(path, 'utf8')).trim(), readAt: now() }
      } catch (cause) {
        // The file may be missing for a moment while it is replaced.
        if (known === undefined) throw new ConfigError(`the token file ${path} cannot be read`, { cause })
      }
      return known.token
    },
    forget() {
      if (known !== undefined) known = { ...known, readAt: Number.NEGATIVE_INFINITY }
    },
  }
}
