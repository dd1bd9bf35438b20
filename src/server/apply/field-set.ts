/**
 * A set of field paths, kept as a tree. Steps are written as in managedFields: `f:name` for a field,
 * `k:{"name":"x"}` for a list item by its keys, `v:"x"` for an item of a set.
 */
export class FieldSet {
  /** Is the path that ends here itself in the set? */
  member = false
  readonly children = new Map<string, FieldSet>()

  static fromJson(json: unknown): FieldSet {
    const set = new FieldSet()
    if (typeof json !== 'object' || json === null) return set
    for (const [step, below] of Object.entries(json)) {
      if (step === '.') {
        set.member = true
        continue
      }
      const child = FieldSet.fromJson(below)
      if (typeof below === 'object' && below !== null && Object.keys(below).length === 0) child.member = true
      set.children.set(step, child)
    }
    return set
  }

  toJson(): Record<string, unknown> {
    const json: Record<string, unknown> = {}
    if (this.member && this.children.size > 0) json['.'] = {}
    for (const step of [...this.children.keys()].sort()) json[step] = this.children.get(step)?.toJson()
    return json
  }

  get isEmpty(): boolean {
    return !this.member && this.children.size === 0
  }

  add(path: readonly string[]): void {
    let node: FieldSet = this
    for (const step of path) {
      let next = node.children.get(step)
      if (!next) {
        next = new FieldSet()
        node.children.set(step, next)
      }
      node = next
    }
    node.member = true
  }

  /** May share parts with either: a set is not added to once others were made from it. */
  union(other: FieldSet): FieldSet {
    if (other.isEmpty) return this
    if (this.isEmpty) return other
    const out = new FieldSet()
    out.member = this.member || other.member
    for (const [step, child] of this.children) {
      const also = other.children.get(step)
      out.children.set(step, also ? child.union(also) : child)
    }
    for (const [step, child] of other.children) if (!out.children.has(step)) out.children.set(step, child)
    return out
  }

  /** May share parts with this one. */
  minus(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this
    const out = new FieldSet()
    out.member = this.member && !other.member
    for (const [step, child] of this.children) {
      const less = other.children.get(step)
      const left = less ? child.minus(less) : child
      if (!left.isEmpty) out.children.set(step, left)
    }
    return out
  }

  and(other: FieldSet): FieldSet {
    return combine(this, other, (a, b) => a && b)
  }

  equals(other: FieldSet): boolean {
    return combine(this, other, (a, b) => a !== b).isEmpty
  }

  /** In the order in which conflicts are told: at each level first what ends there, then what goes deeper. */
  *paths(prefix: readonly string[] = []): Generator<string[]> {
    const children = [...this.children].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [step, child] of children) if (child.member) yield [...prefix, step]
    for (const [step, child] of children) yield* child.paths([...prefix, step])
  }
}

const NOTHING = new FieldSet()

function combine(a: FieldSet, b: FieldSet, rule: (a: boolean, b: boolean) => boolean): FieldSet {
  const out = new FieldSet()
  out.member = rule(a.member, b.member)
  for (const step of new Set([...a.children.keys(), ...b.children.keys()])) {
    const child = combine(a.children.get(step) ?? NOTHING, b.children.get(step) ?? NOTHING, rule)
    if (!child.isEmpty) out.children.set(step, child)
  }
  return out
}

/** `.spec.containers[name="x"].image`, as conflicts name a field. */
export function fieldPathText(path: readonly string[]): string {
  return path
    .map((step) => {
      const rest = step.slice(2)
      if (step.startsWith('f:')) return `.${rest}`
      if (step.startsWith('k:')) {
        return `[${keysOf(rest)
          .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
          .join(',')}]`
      }
      return step.startsWith('v:') ? `[=${rest}]` : `[${rest}]`
    })
    .join('')
}

/** A client may have written anything here. */
function keysOf(text: string): Array<[string, unknown]> {
  try {
    return Object.entries(JSON.parse(text) as Record<string, unknown>)
  } catch {
    return []
  }
}
