import type { Store } from './store.ts'

export interface HistoryOptions {
  /** How long a watcher may be away and still resume. */
  keep: number
  /** How often the rest is looked for. */
  step: number
}

export const DEFAULT_HISTORY: HistoryOptions = { keep: 10 * 60_000, step: 60_000 }

/** Forgets changes older than the time kept. The clock is monotonic: a jump of the day's time must not forget too much. */
export function startCompaction(store: Store, { keep, step }: HistoryOptions, log: (line: string) => void): () => void {
  const marks: Array<{ at: number; rev: number }> = []
  const timer = setInterval(() => {
    const now = performance.now()
    marks.push({ at: now, rev: store.revision })
    let target = 0
    while (marks[0] && now - marks[0].at >= keep) target = marks.shift()?.rev ?? target
    if (target > 0) store.compact(target).catch((error: Error) => log(`compaction failed: ${error.message}`))
  }, step)
  timer.unref()
  return () => clearInterval(timer)
}
