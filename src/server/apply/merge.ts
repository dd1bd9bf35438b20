import { isObject } from '../../lib/json.ts'
import type { TypedSchema } from '../schema/kubernetes-schemas.ts'
import { FieldSet } from './field-set.ts'
import { isDeclared, membersOf, schemaBelow, shapeOf } from './shape.ts'

/** The live object with everything the configuration says; list items keep their place, new ones follow. */
export function mergeApplied(schema: TypedSchema | undefined, live: unknown, applied: unknown): unknown {
  if (live === undefined || live === null || applied === null) return structuredClone(applied)
  const left = shapeOf(schema, live)
  const right = shapeOf(schema, applied)
  if (right.kind === 'leaf' || left.kind !== right.kind) return structuredClone(applied)
  if (right.kind === 'fields') {
    const out = { ...(live as Record<string, unknown>) }
    for (const [key, value] of Object.entries(applied as Record<string, unknown>)) {
      out[key] = mergeApplied(schemaBelow(schema, `f:${key}`), out[key], value)
    }
    return out
  }
  return mergeItems(schema, membersOf(left, live), membersOf(right, applied))
}

/**
 * The order of the configuration wins among its own items; items it does not know stay
 * where they stood relative to their neighbours.
 */
function mergeItems(
  schema: TypedSchema | undefined,
  live: ReadonlyArray<{ step: string; value: unknown }>,
  applied: ReadonlyArray<{ step: string; value: unknown }>,
): unknown[] {
  const olds = new Map(live.map((m) => [m.step, m.value]))
  const wanted = new Set(applied.map((m) => m.step))
  const out: unknown[] = []
  const merged = (step: string, value: unknown): unknown => mergeApplied(schema?.items, olds.get(step), value)
  let next = 0
  for (const old of live) {
    if (!wanted.has(old.step)) {
      out.push(old.value)
      continue
    }
    while (next < applied.length) {
      const item = applied[next++]
      if (!item) break
      out.push(merged(item.step, item.value))
      if (item.step === old.step || olds.has(item.step)) break
    }
  }
  for (; next < applied.length; next++) {
    const item = applied[next]
    if (item) out.push(merged(item.step, item.value))
  }
  return out
}

/** Takes out what `gone` owned and nobody in `kept` owns. */
export function prune(schema: TypedSchema, value: unknown, gone: FieldSet, kept: FieldSet): unknown {
  return pruneBelow(schema, value, gone, kept)
}

function pruneBelow(schema: TypedSchema | undefined, value: unknown, gone: FieldSet, kept: FieldSet): unknown {
  const shape = shapeOf(schema, value)
  if (shape.kind === 'leaf') return value
  const survivors: Array<{ step: string; value: unknown }> = []
  for (const member of membersOf(shape, value)) {
    const lost = gone.children.get(member.step)
    const held = kept.children.get(member.step)
    // A declared field counts as owned by whoever owned something in it.
    const wasOwned = lost !== undefined && (lost.member || isDeclared(schema, member.step))
    if (wasOwned && !held) continue
    const below = lost
      ? pruneBelow(schemaBelow(schema, member.step), member.value, lost, held ?? new FieldSet())
      : member.value
    survivors.push({ step: member.step, value: below })
  }
  if (isObject(value)) return Object.fromEntries(survivors.map((m) => [m.step.slice(2), m.value]))
  return survivors.map((m) => m.value)
}
