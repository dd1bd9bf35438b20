// What `trainyard explain KIND[.path]` and the reference pages say, read from the schemas.
import { type Kind, kinds } from './kinds.ts'
import { nearest } from './nearest.ts'
import type { Schema } from './schema/schema.ts'
import { canonicalType } from './tfjob/replica-types.ts'

export interface ExplainedField {
  name: string
  /** `string`, `[]string`, `object`, `map[string]object`, `int or string` … */
  type: string
  required: boolean
  /** Empty for Kubernetes' own fields. */
  description: string
  default?: unknown
  enum?: unknown[]
  minimum?: number
  maximum?: number
  deprecated?: string
}

export interface Explained extends ExplainedField {
  kind: string
  /** Of the version explained, the newest unless asked otherwise. */
  apiVersion: string
  /** Below the kind; empty for the kind itself. */
  path: string[]
  fields: ExplainedField[]
}

/**
 * `PyTorchTrainingJob.spec.elastic`, a plural, short name or any casing; or a sentence saying what is wrong with it. A
 * path may name elements as errors and manifests do: `replicaSpecs[0].type`, `tfReplicaSpecs.Worker.replicas`.
 */
export function explain(subject: string): Explained | string {
  const [name = '', ...path] = subject.replace(/\[[^\]]*\]/g, '').split('.')
  const kind = findKind(name)
  if (!kind) {
    const names = kinds.map((k) => k.kind)
    const meant = nearest(name, names)
    return `there is no kind "${name}"${meant ? `; did you mean ${meant}?` : `; there are ${names.join(', ')}`}`
  }
  const version = kind.versions[0]!
  let schema = version.schema
  let required = true
  let last = kind.kind
  for (const step of path) {
    if (isElement(schema, step)) {
      schema = schema.additionalProperties as Schema
      continue
    }
    const within = unwrap(schema)
    const child = Object.hasOwn(within.properties ?? {}, step) ? within.properties?.[step] : undefined
    if (!child) {
      const known = Object.keys(within.properties ?? {})
      const meant = nearest(step, known)
      const hint = meant ? `; did you mean ${meant}?` : known.length > 0 ? `; it has ${known.join(', ')}` : ''
      return `${last} has no field "${step}"${hint}`
    }
    required = within.required?.includes(step) ?? false
    schema = child
    last = step
  }
  return {
    kind: kind.kind,
    apiVersion: `${kind.group}/${version.name}`,
    path,
    ...describe(path.at(-1) ?? kind.kind, schema, required),
    fields: fieldsOf(schema),
  }
}

function isElement(schema: Schema, step: string): boolean {
  if (typeof schema.additionalProperties !== 'object') return false
  return step === '*' || canonicalType(step) !== undefined
}

export function fieldsOf(schema: Schema): ExplainedField[] {
  const within = unwrap(schema)
  return Object.entries(within.properties ?? {}).map(([name, child]) =>
    describe(name, child, within.required?.includes(name) ?? false),
  )
}

/** Lists and maps are looked through: their fields are those of their elements. */
export function unwrap(schema: Schema): Schema {
  let at = schema
  for (;;) {
    if (at.items) at = at.items
    else if (!at.properties && typeof at.additionalProperties === 'object') at = at.additionalProperties
    else return at
  }
}

function findKind(name: string): Kind | undefined {
  const wanted = name.toLowerCase()
  return kinds.find((k) => [k.kind.toLowerCase(), k.plural, k.singular, ...k.shortNames].includes(wanted))
}

function describe(name: string, schema: Schema, required: boolean): ExplainedField {
  const { description = '', minimum, maximum, deprecated } = schema
  return {
    name,
    type: typeName(schema),
    required,
    description,
    ...(schema.default !== undefined ? { default: schema.default } : {}),
    ...(schema.enum ? { enum: schema.enum } : {}),
    ...(minimum !== undefined ? { minimum } : {}),
    ...(maximum !== undefined ? { maximum } : {}),
    ...(deprecated ? { deprecated } : {}),
  }
}

function typeName(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string']) return 'int or string'
  if (schema.type === 'array') return `[]${schema.items ? typeName(schema.items) : 'any'}`
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return `map[string]${typeName(schema.additionalProperties)}`
  return schema.type ?? 'any'
}
