import { type FSWatcher, statSync, watch } from 'node:fs'

/** A program's end does not change its log, so the wait ends now and then by itself. */
const longestWait = 200

/** Resolves when the file is longer than `length`, or after a short while. */
export function waitForGrowth(path: string, length: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let watcher: FSWatcher | undefined
    const done = () => {
      clearTimeout(timer)
      watcher?.close()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, longestWait)
    signal.addEventListener('abort', done)
    try {
      watcher = watch(path, done)
      watcher.on('error', done)
      // It may have grown before the watch was there.
      if (statSync(path).size > length) done()
    } catch {
      // Then the short while must do.
    }
  })
}
