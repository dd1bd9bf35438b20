import { isObject } from '../../lib/json.ts'
import { goText } from '../patch/go-text.ts'
import type { TypedSchema } from '../schema/kubernetes-schemas.ts'
import { StatusError } from '../status-error.ts'
import { fieldPathText } from './field-set.ts'
import { schemaBelow, shapeOf } from './shape.ts'

/** A configuration that is applied must fit its schema before anything else: there is no dropping of unknown fields. */
export function checkTyped(
  schema: TypedSchema,
  config: Record<string, unknown>,
  apiVersion: string,
  kind: string,
): void {
  const problems: string[] = []
  visit(schema, config, [], problems)
  if (problems.length === 0) return
  const metadata = isObject(config.metadata) ? config.metadata : {}
  const gv = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
  const object = `${String(metadata.namespace ?? '')}/${String(metadata.name ?? '')}; ${gv}, Kind=${kind}`
  const text = problems.length === 1 ? problems[0] : `errors:\n${problems.map((p) => `  ${p}`).join('\n')}`
  throw new StatusError(500, '', `failed to create typed patch object (${object}): ${text}`)
}

const EXPECTED: Record<string, string> = {
  string: 'string',
  integer: 'numeric (int or float)',
  number: 'numeric (int or float)',
  boolean: 'boolean',
  object: 'map',
  array: 'list',
}

function visit(schema: TypedSchema | undefined, value: unknown, path: string[], problems: string[]): void {
  if (!schema || value === null || value === undefined || schema['x-kubernetes-preserve-unknown-fields']) return
  if (
    schema.type &&
    !schema['x-kubernetes-int-or-string'] &&
    schema.format !== 'quantity' &&
    !fits(schema.type, value)
  ) {
    problems.push(`${fieldPathText(path)}: expected ${EXPECTED[schema.type]}, got ${shown(schema.type, value)}`)
    return
  }
  if (Array.isArray(value)) {
    const shape = shapeOf(schema, value)
    const wrong = shape.kind === 'items' ? itemProblem(schema, value, shape.identify) : undefined
    if (wrong) {
      problems.push(`${fieldPathText(path)}: ${wrong}`)
      return
    }
    value.forEach((item, i) => {
      visit(schema.items, item, [...path, shape.kind === 'items' ? shape.identify(item) : `i:${i}`], problems)
    })
  } else if (isObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      const below = schemaBelow(schema, `f:${key}`)
      if (!below && schema.properties)
        problems.push(`${fieldPathText([...path, `f:${key}`])}: field not declared in schema`)
      else visit(below, child, [...path, `f:${key}`], problems)
    }
  }
}

/** Items that go by a key have one, and no two have the same. */
function itemProblem(schema: TypedSchema, items: unknown[], identify: (item: unknown) => string): string | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const defaults = schema.items?.properties ?? {}
  const seen = new Set<string>()
  for (const [i, item] of items.entries()) {
    const lacksAll = keys.every(
      (key) => isObject(item) && item[key] === undefined && defaults[key]?.default === undefined,
    )
    if (keys.length > 0 && lacksAll) {
      const names = `[${keys.map((key) => JSON.stringify(key)).join(' ')}]`
      return `element ${i}: associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`
    }
    const id = identify(item)
    if (seen.has(id)) return `duplicate entries for key ${fieldPathText([id])}`
    seen.add(id)
  }
  return undefined
}

/** Each sort of mismatch shows the value in its own way. */
function shown(type: string, value: unknown): string {
  if (type === 'string') return `&value.valueUnstructured{Value:${goLiteral(value)}}`
  if (type !== 'integer' && type !== 'number') return `&{${goText(value)}}`
  if (Array.isArray(value)) return '[]interface {}'
  return isObject(value) ? 'map[string]interface {}' : typeof value === 'boolean' ? 'bool' : typeof value
}

function fits(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer' || type === 'number') return typeof value === 'number'
  return typeof value === type
}

function goLiteral(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[]interface {}{${value.map(goLiteral).join(', ')}}`
  if (isObject(value))
    return `map[string]interface {}{${Object.entries(value)
      .map(([k, v]) => `${JSON.stringify(k)}:${goLiteral(v)}`)
      .join(', ')}}`
  return String(value)
}
