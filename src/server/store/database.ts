import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { addSums, isWhole } from './integrity.ts'

/** Written into the file itself; raised with every change to the tables below. */
export const SCHEMA_VERSION = 2

/** The data directory cannot be used; the message is for the person who started the server. */
export class StoreOpenError extends Error {
  readonly code: 'LOCKED' | 'NEWER' | 'DAMAGED' | 'UNUSABLE'
  constructor(code: 'LOCKED' | 'NEWER' | 'DAMAGED' | 'UNUSABLE', message: string) {
    super(message)
    this.name = 'StoreOpenError'
    this.code = code
  }
}

const TABLES = `
  CREATE TABLE versions (
    rev INTEGER PRIMARY KEY,
    resource TEXT NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    prev INTEGER NOT NULL,
    body TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX versions_by_resource ON versions (resource, rev);
  CREATE TABLE heads (
    resource TEXT NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    rev INTEGER NOT NULL,
    PRIMARY KEY (resource, namespace, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('compacted', 0);
`

const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

export function openDatabase(dir: string): DatabaseSync {
  const file = join(dir, 'trainyard.db')
  let db: DatabaseSync | undefined
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const isNew = !existsSync(file)
    // Secrets are in it; the files SQLite puts beside it are as private as it is.
    if (isNew) closeSync(openSync(file, 'a', 0o600))
    db = new DatabaseSync(file)
    // The exclusive lock is the lock of the data directory: the kernel drops it when the process dies.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    db.exec('PRAGMA journal_mode = WAL')
    db.exec('PRAGMA synchronous = FULL')
    db.exec('PRAGMA journal_size_limit = 67108864')
    prepareTables(db, file)
    if (!isNew && !isWhole(db)) throw damaged(file)
    return db
  } catch (error) {
    db?.close()
    throw error instanceof StoreOpenError ? error : explain(error, dir, file)
  }
}

function prepareTables(db: DatabaseSync, file: string): void {
  db.exec('BEGIN IMMEDIATE')
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (version > SCHEMA_VERSION) {
    throw new StoreOpenError(
      'NEWER',
      `${file} was written by a newer Trainyard (format ${version}, this one knows ${SCHEMA_VERSION}); use that version, or another data directory`,
    )
  }
  if (version === 0) db.exec(TABLES)
  if (version === 1) addSums(db)
  if (version < SCHEMA_VERSION) db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  db.exec('COMMIT')
}

const damaged = (file: string): StoreOpenError =>
  new StoreOpenError(
    'DAMAGED',
    `the database ${file} is damaged; move it away (its -wal file too) to start empty, or restore a copy`,
  )

function explain(error: unknown, dir: string, file: string): StoreOpenError {
  const code = (error as { errcode?: number }).errcode ?? 0
  const primary = code & 0xff
  if (primary === SQLITE_BUSY || primary === SQLITE_LOCKED) {
    return new StoreOpenError('LOCKED', `another server is using the data directory ${dir}`)
  }
  if (primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB) return damaged(file)
  return unusable(error, dir)
}

export function unusable(error: unknown, dir: string): StoreOpenError {
  const why = (error as NodeJS.ErrnoException).code ?? (error as { errstr?: string }).errstr ?? 'unknown reason'
  return new StoreOpenError(
    'UNUSABLE',
    `the data directory ${dir} cannot be used (${why}); it must be writable and have free space`,
  )
}
