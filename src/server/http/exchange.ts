import type { IncomingMessage, ServerResponse } from 'node:http'
import { isObject } from '../../lib/json.ts'
import type { Api, WriteOptions } from '../api.ts'
import { forbiddenField, invalidValue, notSupported, tooLong } from '../resources/field-errors.ts'
import { badRequest, invalid, type StatusCause, type StatusError, unsupportedMediaType } from '../status-error.ts'
import { decodeProtobuf, PROTOBUF } from './decode-protobuf.ts'
import { excerpt, parseJson } from './parse-json.ts'
import { parseYaml, YamlProblem } from './parse-yaml.ts'
import { readBody, readBytes } from './read-body.ts'
import type { ResourceTarget } from './request-target.ts'
import type { Reply } from './respond.ts'

/** One request on its way; handlers return a reply, or take over the response and return undefined. */
export interface Exchange {
  api: Api
  req: IncomingMessage
  res: ServerResponse
  target: ResourceTarget
  /** Sent with the answer, also with a refusal. */
  warnings: string[]
}

export type Handled = Promise<Reply | undefined>

const VALIDATIONS: readonly string[] = ['', 'Ignore', 'Strict', 'Warn']
const OPTIONS: Record<string, string> = { POST: 'CreateOptions', PUT: 'UpdateOptions', PATCH: 'PatchOptions' }

export function readWriteOptions(
  { req, target, warnings }: Exchange,
  { duplicates, repeated = [], remarks = [] }: Pick<Body, 'duplicates' | 'repeated'> & { remarks?: string[] },
): WriteOptions {
  const { query } = target
  const causes: StatusCause[] = []
  const dryRun = query.getAll('dryRun')
  if (dryRun.some((value) => value !== 'All')) causes.push(notSupported('dryRun', dryRun, ['All']))
  const validation = query.get('fieldValidation') || 'Warn'
  if (!VALIDATIONS.includes(validation)) causes.push(notSupported('fieldValidation', validation, VALIDATIONS))
  const given = query.get('fieldManager')
  if (given && given.length > 128) causes.push(tooLong('fieldManager', 128))
  const unprintable = [...(given ?? '')].findIndex((sign) => /[\p{C}\p{Zl}\p{Zp}]/u.test(sign))
  if (given && unprintable >= 0) {
    const point = (given.codePointAt(unprintable) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    causes.push(invalidValue('fieldManager', given, `invalid character U+${point} (at position ${unprintable})`))
  }
  const isApply = req.headers['content-type']?.startsWith('application/apply-patch')
  if (req.method === 'PATCH' && !isApply && query.has('force'))
    causes.push(forbiddenField('force', 'may not be specified for non-apply patch'))
  if (causes.length > 0) throw invalid('meta.k8s.io', OPTIONS[req.method ?? ''] ?? 'PatchOptions', '', causes)
  return {
    dryRun: dryRun.length > 0,
    manager: given || agentName(req),
    fieldValidation: validation as WriteOptions['fieldValidation'],
    duplicates,
    repeated,
    remarks,
    warnings,
  }
}

/** Without a name of its own a client goes by its program's: `kubectl/v1.37 (linux)` is kubectl. */
function agentName(req: IncomingMessage): string {
  return (req.headers['user-agent'] ?? '').split('/')[0]?.slice(0, 128) || 'unknown'
}

export interface Body {
  value: unknown
  duplicates: string[]
  /** The same of a body in YAML, which is spoken of by lines. */
  repeated?: string[]
}

function readYaml(text: string, kind = 'Object'): Body {
  try {
    const { value, repeated } = parseYaml(text)
    return { value, duplicates: [], ...(repeated.length > 0 ? { repeated } : {}) }
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${error.message} (${excerpt(text)})`,
    )
  }
}

function notAnObject(value: unknown, kind: string, text: string): StatusError {
  const what = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  const into = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
  const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into Go value of type ${into}`
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${excerpt(text)})`)
}

/** The body, from JSON, YAML or protobuf; an absent one is undefined. */
export async function readObjectBody(req: IncomingMessage, kind?: string): Promise<Body> {
  const type = req.headers['content-type']?.split(';')[0]?.trim() ?? 'application/json'
  if (type === PROTOBUF) return { value: decodeProtobuf(await readBytes(req)), duplicates: [] }
  const text = await readBody(req)
  if (text === '' && !kind) return { value: undefined, duplicates: [] }
  if (type !== 'application/json' && type !== 'application/yaml')
    throw unsupportedMediaType(['application/json', 'application/yaml', PROTOBUF])
  const parsed = type === 'application/yaml' ? readYaml(text, kind) : parseJson(text, kind)
  if (kind && parsed.value !== null && !isObject(parsed.value)) throw notAnObject(parsed.value, kind, text)
  return parsed
}
