import { sameJson } from '../../lib/json.ts'
import { jsonSyntaxError } from '../http/json-syntax.ts'
import type { StatusCause } from '../status-error.ts'
import type { Hooks } from './built-in-table.ts'
import { forbiddenField, invalidValue, required, tooLong } from './field-errors.ts'

const LIMIT = 1024 * 1024
const KEY = /^[-._a-zA-Z0-9]+$/
const KEY_RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

function checkKeys(field: string, data: Record<string, string>): StatusCause[] {
  const causes: StatusCause[] = []
  for (const key of Object.keys(data)) {
    if (key.length > 253) causes.push(invalidValue(`${field}[${key}]`, key, 'must be no more than 253 characters'))
    else if (!KEY.test(key)) causes.push(invalidValue(`${field}[${key}]`, key, KEY_RULE))
    else if (key === '.' || key === '..') causes.push(invalidValue(`${field}[${key}]`, key, `may not be '${key}'`))
  }
  return causes
}

function checkImmutable(
  next: Record<string, unknown>,
  old: Record<string, unknown> | undefined,
  fields: readonly string[],
): StatusCause[] {
  if (old?.immutable !== true) return []
  const causes: StatusCause[] = []
  if (next.immutable !== true) causes.push(forbiddenField('immutable', 'field is immutable when `immutable` is set'))
  for (const field of fields) {
    if (!sameJson(next[field], old[field]))
      causes.push(forbiddenField(field, 'field is immutable when `immutable` is set'))
  }
  return causes
}

const strings = (value: unknown): Record<string, string> => (value ?? {}) as Record<string, string>

export const configMapHooks: Hooks = {
  validate(next, old) {
    const data = strings(next.data)
    const binary = strings(next.binaryData)
    const causes = [...checkKeys('data', data), ...checkKeys('binaryData', binary)]
    for (const key of Object.keys(data)) {
      if (key in binary) causes.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'))
    }
    let size = 0
    for (const value of Object.values(data)) size += Buffer.byteLength(value)
    for (const value of Object.values(binary)) size += Math.floor((value.length * 3) / 4)
    if (size > LIMIT) causes.push(tooLong('', LIMIT))
    return [...causes, ...checkImmutable(next, old, ['data', 'binaryData'])]
  },
}

/** Which keys a typed secret must have. */
const TYPED: Record<string, readonly string[]> = {
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
}

function validateJson(field: string, base64: string): StatusCause[] {
  const problem = jsonSyntaxError(Buffer.from(base64, 'base64'))
  return problem ? [invalidValue(field, '<secret contents redacted>', problem)] : []
}

export const secretHooks: Hooks = {
  defaults(object) {
    object.type ??= 'Opaque'
    // Written by people, never stored: it goes over into data.
    if (object.stringData) {
      const encoded = Object.entries(strings(object.stringData)).map(([key, text]) => [
        key,
        Buffer.from(text).toString('base64'),
      ])
      object.data = { ...strings(object.data), ...Object.fromEntries(encoded) }
      delete object.stringData
    }
  },
  validate(next, old) {
    const data = strings(next.data)
    const causes = checkKeys('data', data)
    let size = 0
    for (const value of Object.values(data)) size += Math.floor((value.length * 3) / 4)
    if (size > LIMIT) causes.push(tooLong('data', LIMIT))
    for (const key of TYPED[String(next.type)] ?? []) {
      if (!(key in data)) causes.push(required(`data[${key}]`))
      else if (key.startsWith('.dockerc')) causes.push(...validateJson(`data[${key}]`, data[key] ?? ''))
    }
    if (next.type === 'kubernetes.io/basic-auth' && !('username' in data) && !('password' in data))
      causes.push(required('data[username]'), required('data[password]'))
    if (old && next.type !== old.type) causes.push(invalidValue('type', next.type, 'field is immutable'))
    return [...causes, ...checkImmutable(next, old, ['data'])]
  },
}
