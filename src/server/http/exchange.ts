import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api, WriteOptions } from '../api.ts'
import { parseYaml } from '../patch/patch.ts'
import { badRequest, unsupportedMediaType } from '../status-error.ts'
import { decodeProtobuf, PROTOBUF } from './decode-protobuf.ts'
import { parseJson } from './parse-json.ts'
import { readBody, readBytes } from './read-body.ts'
import type { ResourceTarget } from './request-target.ts'
import type { Reply } from './respond.ts'

/** One request on its way; handlers return a reply, or take over the response and return undefined. */
export interface Exchange {
  api: Api
  req: IncomingMessage
  res: ServerResponse
  target: ResourceTarget
}

export type Handled = Promise<Reply | undefined>

const VALIDATIONS: readonly string[] = ['Strict', 'Warn', 'Ignore']

export function readWriteOptions({ req, target }: Exchange, duplicates: readonly string[]): WriteOptions {
  const { query } = target
  const dryRun = query.getAll('dryRun')
  if (dryRun.some((value) => value !== 'All')) throw badRequest(`invalid dryRun "${dryRun.join(',')}": must be All`)
  const validation = query.get('fieldValidation') || 'Warn'
  if (!VALIDATIONS.includes(validation))
    throw badRequest(`invalid fieldValidation "${validation}": must be Strict, Warn or Ignore`)
  const given = query.get('fieldManager')
  if (given && given.length > 128) throw badRequest('fieldManager may not be longer than 128 characters')
  return {
    dryRun: dryRun.length > 0,
    manager: given || agentName(req),
    fieldValidation: validation as WriteOptions['fieldValidation'],
    duplicates,
    warnings: [],
  }
}

/** Without a name of its own a client goes by its program's: `kubectl/v1.37 (linux)` is kubectl. */
function agentName(req: IncomingMessage): string {
  return (req.headers['user-agent'] ?? '').split('/')[0]?.slice(0, 128) || 'unknown'
}

export interface Body {
  value: unknown
  duplicates: string[]
}

/** The body, from JSON, YAML or protobuf; an absent one is undefined. */
export async function readObjectBody(req: IncomingMessage): Promise<Body> {
  const type = req.headers['content-type']?.split(';')[0]?.trim() ?? 'application/json'
  if (type === PROTOBUF) return { value: decodeProtobuf(await readBytes(req)), duplicates: [] }
  const text = await readBody(req)
  if (text === '') return { value: undefined, duplicates: [] }
  if (type === 'application/yaml') return { value: parseYaml(text), duplicates: [] }
  if (type !== 'application/json') throw unsupportedMediaType(['application/json', 'application/yaml'])
  return parseJson(text)
}
