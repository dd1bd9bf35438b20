import { formatQuantity, parseQuantity } from '../../api/quantity.ts'
import { isObject } from '../../lib/json.ts'
import { badRequest, type StatusError } from '../status-error.ts'
import type { TypedSchema } from './kubernetes-schemas.ts'

/** Why a body is no object of its kind, as Go's decoder puts it. */
export class DecodeError extends Error {
  /** The same as Go's converter of untyped objects puts it, which reads what a strategic patch has made. */
  readonly converted: string
  constructor(message: string, converted = message) {
    super(message)
    this.converted = converted
  }
}

/** A body that is refused because it cannot be read as its kind. */
export function undecodable(kind: string, version: string, cause: DecodeError): StatusError {
  const error = badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${cause.message}`)
  error.cause = cause
  return error
}

export interface Decoded {
  object: Record<string, unknown>
  unknown: string[]
}

interface Walk {
  unknown: string[]
  path: string
  goField: string
}

/** A built-in object as Go would read and write it back: unknown fields and nulls dropped, types checked. */
export function decodeBuiltIn(schema: TypedSchema, value: Record<string, unknown>): Decoded {
  const unknown: string[] = []
  const object = decodeStruct(schema, value, { unknown, path: '', goField: '' })
  return { object, unknown }
}

function decodeStruct(schema: TypedSchema, value: Record<string, unknown>, walk: Walk): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  const required = schema.required
  for (const [key, raw] of Object.entries(value)) {
    const child = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : undefined
    const path = walk.path ? `${walk.path}.${key}` : key
    if (!child) {
      walk.unknown.push(path)
      continue
    }
    if (raw === null || raw === undefined) continue
    const plain = path.replace(/\[\d+\]/g, '')
    const decoded = decode(child, raw, { unknown: walk.unknown, path, goField: `${schema.goType ?? ''}.${plain}` })
    if (!(isEmpty(child, decoded) && !required?.includes(key))) out[key] = decoded
  }
  return out
}

/** Go leaves empty lists and maps out when it writes (omitempty), but not empty structs. */
function isEmpty(schema: TypedSchema, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return schema.additionalProperties !== undefined && isObject(value) && Object.keys(value).length === 0
}

function decode(schema: TypedSchema, value: unknown, walk: Walk): unknown {
  if (schema['x-kubernetes-preserve-unknown-fields']) return value
  if (schema['x-kubernetes-int-or-string']) {
    if (typeof value === 'string' || Number.isInteger(value)) return value
    throw mismatch(value, 'int32', walk)
  }
  switch (schema.type) {
    case 'string':
      return decodeString(schema, value, walk)
    case 'boolean':
      if (typeof value !== 'boolean') throw mismatch(value, 'bool', walk)
      return value
    case 'integer':
      return decodeInteger(schema, value, walk)
    case 'number':
      if (typeof value !== 'number') throw mismatch(value, 'float64', walk)
      return value
    case 'array':
      return decodeArray(schema, value, walk)
    case 'object':
      return decodeObject(schema, value, walk)
    default:
      return value
  }
}

function decodeObject(schema: TypedSchema, value: unknown, walk: Walk): unknown {
  if (!isObject(value)) throw mismatch(value, goType(schema), walk)
  if (schema.properties) return decodeStruct(schema, value, walk)
  const items = schema.additionalProperties
  if (typeof items !== 'object') return value
  const out: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    const zero = items.type === 'string' ? '' : items.type === 'array' ? [] : {}
    out[key] = item === null ? zero : decode(items, item, { ...walk, path: `${walk.path}.${key}` })
  }
  return out
}

function decodeArray(schema: TypedSchema, value: unknown, walk: Walk): unknown {
  if (!Array.isArray(value)) throw mismatch(value, goType(schema), walk)
  const items = schema.items ?? {}
  return value.map((item, i) => {
    if (item === null) return items.type === 'string' ? '' : items.type === 'object' ? {} : item
    return decode(items, item, { ...walk, path: `${walk.path}[${i}]` })
  })
}

function decodeString(schema: TypedSchema, value: unknown, walk: Walk): unknown {
  if (schema.format === 'quantity') {
    const quantity = typeof value === 'number' || typeof value === 'string' ? parseQuantity(String(value)) : undefined
    if (quantity) return formatQuantity(quantity)
    throw new DecodeError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
  }
  if (typeof value !== 'string') throw mismatch(value, schema.format === 'date-time' ? goType(schema) : 'string', walk)
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(value))) {
    throw new DecodeError(`parsing time "${value}" as "2006-01-02T15:04:05Z07:00": cannot parse "${value}" as "2006"`)
  }
  if (schema.format === 'byte' && !isBase64(value)) {
    throw new DecodeError(`illegal base64 data at input byte ${firstBadByte(value)}`)
  }
  return value
}

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

function firstBadByte(text: string): number {
  const bad = text.search(/[^A-Za-z0-9+/]/)
  return bad < 0 ? text.length - (text.length % 4) : bad
}

const LIMITS: Record<string, number> = { int32: 2 ** 31, int64: 2 ** 63 }

function decodeInteger(schema: TypedSchema, value: unknown, walk: Walk): unknown {
  const type = schema.format ?? 'int64'
  if (typeof value !== 'number') throw mismatch(value, type, walk)
  const limit = LIMITS[type] ?? 2 ** 63
  if (!Number.isInteger(value) || value >= limit || value < -limit) {
    throw new DecodeError(`json: cannot unmarshal number ${value} into Go struct field ${walk.goField} of type ${type}`)
  }
  return value
}

function mismatch(value: unknown, type: string, walk: Walk): DecodeError {
  const what = Array.isArray(value)
    ? 'array'
    : value === null
      ? 'null'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value
  return new DecodeError(
    `json: cannot unmarshal ${what} into Go struct field ${walk.goField} of type ${type}`,
    conversionProblem(value, type),
  )
}

function conversionProblem(value: unknown, type: string): string {
  const kind = Array.isArray(value)
    ? 'slice'
    : isObject(value)
      ? 'map'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value === 'string'
          ? 'string'
          : Number.isInteger(value)
            ? 'int64'
            : 'float64'
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`
  if (type.startsWith('v1.')) return `cannot restore struct from: ${kind}`
  // In Go a number can become a text or another number; JSON must not, and says so. The rest has no way at all.
  const isConvertible =
    (kind === 'int64' || kind === 'float64') && type !== 'bool' && !(kind === 'float64' && type === 'string')
  return isConvertible ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${type}`
}

function goType(schema: TypedSchema): string {
  if (schema.type === 'array') return `[]${goType(schema.items ?? {})}`
  if (typeof schema.additionalProperties === 'object') return `map[string]${goType(schema.additionalProperties)}`
  if (schema.goType) return `v1.${schema.goType}`
  if (schema.type === 'integer') return schema.format ?? 'int64'
  return schema.type === 'boolean' ? 'bool' : (schema.type ?? 'interface {}')
}
