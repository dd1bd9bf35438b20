/** Waits that double from `first` to `most`; each is shortened by up to half, so that many clients do not come back at once. */
export interface Backoff {
  first: number
  most: number
}

export function delayOf(backoff: Backoff, failures: number, random: () => number = Math.random): number {
  const whole = Math.min(backoff.most, backoff.first * 2 ** Math.min(30, Math.max(0, failures - 1)))
  return Math.round(whole * (1 - random() / 2))
}

/** Resolves when the signal has aborted. */
export function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** Resolves after `ms`, or at once when aborted; never rejects and leaves no timer behind. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
