import { isObject } from '../../lib/json.ts'
import { jsonSyntaxError } from '../http/json-syntax.ts'
import { parseJson } from '../http/parse-json.ts'
import { parseYaml, YamlProblem } from '../http/parse-yaml.ts'
import type { ApiObject } from '../object.ts'
import type { Resource } from '../resources/resource.ts'
import { badRequest, StatusError, unsupportedMediaType } from '../status-error.ts'
import { applyJsonPatch } from './json-patch.ts'
import { applyMergePatch } from './merge-patch.ts'
import { applyStrategicMerge } from './strategic-merge.ts'

export type ParsedPatch =
  | { kind: 'change'; duplicates: string[]; apply: (live: ApiObject) => Record<string, unknown> }
  | { kind: 'apply'; duplicates: string[]; config: Record<string, unknown> }

const JSON_PATCH = 'application/json-patch+json'
const MERGE = 'application/merge-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'

export function parsePatch(resource: Resource, contentType: string, body: string): ParsedPatch {
  const type = contentType.split(';')[0]?.trim() ?? ''
  if (type === APPLY) return { kind: 'apply', ...parseConfiguration(body) }
  if (type !== JSON_PATCH && type !== MERGE && (type !== STRATEGIC || resource.custom)) {
    if (resource.custom) throw unsupportedMediaType([JSON_PATCH, MERGE, APPLY])
    throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
  }
  const { value, duplicates } = parseJson(body)
  if (type === JSON_PATCH) return { kind: 'change', duplicates, apply: (live) => applyJsonPatch(live, value) }
  if (!isObject(value))
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
    )
  const merge =
    type === MERGE
      ? (live: ApiObject) => applyMergePatch(live, value)
      : (live: ApiObject) => applyStrategicMerge(resource.schema, live, value)
  return { kind: 'change', duplicates, apply: (live) => merge(live) as Record<string, unknown> }
}

function parseConfiguration(body: string): { config: Record<string, unknown>; duplicates: string[] } {
  const { value, duplicates } = readConfiguration(body)
  if (value === null) return { config: {}, duplicates }
  if (!isObject(value)) {
    const why = `json: cannot unmarshal ${jsonType(value)} into Go value of type map[string]interface {}`
    throw badRequest(`error decoding patch: error unmarshaling JSON: while decoding JSON: ${why}`)
  }
  return { config: value, duplicates }
}

const jsonType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value

/** JSON is the common case and is YAML too, but for what is wrong with it. */
function readConfiguration(body: string): { value: unknown; duplicates: string[] } {
  const isJson = body.trimStart().startsWith('{')
  try {
    if (isJson && jsonSyntaxError(Buffer.from(body)) === undefined) return parseJson(body)
    return { value: parseYaml(body).value, duplicates: [] }
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    const when = isJson ? 'error decoding patch: error converting YAML to JSON' : 'error encoding patch'
    throw badRequest(`${when}: ${error.message}`)
  }
}
