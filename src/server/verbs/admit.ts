import { isObject } from '../../lib/json.ts'
import type { WriteOptions } from '../api.ts'
import type { ApiObject } from '../object.ts'
import { groupVersion, type Resource } from '../resources/resource.ts'
import { badRequest, invalid, type StatusCause } from '../status-error.ts'

export interface Admitted {
  object: ApiObject
  /** What the schema found wrong; reported together with what validation finds. */
  causes: StatusCause[]
}

/** From a body to an object of the resource's kind: the right kind, no unknown fields, defaults filled in. */
export function admit(resource: Resource, raw: unknown, old: ApiObject | undefined, options: WriteOptions): Admitted {
  if (!isObject(raw))
    throw badRequest('the object provided is unrecognized (must be of type Object): the body is not a JSON object')
  checkKind(resource, raw)
  const { object, unknown, causes } = resource.decode(raw, old)
  judgeStrictness(options, unknown)
  object.apiVersion = groupVersion(resource)
  object.kind = resource.kind
  object.metadata ??= {}
  return { object: object as ApiObject, causes }
}

function checkKind(resource: Resource, raw: Record<string, unknown>): void {
  const { apiVersion, kind } = raw
  const wanted = groupVersion(resource)
  if (kind === undefined || kind === '') throw badRequest("Object 'Kind' is missing in the request body")
  if (apiVersion === undefined || apiVersion === '')
    throw badRequest("Object 'apiVersion' is missing in the request body")
  if (apiVersion !== wanted || kind !== resource.kind) {
    throw badRequest(
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${String(kind)}: the body is a ${String(apiVersion)} ${String(kind)}, the request is about ${wanted} ${resource.kind}`,
    )
  }
}

function judgeStrictness(options: WriteOptions, unknown: readonly string[]): void {
  const found = [
    ...options.duplicates.map((field) => `duplicate field "${field}"`),
    ...unknown.map((field) => `unknown field "${field}"`),
  ]
  if (found.length === 0 || options.fieldValidation === 'Ignore') return
  if (options.fieldValidation === 'Strict') throw badRequest(`strict decoding error: ${found.join(', ')}`)
  options.warnings.push(...found)
}

export function refuseInvalid(resource: Resource, object: ApiObject, causes: readonly StatusCause[]): void {
  if (causes.length > 0) throw invalid(resource.group, resource.kind, object.metadata.name ?? '', causes)
}
