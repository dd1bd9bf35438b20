// Structural schemas, as CRDs carry them, plus what only our own commands use.
import type { Path } from '../issue.ts'

export interface Rule {
  rule: string
  message: string
  messageExpression?: string
  /** Relative to the value the rule stands on, in the apiserver's notation: `.elastic.maxReplicas`. */
  fieldPath?: string
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate'
  optionalOldSelf?: boolean
  /** The same complaint for a person who sees the file; not part of the CRD. */
  tell?: (self: never, old: never) => Told | string
}

/** A complaint in our words. Paths are relative to the value the rule stands on. */
export interface Told {
  message: string
  path?: Path
  see?: Path
}

export type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'

export interface Schema {
  type?: SchemaType
  description?: string
  format?: string
  default?: unknown
  nullable?: boolean
  enum?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: boolean
  exclusiveMaximum?: boolean
  multipleOf?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  maxProperties?: number
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  not?: Schema
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-embedded-resource'?: boolean
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  'x-kubernetes-list-map-keys'?: string[]
  'x-kubernetes-map-type'?: 'atomic' | 'granular'
  'x-kubernetes-validations'?: Rule[]
  /** What to say when `pattern` does not match; not part of the CRD. */
  patternMeans?: string
  /** Said as a warning where the field is used, with what to write instead; not part of the CRD. */
  deprecated?: string
  /** The type this is in gen/kubernetes-types.ts, or in plain TypeScript; not part of the CRD. */
  kubernetesType?: string
  typescript?: string
  /** Said instead of a plain type error; not part of the CRD. */
  wrongType?: (value: unknown) => string | undefined
}

const OURS_ALONE = new Set(['patternMeans', 'deprecated', 'kubernetesType', 'typescript', 'wrongType', 'tell'])

/** The schema as a CRD carries it. */
export function emit(schema: Schema): Schema {
  return withoutOurs(schema) as Schema
}

/** Shared parts stay shared: four kinds hold the schema of a pod several times each. */
const emitted = new WeakMap<object, unknown>()

function withoutOurs(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  let known = emitted.get(value)
  if (known === undefined) {
    known = Array.isArray(value)
      ? value.map(withoutOurs)
      : Object.fromEntries(
          Object.entries(value).flatMap(([key, member]) =>
            OURS_ALONE.has(key) || member === undefined ? [] : [[key, withoutOurs(member)]],
          ),
        )
    emitted.set(value, known)
  }
  return known
}

type Extra = Omit<Schema, 'type' | 'description' | 'properties' | 'items'>

export const text = (description: string, extra: Extra = {}): Schema => ({ type: 'string', description, ...extra })
export const flag = (description: string, extra: Extra = {}): Schema => ({ type: 'boolean', description, ...extra })

export function int(description: string, extra: Extra = {}): Schema {
  return { type: 'integer', format: 'int32', description, ...extra }
}

export function long(description: string, extra: Extra = {}): Schema {
  return { type: 'integer', format: 'int64', description, ...extra }
}

export function list(description: string, items: Schema, extra: Extra = {}): Schema {
  return { type: 'array', description, items, 'x-kubernetes-list-type': 'atomic', ...extra }
}

export function map(description: string, additionalProperties: Schema, extra: Extra = {}): Schema {
  return { type: 'object', description, additionalProperties, ...extra }
}

export function record(description: string, properties: Record<string, Schema>, extra: Extra = {}): Schema {
  return { type: 'object', description, properties, ...extra }
}

export const words = (description: string): Schema => list(description, { type: 'string' })
