import { isObject } from '../../lib/json.ts'
import { jsonSyntaxError } from '../http/json-syntax.ts'
import { checkDepth, parseJson } from '../http/parse-json.ts'
import { parseYaml, YamlProblem } from '../http/parse-yaml.ts'
import type { ApiObject } from '../object.ts'
import { invalidValue } from '../resources/field-errors.ts'
import type { Resource } from '../resources/resource.ts'
import { DecodeError } from '../schema/decode-built-in.ts'
import { badRequest, type StatusCause, StatusError, unsupportedMediaType } from '../status-error.ts'
import { goText } from './go-text.ts'
import { applyJsonPatch, unknownInPatch } from './json-patch.ts'
import { applyMergePatch } from './merge-patch.ts'
import { quotePatched, type Touched, touchedByJsonPatch, touchedByMerge } from './quote-patched.ts'
import { applyStrategicMerge } from './strategic-merge.ts'

export type ParsedPatch =
  | {
      kind: 'change'
      duplicates: string[]
      /** What is odd about the patch itself. */
      remarks?: string[]
      apply: (live: ApiObject) => Record<string, unknown>
      /** Why what came out cannot be read as its kind. */
      refuse: (patched: Record<string, unknown>, cause: Error) => StatusCause
    }
  | { kind: 'apply'; duplicates: string[]; repeated: string[]; config: Record<string, unknown> }

const JSON_PATCH = 'application/json-patch+json'
const MERGE = 'application/merge-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'

export function parsePatch(resource: Resource, contentType: string, body: string): ParsedPatch {
  const type = contentType.split(';')[0]?.trim() ?? ''
  checkDepth(body)
  if (type === APPLY) return { kind: 'apply', ...parseConfiguration(body) }
  if (type !== JSON_PATCH && type !== MERGE && (type !== STRATEGIC || resource.custom)) {
    if (resource.custom) throw unsupportedMediaType([JSON_PATCH, MERGE, APPLY])
    throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
  }
  if (jsonSyntaxError(Buffer.from(body)) !== undefined) throw badRequest('invalid JSON patch')
  const { value, duplicates } = parseJson(body)
  if (type === JSON_PATCH)
    return {
      kind: 'change',
      duplicates: [],
      remarks: [...duplicates.map((field) => `json patch duplicate field "${field}"`), ...unknownInPatch(value)],
      apply: (live) => applyJsonPatch(live, value),
      refuse: (patched, cause) => refusePatched(resource, patched, touchedByJsonPatch(value), cause),
    }
  if (value === null && type === MERGE) throw badRequest('Invalid JSON Patch')
  if (!isObject(value))
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
    )
  if (type === STRATEGIC)
    return {
      kind: 'change',
      duplicates,
      apply: (live) => applyStrategicMerge(resource.schema, live, value) as Record<string, unknown>,
      refuse: (_, cause) =>
        invalidValue('patch', goText(value), cause instanceof DecodeError ? cause.converted : cause.message),
    }
  return {
    kind: 'change',
    duplicates,
    apply: (live) => applyMergePatch(live, value) as Record<string, unknown>,
    refuse: (patched, cause) => refusePatched(resource, patched, touchedByMerge(value), cause),
  }
}

const refusePatched = (
  resource: Resource,
  patched: Record<string, unknown>,
  touched: Touched,
  cause: Error,
): StatusCause => invalidValue('patch', quotePatched(patched, resource.definition, touched), cause.message)

function parseConfiguration(body: string): {
  config: Record<string, unknown>
  duplicates: string[]
  repeated: string[]
} {
  const { value, repeated } = readConfiguration(body)
  if (value === null) return { config: {}, duplicates: [], repeated }
  if (!isObject(value)) {
    const why = `json: cannot unmarshal ${jsonType(value)} into Go value of type map[string]interface {}`
    throw badRequest(`error decoding patch: error unmarshaling JSON: while decoding JSON: ${why}`)
  }
  return { config: value, duplicates: [], repeated }
}

const jsonType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value

/** JSON is the common case and is YAML too, but for what is wrong with it. */
function readConfiguration(body: string): { value: unknown; repeated: string[] } {
  const isJson = body.trimStart().startsWith('{')
  try {
    const json = isJson && jsonSyntaxError(Buffer.from(body)) === undefined ? parseJson(body) : undefined
    // What stands twice is told by lines, as of YAML.
    return json && json.duplicates.length === 0 ? { value: json.value, repeated: [] } : parseYaml(body)
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    const when = isJson ? 'error decoding patch: error converting YAML to JSON' : 'error encoding patch'
    throw badRequest(`${when}: ${error.message}`)
  }
}
