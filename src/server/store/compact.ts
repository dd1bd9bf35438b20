import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'

const STEP = 500

/**
 * Deletes tombstones up to `rev` and every version whose successor is not younger than it. What a younger
 * change replaced stays: a resuming watcher with a selector needs it, and so does a paged list.
 */
export async function compactTo(db: DatabaseSync, rev: number, settled: () => Promise<void>): Promise<void> {
  await settled()
  db.prepare("UPDATE meta SET value = ? WHERE key = 'compacted'").run(rev)
  const superseded = db.prepare(
    'DELETE FROM versions WHERE rev IN (SELECT v.rev FROM versions n JOIN versions v ON v.rev = n.prev WHERE n.rev <= ? LIMIT ?)',
  )
  const tombstones = db.prepare(
    "DELETE FROM versions WHERE rev IN (SELECT rev FROM versions WHERE rev <= ? AND type = 'DELETED' LIMIT ?)",
  )
  for (const statement of [superseded, tombstones]) {
    for (;;) {
      await settled()
      if (!db.isOpen || Number(statement.run(rev, STEP).changes) === 0) break
      await nextTurn()
    }
  }
}
