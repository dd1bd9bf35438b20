import type { Api } from '../api.ts'
import { parseObject } from '../object.ts'
import type { StoredVersion } from '../store/store.ts'

const KEEP = 60 * 60_000
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

/** Events tell of the last hour; nobody deletes them by hand. */
export function deleteOldEvents(api: Api): void {
  const before = api.now() - KEEP
  for (const row of everyEvent(api)) {
    const event = parseObject(row.body)
    const last = Date.parse(String(event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp))
    if (last >= before || Number.isNaN(last)) continue
    api.store.remove({ resource: 'events', namespace: row.namespace, name: row.name }, (rev) => {
      event.metadata.resourceVersion = String(rev)
      return JSON.stringify(event)
    })
  }
}
