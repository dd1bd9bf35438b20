// What has to be tidied up is tidied up although somebody wants us gone: once. A second signal ends us as it always does.

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

export interface Leaving {
  signal: AbortSignal
  /** The exit code of whoever was told to go; undefined if nobody said so. */
  code(): number | undefined
  /** Resolves when somebody wants us gone. */
  asked: Promise<void>
  release(): void
}

export function leaveOnSignals(): Leaving {
  const leaving = new AbortController()
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  let code: number | undefined
  const handlers = Object.entries(CODES).map(([name, own]) => {
    const handler = (): void => {
      code = own
      release()
      leaving.abort()
      resolve()
    }
    process.on(name, handler)
    return () => process.off(name, handler)
  })
  const release = (): void => {
    for (const remove of handlers) remove()
  }
  return { signal: leaving.signal, code: () => code, asked, release }
}
