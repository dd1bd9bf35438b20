// Every type and every bound of the schemas, overstepped once: made from the schemas and the full objects.
import { kindOf } from '../../../src/api/kinds.ts'
import type { Schema } from '../../../src/api/schema/schema.ts'
import { full } from './full.ts'
import { change, type Json, type KubeObject, type Row } from './row.ts'

interface Misstep {
  what: string
  value: Json | undefined
  /** Where the refusal points, if not at the value itself. */
  at?: string
}

function* misstepsOf(schema: Schema, value: Json): Generator<Misstep> {
  if (schema.type || schema['x-kubernetes-int-or-string'])
    yield { what: 'of a wrong type', value: schema.type === 'boolean' ? 'x' : true }
  if (schema.enum) yield { what: 'not in the list', value: 'Nonesuch' }
  if (schema.minimum !== undefined) yield { what: 'too small', value: schema.minimum - 1 }
  if (schema.maximum !== undefined) yield { what: 'too large', value: schema.maximum + 1 }
  else if (schema.format === 'int32') yield { what: 'beyond 32 bits', value: 2 ** 31, at: '<nil>' }
  if (schema.minLength) yield { what: 'empty', value: '' }
  if (schema.maxLength !== undefined) yield { what: 'too long', value: 'a'.repeat(schema.maxLength + 1) }
  if (schema.pattern) yield { what: 'misspelled', value: '?' }
  if (schema.minItems) yield { what: 'without entries', value: [] }
  if (schema.minProperties) yield { what: 'without entries', value: {} }
  if (schema.maxItems !== undefined && Array.isArray(value))
    yield { what: 'with too many entries', value: Array.from({ length: schema.maxItems + 1 }, () => value[0]!) }
  if (schema.maxProperties !== undefined) {
    const [first] = Object.values(value as KubeObject)
    const entries = Array.from({ length: schema.maxProperties + 1 }, (_, i): [string, Json] => [`k${i}`, first!])
    yield { what: 'with too many entries', value: Object.fromEntries(entries) }
  }
}

function* walk(schema: Schema, value: Json, path: string): Generator<{ path: string; misstep: Misstep }> {
  for (const misstep of misstepsOf(schema, value)) yield { path, misstep }
  if (schema.kubernetesType) return
  if (Array.isArray(value)) {
    if (schema.items) yield* walk(schema.items, value[0]!, `${path}[0]`)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const key of schema.required ?? [])
    yield { path: `${path}.${key}`, misstep: { what: 'missing', value: undefined } }
  for (const [key, member] of Object.entries(value)) {
    const other = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
    const child = schema.properties?.[key] ?? other
    if (child) yield* walk(child, member, `${path}.${key}`)
  }
}

export const bounds: Row[] = full.flatMap((object) => {
  const schema = kindOf(object.apiVersion, object.kind)!.version.schema
  const rows = [...walk(schema.properties!.spec!, object.spec!, 'spec')].map(({ path, misstep }) => ({
    name: `${object.kind}: ${path} ${misstep.what}`,
    object: change(object, { [path]: misstep.value }),
    refused: misstep.at ?? path,
  }))
  return [{ name: `${object.kind}: every field`, object }, ...rows]
})
