// Lists that are sets, or maps by the keys of their items, hold nothing twice.
import { isObject } from '../../lib/json.ts'
import type { Path } from '../issue.ts'
import { causeText, type Finding, shapeError } from './finding.ts'
import type { Schema } from './schema.ts'

export function* checkUnique(items: unknown[], schema: Schema, path: Path): Generator<Finding> {
  const type = schema['x-kubernetes-list-type']
  if (type !== 'set' && type !== 'map') return
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const identify = (item: unknown): unknown =>
    type === 'map' && isObject(item) ? Object.fromEntries(keys.filter((k) => k in item).map((k) => [k, item[k]])) : item
  const seen = new Map<string, number>()
  for (const [i, item] of items.entries()) {
    const id = identify(item)
    const key = JSON.stringify(id)
    const first = seen.get(key)
    if (first === undefined) {
      seen.set(key, i)
      continue
    }
    const shown = isObject(id) ? Object.values(id).join(', ') : String(id)
    const cause = causeText('FieldValueDuplicate', '', id)
    yield {
      ...shapeError([...path, i], `"${shown}" is there twice{see}`, 'FieldValueDuplicate', cause),
      see: [...path, first],
    }
  }
}
