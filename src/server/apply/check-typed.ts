import { isObject } from '../../lib/json.ts'
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
    problems.push(
      `${fieldPathText(path)}: expected ${EXPECTED[schema.type]}, got &value.valueUnstructured{Value:${goLiteral(value)}}`,
    )
    return
  }
  if (Array.isArray(value)) {
    const shape = shapeOf(schema, value)
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
