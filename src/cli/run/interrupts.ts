// Ctrl-C: once leaves the job alone, twice within two seconds stops it.

export interface Interrupts {
  /** Aborted by the first. */
  first: AbortSignal
  /** Whether a second one comes soon after the first. */
  second(): Promise<boolean>
  release(): void
}

const SOON = 2_000

export function catchInterrupts(): Interrupts {
  const first = new AbortController()
  let at = 0
  let again: () => void = () => {}
  const onInterrupt = (): void => {
    if (first.signal.aborted) again()
    else {
      at = Date.now()
      first.abort()
    }
  }
  process.on('SIGINT', onInterrupt)
  return {
    first: first.signal,
    second: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), Math.max(0, at + SOON - Date.now()))
        again = () => {
          clearTimeout(timer)
          resolve(true)
        }
      }),
    release: () => void process.off('SIGINT', onInterrupt),
  }
}
