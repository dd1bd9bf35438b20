// Objects and changes with the verdict they must get: from src/api and, the same, from a real kube-apiserver.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type KubeObject = { [key: string]: Json }

export interface Row {
  name: string
  /** The stored object this one is to replace. */
  old?: KubeObject
  object: KubeObject
  /** Where the refusal points, as the apiserver writes it; absent: accepted. */
  refused?: string
}

export type Changes = Record<string, Json | undefined>

/** A copy with some places changed: `spec.replicaSpecs[0].replicas`; undefined removes. */
export function change(base: KubeObject, changes: Changes): KubeObject {
  // Not structuredClone: what two places share must not change in both.
  const copy = JSON.parse(JSON.stringify(base)) as KubeObject
  for (const [path, value] of Object.entries(changes)) {
    const steps = path.split(/[.[\]]+/).filter(Boolean)
    const last = steps.pop()!
    let at = copy as Record<string, Json>
    for (const [i, step] of steps.entries()) {
      at[step] ??= /^\d+$/.test(steps[i + 1] ?? last) ? [] : {}
      at = at[step] as Record<string, Json>
    }
    if (value === undefined) delete at[last]
    else at[last] = value
  }
  return copy
}

/** Rows about one base: `good` and `bad` new objects, `may` and `mayNot` change it. */
export class Table {
  readonly rows: Row[] = []
  readonly #kind: string
  readonly #base: KubeObject

  constructor(base: KubeObject) {
    this.#base = base
    this.#kind = String(base.kind)
  }

  good(what: string, changes: Changes): this {
    this.rows.push({ name: `${this.#kind}: ${what}`, object: change(this.#base, changes) })
    return this
  }

  bad(what: string, changes: Changes, refused: string): this {
    this.rows.push({ name: `${this.#kind}: ${what}`, object: change(this.#base, changes), refused })
    return this
  }

  /** `before` shapes the stored object, `after` is then changed in it. */
  may(what: string, before: Changes, after: Changes): this {
    const old = change(this.#base, before)
    this.rows.push({ name: `${this.#kind}: may ${what}`, old, object: change(old, after) })
    return this
  }

  mayNot(what: string, before: Changes, after: Changes, refused: string): this {
    const old = change(this.#base, before)
    this.rows.push({ name: `${this.#kind}: may not ${what}`, old, object: change(old, after), refused })
    return this
  }

  /** The same for each of several values. */
  each(values: readonly Json[], row: (table: this, value: Json, shown: string) => void): this {
    for (const value of values) row(this, value, JSON.stringify(value))
    return this
  }
}
