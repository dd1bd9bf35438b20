import type { Api } from './api.ts'

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/** Counters in Prometheus' text format; few enough to need no library. */
export class Metrics {
  readonly #requests = new Map<string, number>()
  readonly #durations = new Array<number>(BUCKETS.length).fill(0)
  #sum = 0
  #count = 0
  openWatches = 0

  observe(verb: string, code: number, seconds: number): void {
    const labels = `verb="${verb}",code="${code}"`
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1)
    this.#sum += seconds
    this.#count++
    BUCKETS.forEach((bound, i) => {
      if (seconds <= bound) this.#durations[i] = (this.#durations[i] ?? 0) + 1
    })
  }

  text({ store, registry }: Api): string {
    const lines = ['# TYPE apiserver_request_total counter']
    for (const [labels, n] of this.#requests) lines.push(`apiserver_request_total{${labels}} ${n}`)
    lines.push('# TYPE apiserver_request_duration_seconds histogram')
    BUCKETS.forEach((bound, i) => {
      lines.push(`apiserver_request_duration_seconds_bucket{le="${bound}"} ${this.#durations[i]}`)
    })
    lines.push(
      `apiserver_request_duration_seconds_bucket{le="+Inf"} ${this.#count}`,
      `apiserver_request_duration_seconds_sum ${this.#sum}`,
      `apiserver_request_duration_seconds_count ${this.#count}`,
      '# TYPE trainyard_open_watches gauge',
      `trainyard_open_watches ${this.openWatches}`,
      '# TYPE trainyard_store_revision gauge',
      `trainyard_store_revision ${store.revision}`,
      '# TYPE trainyard_store_commits_total counter',
      `trainyard_store_commits_total ${store.commits}`,
      '# HELP trainyard_store_synchronous SQLite’s own word on how it commits; 2 is FULL: on disk before the answer',
      '# TYPE trainyard_store_synchronous gauge',
      `trainyard_store_synchronous ${store.synchronous}`,
      '# TYPE apiserver_storage_objects gauge',
    )
    for (const r of registry.stored()) {
      lines.push(
        `apiserver_storage_objects{resource="${r.plural}${r.group ? `.${r.group}` : ''}"} ${store.count(r.storageKey, undefined, { namespace: '', name: '' })}`,
      )
    }
    lines.push(
      '# TYPE process_resident_memory_bytes gauge',
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    )
    return `${lines.join('\n')}\n`
  }
}
