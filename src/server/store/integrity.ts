import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'

export interface Row {
  rev: number
  resource: string
  namespace: string
  name: string
  type: string
  prev: number
  body: string
}

/** SQLite guards how its pages hang together, not what is in them; each version therefore carries a sum of itself. */
export function sumOf({ rev, resource, namespace, name, type, prev, body }: Row): number {
  return crc32(body, crc32(`${rev}\0${resource}\0${namespace}\0${name}\0${type}\0${prev}\0`))
}

const ASTRAY = `SELECT count(*) AS n FROM heads h LEFT JOIN versions v ON v.rev = h.rev
  AND v.resource = h.resource AND v.namespace = h.namespace AND v.name = h.name AND v.type <> 'DELETED'
  WHERE v.rev IS NULL`

/** Is everything there as it was written? */
export function isWhole(db: DatabaseSync): boolean {
  if (db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check !== 'ok') return false
  for (const row of db.prepare('SELECT * FROM versions').iterate()) {
    if (sumOf(row as unknown as Row) !== row.sum) return false
  }
  if (db.prepare(ASTRAY).get()?.n !== 0) return false
  return db.prepare("SELECT value FROM meta WHERE key = 'compacted'").get() !== undefined
}

/** Databases of format 1 have no sums yet. */
export function addSums(db: DatabaseSync): void {
  db.exec('ALTER TABLE versions ADD COLUMN sum INTEGER NOT NULL DEFAULT 0')
  const set = db.prepare('UPDATE versions SET sum = ? WHERE rev = ?')
  for (const row of db.prepare('SELECT * FROM versions').all()) set.run(sumOf(row as unknown as Row), Number(row.rev))
}
