// Which item of the old list an item of the new one continues. Only lists of type map can tell.
import { isObject, sameJson } from '../../lib/json.ts'
import type { Schema } from './schema.ts'

export function correlate(schema: Schema, old: unknown): (item: unknown) => unknown {
  const keys = schema['x-kubernetes-list-map-keys']
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !Array.isArray(old)) return () => undefined
  return (item) =>
    isObject(item)
      ? old.find((other) => isObject(other) && keys.every((key) => sameJson(other[key], item[key])))
      : undefined
}
