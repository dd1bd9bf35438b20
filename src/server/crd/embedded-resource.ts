import type { Schema } from '../../api/schema/schema.ts'
import { isObject } from '../../lib/json.ts'
import type { ApiObject } from '../object.ts'
import { invalidValue, required } from '../resources/field-errors.ts'
import { validateMetadata } from '../resources/metadata.ts'
import { checkPathSegment } from '../resources/name-rules.ts'
import { DecodeError, decodeBuiltIn } from '../schema/decode-built-in.ts'
import { kubernetesSchema, OBJECT_META } from '../schema/kubernetes-schemas.ts'
import type { StatusCause } from '../status-error.ts'

const EMBEDDED = { checkName: checkPathSegment, custom: false }

export interface Coerced {
  value: unknown
  unknown: string[]
  causes: StatusCause[]
}

/** Whole objects inside of others say what they are, and their metadata is that of any object. */
export function coerceEmbedded(schema: Schema, value: unknown): Coerced {
  const found = { unknown: [], causes: [] }
  return { value: visit(schema, value, '', found), ...found }
}

function visit(schema: Schema, value: unknown, path: string, found: Omit<Coerced, 'value'>): unknown {
  if (!hasEmbedded(schema)) return value
  if (Array.isArray(value))
    return value.map((item, i) => (schema.items ? visit(schema.items, item, `${path}[${i}]`, found) : item))
  if (!isObject(value)) return value
  const out = schema['x-kubernetes-embedded-resource'] ? coerce(value, path, found) : { ...value }
  const other = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  for (const [key, member] of Object.entries(out)) {
    const child = schema.properties?.[key] ?? other
    if (child) out[key] = visit(child, member, path ? `${path}.${key}` : key, found)
  }
  return out
}

function coerce(value: Record<string, unknown>, path: string, found: Omit<Coerced, 'value'>): Record<string, unknown> {
  for (const field of ['apiVersion', 'kind']) if (!value[field]) found.causes.push(required(`${path}.${field}`))
  if (!isObject(value.metadata)) return { ...value }
  try {
    const { object, unknown } = decodeBuiltIn(kubernetesSchema(OBJECT_META), value.metadata)
    found.unknown.push(...unknown.map((field) => `${path}.metadata.${field}`))
    const judged = validateMetadata({ metadata: object } as unknown as ApiObject, EMBEDDED)
    // It may be nameless: a template is.
    for (const cause of judged)
      if (cause.reason !== 'FieldValueRequired') found.causes.push({ ...cause, field: `${path}.${cause.field}` })
    return { ...value, metadata: object }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    found.causes.push(invalidValue(`${path}.metadata`, value.metadata, error.message))
    return { ...value }
  }
}

const embedding = new WeakMap<Schema, boolean>()

function hasEmbedded(schema: Schema): boolean {
  let known = embedding.get(schema)
  if (known === undefined) {
    const inside = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties]
    known =
      schema['x-kubernetes-embedded-resource'] === true ||
      inside.some((child) => typeof child === 'object' && hasEmbedded(child))
    embedding.set(schema, known)
  }
  return known
}
