import { isObject, sameJson } from '../../lib/json.ts'
import type { TypedSchema } from '../schema/kubernetes-schemas.ts'
import { badRequest, StatusError } from '../status-error.ts'
import { goText } from './go-text.ts'

type Fields = Record<string, unknown>

const DIRECTIVE = '$patch'
const ORDER = '$setElementOrder/'
const DELETE_FROM = '$deleteFromPrimitiveList/'
const RETAIN = '$retainKeys'

/** Like a merge patch, but lists whose items have a key are merged by it; the schema tells which. */
export function applyStrategicMerge(schema: TypedSchema | undefined, target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  return mergeFields(schema, isObject(target) ? target : {}, patch)
}

function mergeFields(schema: TypedSchema | undefined, target: Fields, patch: Fields): Fields {
  const directive = patch[DIRECTIVE]
  if (directive === 'replace') return withoutDirectives(patch)
  if (directive === 'delete') return {}
  if (directive !== undefined && directive !== 'merge')
    throw new StatusError(500, '', `unknown patch type: ${String(directive)} in map: ${goText(patch)}`)
  const out: Fields = retained(target, patch[RETAIN])
  for (const [key, value] of Object.entries(patch)) {
    if (key === DIRECTIVE || key === RETAIN || key.startsWith(ORDER)) continue
    if (key.startsWith(DELETE_FROM)) {
      const field = key.slice(DELETE_FROM.length)
      if (Array.isArray(out[field]) && Array.isArray(value)) {
        out[field] = (out[field] as unknown[]).filter((item) => !value.some((gone) => sameJson(gone, item)))
      }
      continue
    }
    if (value === null) {
      delete out[key]
      continue
    }
    out[key] = mergeValue(childSchema(schema, key), out[key], value)
  }
  for (const [key, order] of Object.entries(patch)) {
    const field = key.slice(ORDER.length)
    const present = target[field]
    if (!key.startsWith(ORDER) || !Array.isArray(order) || !Array.isArray(out[field]) || !Array.isArray(present))
      continue
    const mergeKey = childSchema(schema, field)?.['x-kubernetes-patch-merge-key']
    out[field] = inOrder(out[field] as unknown[], order, present, mergeKey)
  }
  return out
}

function mergeValue(schema: TypedSchema | undefined, target: unknown, value: unknown): unknown {
  if (isObject(value)) return mergeFields(schema, isObject(target) ? target : {}, value)
  if (!Array.isArray(value)) return value
  const strategy = schema?.['x-kubernetes-patch-strategy'] ?? ''
  if (!strategy.split(',').includes('merge')) return value.map(withoutDirectives)
  const key = schema?.['x-kubernetes-patch-merge-key']
  if (!Array.isArray(target)) return value.map(withoutDirectives)
  const merged = key ? mergeItems(schema?.items, key, target, value) : mergePrimitives(target, value)
  return inOrder(merged, value, target, key)
}

function mergePrimitives(present: unknown[], added: unknown[]): unknown[] {
  return [...present, ...added.filter((item) => !present.some((old) => sameJson(old, item)))]
}

function mergeItems(schema: TypedSchema | undefined, key: string, present: unknown[], patch: unknown[]): unknown[] {
  if (patch.some((item) => isObject(item) && item[DIRECTIVE] === 'replace' && item[key] === undefined)) {
    return patch.filter((item) => !(isObject(item) && item[DIRECTIVE] === 'replace')).map(withoutDirectives)
  }
  let out = [...present]
  for (const item of patch) {
    if (!isObject(item)) throw badRequest(`a list merged by "${key}" takes objects only`)
    const id = item[key]
    if (id === undefined)
      throw new StatusError(500, '', `map: ${goText(item)} does not contain declared merge key: ${key}`)
    const at = out.findIndex((old) => isObject(old) && sameJson(old[key], id))
    if (item[DIRECTIVE] === 'delete') out = out.filter((old) => !(isObject(old) && sameJson(old[key], id)))
    else if (at < 0) out.push(mergeFields(schema, {}, item))
    else out[at] = mergeFields(schema, out[at] as Fields, item)
  }
  return out
}

/**
 * What the patch (or its order) names comes first and in that order; what only the server has is put back before the
 * first named item that stood behind it.
 */
function inOrder(merged: unknown[], named: unknown[], present: unknown[], key: string | undefined): unknown[] {
  const idOf = (item: unknown): string => JSON.stringify(key && isObject(item) ? item[key] : item)
  const wanted = new Map(named.map((item, i) => [idOf(item), i]))
  const place = new Map(present.map((item, i) => [idOf(item), i]))
  const out = merged
    .filter((item) => wanted.has(idOf(item)))
    .sort((x, y) => (wanted.get(idOf(x)) ?? 0) - (wanted.get(idOf(y)) ?? 0))
  let from = 0
  for (const item of merged.filter((other) => !wanted.has(idOf(other)))) {
    const own = place.get(idOf(item)) ?? 0
    while (from < out.length && !((place.get(idOf(out[from])) ?? -1) > own)) from++
    out.splice(from++, 0, item)
  }
  return out
}

function retained(target: Fields, keys: unknown): Fields {
  if (!Array.isArray(keys)) return { ...target }
  return Object.fromEntries(Object.entries(target).filter(([key]) => keys.includes(key)))
}

function childSchema(schema: TypedSchema | undefined, key: string): TypedSchema | undefined {
  if (schema?.properties && Object.hasOwn(schema.properties, key)) return schema.properties[key]
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

function withoutDirectives(value: unknown): Fields {
  if (Array.isArray(value)) return value.map(withoutDirectives) as unknown as Fields
  if (!isObject(value)) return value as Fields
  const kept = Object.entries(value).filter(
    ([key]) => key !== DIRECTIVE && key !== RETAIN && !key.startsWith(ORDER) && !key.startsWith(DELETE_FROM),
  )
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutDirectives(child)]))
}
