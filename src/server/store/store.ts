import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { compactTo } from './compact.ts'
import { openDatabase } from './database.ts'
import { sumOf } from './integrity.ts'

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED'

export interface Key {
  resource: string
  namespace: string
  name: string
}

export interface StoredVersion {
  namespace: string
  name: string
  rev: number
  body: string
}

export interface Change extends Key {
  rev: number
  type: ChangeType
  body: string
  /** What was there before; selectors need it to tell leaving from never having been in. */
  prev: string | undefined
}

export interface ListQuery {
  resource: string
  namespace?: string | undefined
  after?: { namespace: string; name: string } | undefined
  limit: number
  /** The state as of this revision; the newest if left out. */
  at?: number | undefined
}

/** The disk refused a write; everything of the batch was rolled back and nothing of it acknowledged. */
export class StoreWriteError extends Error {
  constructor(cause: unknown) {
    super('the write could not be stored', { cause })
    this.name = 'StoreWriteError'
  }
}

/** Before and after each step there is; a crash must do no harm at any of them, and tests let it crash there. */
export const STORE_POINTS = [
  'before write',
  'after write',
  'before commit',
  'after commit',
  'before notify',
  'after notify',
  'before compact',
  'after compact',
] as const
export type StorePoint = (typeof STORE_POINTS)[number]

interface Batch {
  changes: Change[]
  done: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * All objects and their recent history, one revision per write.
 * Writes of one turn of the event loop share a transaction; `committed()` settles when it is on disk.
 */
export class Store {
  readonly #db: DatabaseSync
  readonly #listeners = new Set<(change: Change) => void>()
  readonly #sql: Record<'get' | 'insert' | 'setHead' | 'dropHead' | 'changes' | 'count', StatementSync>
  readonly #lists = new Map<string, StatementSync>()
  #batch: Batch | undefined
  #revision: number
  #durable: number
  #compacted: number
  #commits = 0
  readonly #at: (point: StorePoint) => void

  constructor(dir: string, at: (point: StorePoint) => void = () => {}) {
    this.#at = at
    this.#db = openDatabase(dir)
    const sql = (text: string): StatementSync => this.#db.prepare(text)
    this.#sql = {
      get: sql(
        'SELECT v.namespace, v.name, v.rev, v.body FROM heads h JOIN versions v ON v.rev = h.rev WHERE h.resource = ? AND h.namespace = ? AND h.name = ?',
      ),
      insert: sql(
        'INSERT INTO versions (rev, resource, namespace, name, type, prev, body, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ),
      setHead: sql('INSERT OR REPLACE INTO heads (resource, namespace, name, rev) VALUES (?, ?, ?, ?)'),
      dropHead: sql('DELETE FROM heads WHERE resource = ? AND namespace = ? AND name = ?'),
      changes: sql(
        `SELECT v.rev, v.resource, v.namespace, v.name, v.type, v.body, p.body AS prev FROM versions v
         LEFT JOIN versions p ON p.rev = v.prev WHERE v.resource = ? AND v.rev > ? AND v.rev <= ? ORDER BY v.rev LIMIT ?`,
      ),
      count: sql(
        `SELECT count(*) AS n FROM heads WHERE resource = :resource AND (:namespace = '' OR namespace = :namespace)
         AND (namespace, name) > (:afterNamespace, :afterName)`,
      ),
    }
    this.#compacted = Number(sql("SELECT value FROM meta WHERE key = 'compacted'").get()?.value)
    const newest = Number(sql('SELECT coalesce(max(rev), 0) AS rev FROM versions').get()?.rev)
    this.#revision = Math.max(newest, this.#compacted, 1)
    this.#durable = this.#revision
  }

  /** The newest revision on disk. */
  get revision(): number {
    return this.#durable
  }

  /** The newest revision given out; behind it may be writes that are not yet acknowledged. */
  get latest(): number {
    return this.#revision
  }

  /** Changes up to here are forgotten: a watch cannot resume from before it. */
  get compacted(): number {
    return this.#compacted
  }

  /** Commits so far: fewer than writes where several shared one. */
  get commits(): number {
    return this.#commits
  }

  /** Asked of the connection that writes: each has its own, and no other could tell. */
  get synchronous(): number {
    return Number(this.#db.prepare('PRAGMA synchronous').get()?.synchronous)
  }

  get(key: Key): StoredVersion | undefined {
    return this.#sql.get.get(key.resource, key.namespace, key.name) as StoredVersion | undefined
  }

  /** `build` gets the revision the write will have. */
  put(key: Key, build: (rev: number) => string): Change {
    const before = this.get(key)
    return this.#write(key, before ? 'MODIFIED' : 'ADDED', before, build)
  }

  /** `build` makes the last state of the object, as watchers are told. */
  remove(key: Key, build: (rev: number) => string): Change | undefined {
    const before = this.get(key)
    return before && this.#write(key, 'DELETED', before, build)
  }

  #write(key: Key, type: ChangeType, before: StoredVersion | undefined, build: (rev: number) => string): Change {
    const rev = this.#revision + 1
    const body = build(rev)
    const batch = this.#open()
    this.#at('before write')
    try {
      const prev = before?.rev ?? 0
      const sum = sumOf({ ...key, rev, type, prev, body })
      this.#sql.insert.run(rev, key.resource, key.namespace, key.name, type, prev, body, sum)
      if (type === 'DELETED') this.#sql.dropHead.run(key.resource, key.namespace, key.name)
      else this.#sql.setHead.run(key.resource, key.namespace, key.name, rev)
    } catch (error) {
      throw this.#fail(batch, error)
    }
    this.#at('after write')
    this.#revision = rev
    const change = { ...key, rev, type, body, prev: before?.body }
    batch.changes.push(change)
    return change
  }

  /** Settles when all writes so far are on disk; rejects when the disk refused them. */
  committed(): Promise<void> {
    return this.#batch?.done ?? Promise.resolve()
  }

  #open(): Batch {
    if (this.#batch) return this.#batch
    try {
      this.#db.exec('BEGIN IMMEDIATE')
    } catch (error) {
      throw new StoreWriteError(error)
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    // Whoever wrote awaits it; without a waiter a refusal must not end the process.
    promise.catch(() => {})
    const batch: Batch = { changes: [], done: promise, resolve, reject }
    this.#batch = batch
    setImmediate(() => this.#commit(batch))
    return batch
  }

  #commit(batch: Batch): void {
    if (this.#batch !== batch) return
    this.#at('before commit')
    try {
      this.#db.exec('COMMIT')
    } catch (error) {
      this.#fail(batch, error)
      return
    }
    this.#at('after commit')
    this.#commits++
    this.#batch = undefined
    this.#durable = this.#revision
    for (const change of batch.changes) {
      this.#at('before notify')
      this.#notify(change)
      this.#at('after notify')
    }
    batch.resolve()
  }

  /** One listener's trouble must not keep the others, or the writers, waiting. */
  #notify(change: Change): void {
    for (const listener of this.#listeners) {
      try {
        listener(change)
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error))
      }
    }
  }

  #fail(batch: Batch, cause: unknown): StoreWriteError {
    this.#batch = undefined
    this.#revision = this.#durable
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
    } catch {
      // SQLite rolls back by itself on some errors; the next BEGIN tells whether it still works.
    }
    const error = new StoreWriteError(cause)
    batch.reject(error)
    return error
  }

  list(query: ListQuery): StoredVersion[] {
    const past = query.at !== undefined && query.at < this.#revision
    const parameters: Record<string, string | number> = {
      resource: query.resource,
      namespace: query.namespace ?? '',
      afterNamespace: query.after?.namespace ?? '',
      afterName: query.after?.name ?? '',
      limit: query.limit,
    }
    if (past) parameters.at = query.at ?? 0
    return this.#listStatement(past, query.namespace !== undefined).all(parameters) as unknown as StoredVersion[]
  }

  #listStatement(past: boolean, inNamespace: boolean): StatementSync {
    const id = `${past} ${inNamespace}`
    let statement = this.#lists.get(id)
    if (!statement) {
      const scope = inNamespace
        ? 'namespace = :namespace AND name > :afterName'
        : '(namespace, name) > (:afterNamespace, :afterName)'
      const ours = `resource = :resource AND ${scope}`
      // A version lived at :at if it is a head not younger, or if its successor is younger.
      const live = past
        ? `SELECT namespace, name, rev FROM heads WHERE ${ours} AND rev <= :at UNION ALL
           SELECT namespace, name, prev AS rev FROM versions WHERE ${ours} AND rev > :at AND prev BETWEEN 1 AND :at`
        : `SELECT namespace, name, rev FROM heads WHERE ${ours}`
      statement = this.#db.prepare(
        `SELECT l.namespace, l.name, v.rev, v.body FROM (${live} ORDER BY namespace, name LIMIT :limit) l
         JOIN versions v ON v.rev = l.rev ORDER BY l.namespace, l.name`,
      )
      statement.setAllowUnknownNamedParameters(true)
      this.#lists.set(id, statement)
    }
    return statement
  }

  count(resource: string, namespace: string | undefined, after: { namespace: string; name: string }): number {
    const row = this.#sql.count.get({
      resource,
      namespace: namespace ?? '',
      afterNamespace: after.namespace,
      afterName: after.name,
    })
    return Number(row?.n)
  }

  /** Changes on disk after `rev`, oldest first. */
  changesAfter(resource: string, rev: number, limit: number): Change[] {
    const rows = this.#sql.changes.all(resource, rev, this.#durable, limit) as unknown as Array<
      Change & { prev: string | null }
    >
    return rows.map((row) => ({ ...row, prev: row.prev ?? undefined }))
  }

  /** Called for every change after it is on disk, in order of revision. */
  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Forgets superseded versions up to `rev`. Works in small steps so that requests come through in between. */
  async compact(rev: number): Promise<void> {
    const target = Math.min(rev, this.#durable)
    if (target <= this.#compacted) return
    this.#compacted = target
    await compactTo(this.#db, target, () => this.committed(), this.#at)
  }

  async close(): Promise<void> {
    await this.committed()
    if (this.#db.isOpen) this.#db.close()
  }
}
