import { isObject, sameJson } from '../../lib/json.ts'
import type { TypedSchema } from '../schema/kubernetes-schemas.ts'
import { badRequest } from '../status-error.ts'

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
    throw badRequest(`invalid ${DIRECTIVE} value "${String(directive)}": must be replace, merge or delete`)
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
    if (!key.startsWith(ORDER) || !Array.isArray(order) || !Array.isArray(out[field])) continue
    out[field] = sortBy(out[field] as unknown[], order, childSchema(schema, field)?.['x-kubernetes-patch-merge-key'])
  }
  return out
}

function mergeValue(schema: TypedSchema | undefined, target: unknown, value: unknown): unknown {
  if (isObject(value)) return mergeFields(schema, isObject(target) ? target : {}, value)
  if (!Array.isArray(value)) return value
  const strategy = schema?.['x-kubernetes-patch-strategy'] ?? ''
  if (!strategy.split(',').includes('merge')) return value.map(withoutDirectives)
  const key = schema?.['x-kubernetes-patch-merge-key']
  const present = Array.isArray(target) ? target : []
  return key ? mergeItems(schema?.items, key, present, value) : mergePrimitives(present, value)
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
    if (id === undefined) throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`)
    const at = out.findIndex((old) => isObject(old) && sameJson(old[key], id))
    if (item[DIRECTIVE] === 'delete') out = out.filter((old) => !(isObject(old) && sameJson(old[key], id)))
    else if (at < 0) out.push(mergeFields(schema, {}, item))
    else out[at] = mergeFields(schema, out[at] as Fields, item)
  }
  return out
}

/** Items the order names come in that order; the others keep their place before what followed them. */
function sortBy(items: unknown[], order: unknown[], key: string | undefined): unknown[] {
  const idOf = (item: unknown): string => JSON.stringify(key && isObject(item) ? item[key] : item)
  const rank = new Map(order.map((item, i) => [idOf(item), i]))
  const named = items
    .filter((item) => rank.has(idOf(item)))
    .sort((a, b) => (rank.get(idOf(a)) ?? 0) - (rank.get(idOf(b)) ?? 0))
  const out: unknown[] = []
  let next = 0
  for (const item of items) {
    if (!rank.has(idOf(item))) out.push(item)
    else out.push(named[next++])
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
