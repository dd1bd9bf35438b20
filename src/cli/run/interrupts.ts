// Ctrl-C: once leaves the job alone, twice within two seconds stops it.
import { setTimeout as sleep } from 'node:timers/promises'

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
  const { promise: again, resolve: repeat } = Promise.withResolvers<true>()
  const onInterrupt = (): void => {
    if (first.signal.aborted) repeat(true)
    else first.abort()
  }
  process.on('SIGINT', onInterrupt)
  return {
    first: first.signal,
    // From now on, when its meaning has just been told; one that came before counts too.
    second: () => {
      const enough = new AbortController()
      const late = sleep(SOON, false, { signal: enough.signal }).catch(() => false)
      return Promise.race([again, late]).finally(() => enough.abort())
    },
    release: () => void process.off('SIGINT', onInterrupt),
  }
}
