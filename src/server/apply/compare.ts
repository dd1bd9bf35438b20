import { isObject, sameJson } from '../../lib/json.ts'
import type { TypedSchema } from '../schema/kubernetes-schemas.ts'
import { FieldSet } from './field-set.ts'
import { isDeclared, membersOf, schemaBelow, shapeOf } from './shape.ts'

export interface Comparison {
  added: FieldSet
  modified: FieldSet
  removed: FieldSet
}

/** Which fields differ between two states of an object. */
export function compare(schema: TypedSchema, before: unknown, after: unknown): Comparison {
  const result = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() }
  visit(schema, before, after, [], result)
  return result
}

function visit(
  schema: TypedSchema | undefined,
  before: unknown,
  after: unknown,
  path: string[],
  result: Comparison,
): void {
  // What two states share, as a status written beside a large spec, need not be walked.
  if (before === after) return
  if (before === undefined || after === undefined) {
    if (before === undefined) gather(schema, after, path, result.added)
    else gather(schema, before, path, result.removed)
    return
  }
  const left = before === null ? undefined : shapeOf(schema, before)
  const right = after === null ? undefined : shapeOf(schema, after)
  const isLeaf = left?.kind === 'leaf' || right?.kind === 'leaf' || (left && right && left.kind !== right.kind)
  if (isLeaf || (!left && !right)) {
    if (!sameJson(before, after)) result.modified.add(path)
    return
  }
  const olds = new Map((left ? membersOf(left, before) : []).map((m) => [m.step, m.value]))
  const news = new Map((right ? membersOf(right, after) : []).map((m) => [m.step, m.value]))
  for (const step of new Set([...olds.keys(), ...news.keys()])) {
    visit(schemaBelow(schema, step), olds.get(step), news.get(step), [...path, step], result)
  }
}

/** A value that only one of the two has: all of its fields. */
function gather(schema: TypedSchema | undefined, value: unknown, path: string[], set: FieldSet): void {
  if (path.length > 0) set.add(path)
  if (value === null) return
  for (const { step, value: below } of membersOf(shapeOf(schema, value), value)) {
    if (below !== undefined) gather(schemaBelow(schema, step), below, [...path, step], set)
  }
}

/** The fields an applied configuration speaks about: its leaves, and items and made-up keys themselves. */
export function fieldsOf(schema: TypedSchema, value: unknown): FieldSet {
  const set = new FieldSet()
  collect(schema, value, [], set)
  return set
}

function collect(schema: TypedSchema | undefined, value: unknown, path: string[], set: FieldSet): void {
  const shape = shapeOf(schema, value)
  const members = membersOf(shape, value)
  const isEmptyContainer = members.length === 0 && isObject(value)
  if (path.length > 0 && (shape.kind === 'leaf' || isEmptyContainer)) set.add(path)
  for (const member of members) {
    const below = [...path, member.step]
    if (shape.kind === 'items' || !isDeclared(schema, member.step)) set.add(below)
    collect(schemaBelow(schema, member.step), member.value, below, set)
  }
}
