import { isObject } from '../../lib/json.ts'
import type { TypedSchema } from '../schema/kubernetes-schemas.ts'

/** What a value is made of, as far as ownership goes: a leaf is owned as a whole. */
export type Shape = { kind: 'leaf' } | { kind: 'fields' } | { kind: 'items'; identify: (item: unknown) => string }

const LEAF: Shape = { kind: 'leaf' }
const FIELDS: Shape = { kind: 'fields' }

export function shapeOf(schema: TypedSchema | undefined, value: unknown): Shape {
  if (isObject(value)) return schema?.['x-kubernetes-map-type'] === 'atomic' ? LEAF : FIELDS
  if (!Array.isArray(value)) return LEAF
  const type = schema?.['x-kubernetes-list-type']
  if (type === 'set') return { kind: 'items', identify: (item) => `v:${JSON.stringify(item)}` }
  const keys = schema?.['x-kubernetes-list-map-keys']
  if (type !== 'map' || !keys) return LEAF
  const sorted = [...keys].sort()
  const defaults = schema?.items?.properties ?? {}
  const identify = (item: unknown): string => {
    const id: Record<string, unknown> = {}
    for (const key of sorted) id[key] = (isObject(item) ? item[key] : undefined) ?? defaults[key]?.default ?? null
    return `k:${JSON.stringify(id)}`
  }
  return { kind: 'items', identify }
}

/** The schema below one step; undefined where the schema says nothing. */
export function schemaBelow(schema: TypedSchema | undefined, step: string): TypedSchema | undefined {
  if (!step.startsWith('f:')) return schema?.items
  const name = step.slice(2)
  if (schema?.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name]
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

/** Is the step a field the kind declares, unlike a key that a user made up? */
export function isDeclared(schema: TypedSchema | undefined, step: string): boolean {
  return step.startsWith('f:') && schema?.properties !== undefined && Object.hasOwn(schema.properties, step.slice(2))
}

export interface Member {
  step: string
  value: unknown
}

export function membersOf(shape: Shape, value: unknown): Member[] {
  if (shape.kind === 'fields') {
    return Object.entries(value as Record<string, unknown>).map(([key, member]) => ({
      step: `f:${key}`,
      value: member,
    }))
  }
  if (shape.kind === 'items') return (value as unknown[]).map((item) => ({ step: shape.identify(item), value: item }))
  return []
}
