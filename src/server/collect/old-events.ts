import type { Api } from '../api.ts'
import { parseObject } from '../object.ts'
import type { StoredVersion } from '../store/store.ts'

const KEEP = 60 * 60_000
const DAY = 24 * 60 * 60_000
const PAGE = 500

function* everyEvent(api: Api): Generator<StoredVersion> {
  let after: { namespace: string; name: string } | undefined
  for (;;) {
    const rows = api.store.list({ resource: 'events', after, limit: PAGE })
    yield* rows
    after = rows.at(-1)
    if (rows.length < PAGE) return
  }
}

/**
 * Events tell of the last hour; nobody deletes them by hand. The hour is one of the process, counted in revisions: a
 * jump of the day's time must not take away what has just happened. Only what was there before the start is judged by
 * the day's time, and then must be a day old.
 */
export class OldEvents {
  readonly #api: Api
  readonly #monotonic: () => number
  readonly #start: number
  readonly #marks: Array<{ at: number; rev: number }>
  #old = 0

  constructor(api: Api, monotonic: () => number = () => performance.now()) {
    this.#api = api
    this.#monotonic = monotonic
    this.#start = api.store.revision
    this.#marks = [{ at: monotonic(), rev: this.#start }]
  }

  delete(): void {
    const at = this.#monotonic()
    while (this.#marks[0] && at - this.#marks[0].at >= KEEP) this.#old = this.#marks.shift()?.rev ?? this.#old
    this.#marks.push({ at, rev: this.#api.store.revision })
    const dayAgo = this.#api.now() - DAY
    for (const row of everyEvent(this.#api)) {
      const isOld = row.rev <= this.#old || (row.rev <= this.#start && lastSeen(row) < dayAgo)
      if (!isOld) continue
      const event = parseObject(row.body)
      this.#api.store.remove({ resource: 'events', namespace: row.namespace, name: row.name }, (rev) => {
        event.metadata.resourceVersion = String(rev)
        return JSON.stringify(event)
      })
    }
  }
}

/** NaN where nobody can tell: that is before no time. */
function lastSeen(row: StoredVersion): number {
  const event = parseObject(row.body)
  return Date.parse(String(event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp))
}
