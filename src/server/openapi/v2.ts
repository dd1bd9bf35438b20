import { isObject } from '../../lib/json.ts'
import type { Reply } from '../http/respond.ts'
import type { Registry } from '../resources/registry.ts'
import { KUBERNETES_VERSION } from '../version.ts'
import { buildDefinitions, type Definitions, type Json, loadPublished, REFS } from './schemas.ts'

export interface DocumentV2 {
  swagger: string
  info: { title: string; version: string }
  paths: Json
  definitions: Definitions
}

/** The older form of the same definitions; paths are left to v3. */
export async function buildDocumentV2(registry: Registry): Promise<DocumentV2> {
  const definitions = buildDefinitions(registry.all(), await loadPublished())
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: KUBERNETES_VERSION },
    paths: {},
    definitions: Object.fromEntries(Object.entries(definitions).map(([name, one]) => [name, olderForm(one)])),
  }
}

export async function openApiV2(registry: Registry): Promise<Reply> {
  return { code: 200, body: await buildDocumentV2(registry) }
}

/** What v2 has no word for. */
const UNKNOWN_TO_V2 = new Set(['anyOf', 'default', 'not', 'nullable', 'oneOf'])

function olderForm({ allOf, ...schema }: Json): Json {
  // A reference with words of its own stands in brackets in v3.
  const [single] = (allOf ?? []) as Json[]
  const form: Json = {}
  for (const [key, value] of Object.entries({ ...schema, ...(single?.$ref ? single : {}) })) {
    if (UNKNOWN_TO_V2.has(key)) continue
    if (key === '$ref') form.$ref = String(value).replace(REFS, '#/definitions/')
    else if (key === 'properties')
      form.properties = Object.fromEntries(
        Object.entries(value as Definitions).map(([name, child]) => [name, olderForm(child)]),
      )
    else form[key] = (key === 'items' || key === 'additionalProperties') && isObject(value) ? olderForm(value) : value
  }
  if (schema.oneOf && form.type === undefined && form.format) form.type = 'string'
  return form
}
