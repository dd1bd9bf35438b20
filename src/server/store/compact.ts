import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StorePoint } from './store.ts'

const STEP = 500

/**
 * Deletes tombstones up to `rev` and every version whose successor is not younger than it. What a younger
 * change replaced stays: a resuming watcher with a selector needs it, and so does a paged list.
 */
export async function compactTo(
  db: DatabaseSync,
  rev: number,
  settled: () => Promise<void>,
  at: (point: StorePoint) => void,
): Promise<void> {
  // A step that meets an open transaction becomes part of it, and would be undone with it.
  const step = async (statement: StatementSync, ...values: number[]): Promise<number> => {
    await settled()
    if (!db.isOpen) return 0
    at('before compact')
    const { changes } = statement.run(...values)
    at('after compact')
    return Number(changes)
  }
  await step(db.prepare("UPDATE meta SET value = ? WHERE key = 'compacted'"), rev)
  const superseded = db.prepare(
    'DELETE FROM versions WHERE rev IN (SELECT v.rev FROM versions n JOIN versions v ON v.rev = n.prev WHERE n.rev <= ? LIMIT ?)',
  )
  const tombstones = db.prepare(
    "DELETE FROM versions WHERE rev IN (SELECT rev FROM versions WHERE rev <= ? AND type = 'DELETED' LIMIT ?)",
  )
  for (const statement of [superseded, tombstones]) {
    while ((await step(statement, rev, STEP)) > 0) await nextTurn()
  }
}
