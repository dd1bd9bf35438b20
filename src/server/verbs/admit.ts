import { isObject } from '../../lib/json.ts'
import type { WriteOptions } from '../api.ts'
import type { ApiObject } from '../object.ts'
import { groupVersion, type Resource } from '../resources/resource.ts'
import { DecodeError, decodeBuiltIn } from '../schema/decode-built-in.ts'
import { schemaOfKind, type TypedSchema } from '../schema/kubernetes-schemas.ts'
import { badRequest, invalid, type StatusCause, type StatusError } from '../status-error.ts'

export interface Admitted {
  object: ApiObject
  /** What the schema found wrong; reported together with what validation finds. */
  causes: StatusCause[]
}

/** From a body to an object of the resource's kind: the right kind, no unknown fields, defaults filled in. */
export function admit(resource: Resource, sent: unknown, old: ApiObject | undefined, options: WriteOptions): Admitted {
  const raw = sent === null ? {} : sent
  if (!isObject(raw)) {
    const what = raw === undefined ? 'it is empty' : 'it is no object'
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): couldn't get version/kind: ${what}`,
    )
  }
  checkKind(resource, raw, options)
  const { object, unknown, causes, warnings = [] } = resource.decode(raw, old)
  judgeStrictness(resource, options, unknown)
  options.warnings.push(...warnings)
  object.apiVersion = groupVersion(resource)
  object.kind = resource.kind
  object.metadata ??= {}
  return { object: object as ApiObject, causes }
}

/** A built-in kind may be left out, the address says it; a custom one must say what it is. */
function checkKind(resource: Resource, raw: Record<string, unknown>, options: WriteOptions): void {
  const wanted = groupVersion(resource)
  const kind = raw.kind || (resource.custom ? '' : resource.kind)
  const apiVersion = raw.apiVersion || (resource.custom ? '' : wanted)
  for (const [field, value] of [
    ['Kind', kind],
    ['apiVersion', apiVersion],
  ]) {
    if (value !== '') continue
    const text = JSON.stringify(raw)
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): Object '${String(field)}' is missing in '${text}' (${text})`,
    )
  }
  if (apiVersion === wanted && kind === resource.kind) return
  if (resource.custom && apiVersion !== wanted) {
    // Of a version nobody has defined no field is known.
    const fields = Object.keys(raw).filter((field) => !['apiVersion', 'kind', 'metadata'].includes(field))
    judgeStrictness({ ...resource, version: versionOf(apiVersion) }, options, fields.sort())
    throw badRequest(
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${wanted})`,
    )
  }
  throw refuseOtherKind(resource, { ...raw, apiVersion, kind })
}

/** A body of another kind, read as what it says it is. */
export function refuseOtherKind(wanted: { group: string; kind: string }, body: Record<string, unknown>): StatusError {
  const { apiVersion, kind } = body
  const version = versionOf(apiVersion)
  const schema = schemaOfKind(apiVersion, kind)
  const internal = `${wanted.group.split('.')[0] || 'core'}.${wanted.kind}`
  const why = schema
    ? (decodeProblem(schema, body) ?? `converting (${version}.${String(kind)}) to (${internal}): unknown conversion`)
    : `no kind "${String(kind)}" is registered for version "${String(apiVersion)}" in scheme "pkg/runtime/scheme.go:111"`
  return badRequest(`${String(kind)} in version "${version}" cannot be handled as a ${wanted.kind}: ${why}`)
}

function decodeProblem(schema: TypedSchema, body: Record<string, unknown>): string | undefined {
  try {
    decodeBuiltIn(schema, body)
    return undefined
  } catch (error) {
    if (error instanceof DecodeError) return error.message
    throw error
  }
}

const versionOf = (apiVersion: unknown): string => String(apiVersion).split('/').at(-1) ?? ''

function judgeStrictness(resource: Resource, options: WriteOptions, unknown: readonly string[]): void {
  const { repeated = [], remarks = [] } = options
  const found = [
    ...(repeated.length > 0 ? [`yaml: unmarshal errors:\n  ${repeated.join('\n  ')}`] : []),
    ...remarks,
    ...options.duplicates.map((field) => `duplicate field "${field}"`),
    ...unknown.map((field) => `unknown field "${field}"`),
  ]
  if (found.length === 0 || options.fieldValidation === 'Ignore') return
  if (options.fieldValidation === 'Strict') {
    const prefix = `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}`
    throw badRequest(`${prefix}: strict decoding error: ${found.join(', ')}`)
  }
  options.warnings.push(...repeated, ...found.slice(repeated.length > 0 ? 1 : 0))
}

export function refuseInvalid(resource: Resource, object: ApiObject, causes: readonly StatusCause[]): void {
  if (causes.length > 0) throw invalid(resource.group, resource.kind, object.metadata.name ?? '', causes)
}
