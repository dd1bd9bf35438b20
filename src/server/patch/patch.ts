import { parse } from 'yaml'
import { isObject } from '../../lib/json.ts'
import { parseJson } from '../http/parse-json.ts'
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
  const isJson = body.trimStart().startsWith('{')
  const parsed = isJson ? parseJson(body) : { value: parseYaml(body), duplicates: [] }
  if (parsed.value === undefined)
    throw badRequest('error decoding patch: error converting YAML to JSON: the body is not valid YAML')
  if (!isObject(parsed.value)) throw badRequest('error decoding patch: the body is not an object')
  return { config: parsed.value, duplicates: parsed.duplicates }
}

/** Undefined if it is none. */
export function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 }) ?? null
  } catch {
    return undefined
  }
}
