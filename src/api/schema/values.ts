// What a schema demands of one value by itself: its type, its bounds, its spelling.
import { isObject, sameJson } from '../../lib/json.ts'
import { nearest } from '../nearest.ts'
import { causeText, quote, type Reason } from './finding.ts'
import type { Schema } from './schema.ts'

export interface Complaint {
  reason: Reason
  /** In our words. */
  message: string
  /** In the apiserver's words, given the field. */
  cause: (field: string) => string
  /** The apiserver does not say where. */
  nowhere?: boolean
}

const TYPE_WORDS: Record<string, string> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'object' ? 'object' : typeof value
}

export function checkType(value: unknown, schema: Schema): Complaint | undefined {
  const actual = typeOf(value)
  if (schema['x-kubernetes-int-or-string']) {
    if (actual === 'integer' || actual === 'string') return undefined
    return wrongType(value, actual, 'integer,string', 'a whole number or a text', schema)
  }
  if (!schema.type || actual === schema.type) return undefined
  if (schema.type === 'number' && actual === 'integer') return undefined
  return wrongType(value, actual, schema.type, TYPE_WORDS[schema.type]!, schema)
}

function wrongType(value: unknown, actual: string, wanted: string, wantedWords: string, schema: Schema): Complaint {
  // Beside a format the apiserver speaks of Go's types.
  const byFormat = schema.format !== undefined && actual !== 'string' && actual !== 'array' && actual !== 'null'
  const named = byFormat ? (actual === 'number' ? 'float64' : actual === 'integer' ? 'int64' : '') : actual
  const asked = byFormat ? schema.format : wanted
  const hint = hintFor(value, wanted)
  return {
    reason: 'FieldValueTypeInvalid',
    message: schema.wrongType?.(value) ?? `${quote(value)} is not ${wantedWords}${hint ? `; ${hint}` : ''}`,
    cause: (field) =>
      causeText('FieldValueTypeInvalid', `${field} in body must be of type ${asked}: "${named}"`, named),
  }
}

/** Most values of a wrong type come from YAML's quotes, or the lack of them. */
function hintFor(value: unknown, wanted: string): string | undefined {
  if (typeof value === 'string') {
    if (wanted === 'boolean' && /^(yes|on|true)$/i.test(value)) return 'write true'
    if (wanted === 'boolean' && /^(no|off|false)$/i.test(value)) return 'write false'
    return wanted === 'integer' && /^-?\d+$/.test(value) ? 'leave out the quotes' : undefined
  }
  const scalar = typeof value === 'number' || typeof value === 'boolean'
  return scalar && wanted.includes('string') ? 'put it in quotes' : undefined
}

/** What the apiserver says besides about a value of the wrong type. */
export function* checkMisfit(value: unknown, schema: Schema): Generator<Complaint> {
  if (schema.enum) yield notOneOf(isObject(value) ? {} : value, schema.enum)
  if (typeof value === 'number') yield* checkNumber(value, schema)
}

/** Everything a schema says about a value of the right type, its members apart. */
export function* checkValue(value: unknown, schema: Schema): Generator<Complaint> {
  if (schema.enum && !schema.enum.some((allowed) => sameJson(allowed, value))) yield notOneOf(value, schema.enum)
  if (typeof value === 'string') yield* checkText(value, schema)
  else if (typeof value === 'number') yield* checkNumber(value, schema)
  else if (Array.isArray(value)) yield* checkList(value, schema)
  else if (isObject(value)) yield* checkMembers(value, schema)
}

function notOneOf(value: unknown, allowed: unknown[]): Complaint {
  const names = allowed.map(String)
  const meant = typeof value === 'string' ? nearest(value, names.filter(Boolean)) : undefined
  const shown = names.map((name) => (name === '' ? '""' : name)).join(', ')
  return {
    reason: 'FieldValueNotSupported',
    message: `${quote(value)} is not one of ${shown}${meant ? `; did you mean ${meant}?` : ''}`,
    cause: () =>
      causeText('FieldValueNotSupported', `supported values: ${names.map((n) => JSON.stringify(n)).join(', ')}`, value),
  }
}

function* checkText(value: string, schema: Schema): Generator<Complaint> {
  const length = [...value].length
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    const over = length - schema.maxLength
    yield {
      reason: 'FieldValueTooLong',
      message: `${quote(value)} has ${length} characters, ${over} more than the ${schema.maxLength} allowed`,
      cause: () => causeText('FieldValueTooLong', `may not be more than ${schema.maxLength} bytes`),
    }
  } else if (schema.minLength !== undefined && length < schema.minLength)
    yield invalid(
      value,
      length === 0 ? 'must not be empty' : `${quote(value)} is too short`,
      `should be at least ${schema.minLength} chars long`,
    )
  else if (schema.pattern !== undefined && !patternOf(schema.pattern).test(value)) {
    const means = schema.patternMeans ?? `does not match ${schema.pattern}`
    yield invalid(value, `${quote(value)} ${means}`, `should match '${schema.pattern}'`)
  }
  if (schema.format && FORMATS[schema.format.replaceAll('-', '')]?.(value) === false)
    yield {
      ...invalid(
        value,
        `${quote(value)} is no ${schema.format}`,
        `must be of type ${schema.format}: ${JSON.stringify(value)}`,
      ),
      reason: 'FieldValueTypeInvalid',
    }
}

const FORMATS: Record<string, (value: string) => boolean> = {
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
  datetime: (value) => /^\d{4}-\d\d-\d\d[Tt ]/.test(value) && !Number.isNaN(Date.parse(value)),
  byte: (value) => /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0,
  uuid: (value) => /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(value),
}

function* checkNumber(value: number, schema: Schema): Generator<Complaint> {
  const { minimum, maximum } = schema
  // What is either a number or a text is asked for its format only if it is a whole number, or said to be one.
  const saidToBe = schema.anyOf?.some(({ type }) => type === 'integer')
  const either = schema['x-kubernetes-int-or-string'] && (Number.isInteger(value) || saidToBe)
  const asked = schema.type === 'integer' || either
  if (asked && !fitsFormat(value, schema.format)) {
    const format = schema.format ? `with format ${schema.format}` : '(default format)'
    yield {
      reason: 'FieldValueInvalid',
      message: Number.isInteger(value) ? `${value} is too large a number` : `${value} is not a whole number`,
      cause: (field) =>
        causeText('FieldValueInvalid', `Checked value must be of type integer ${format} in ${field}`, ''),
      nowhere: true,
    }
    if (Number.isInteger(value)) return
  }
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    const bound = schema.exclusiveMaximum ? 'less than' : 'less than or equal to'
    yield invalid(
      value,
      `${value} is more than ${schema.exclusiveMaximum ? `allowed, it must be below ${maximum}` : maximum}`,
      `should be ${bound} ${maximum}`,
    )
  }
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    const bound = schema.exclusiveMinimum ? 'greater than' : 'greater than or equal to'
    yield invalid(
      value,
      `${value} is less than ${schema.exclusiveMinimum ? `allowed, it must be above ${minimum}` : minimum}`,
      `should be ${bound} ${minimum}`,
    )
  }
  if (schema.multipleOf !== undefined && value % schema.multipleOf !== 0)
    yield invalid(
      value,
      `${value} is not a multiple of ${schema.multipleOf}`,
      `should be a multiple of ${schema.multipleOf}`,
    )
}

function fitsFormat(value: number, format: string | undefined): boolean {
  const most = format === 'int32' ? 2 ** 31 : 2 ** 63
  return Number.isInteger(value) && value >= -most && value < most
}

function* checkList(value: unknown[], schema: Schema): Generator<Complaint> {
  const count = value.length
  if (schema.maxItems !== undefined && count > schema.maxItems) yield tooMany(count, schema.maxItems, 'entries')
  if (schema.minItems !== undefined && count < schema.minItems)
    yield invalid(
      count,
      `needs at least ${schema.minItems === 1 ? 'one entry' : `${schema.minItems} entries`}`,
      `should have at least ${schema.minItems} items`,
    )
  if (schema.uniqueItems && value.some((item, i) => value.slice(0, i).some((other) => sameJson(item, other))))
    yield invalid(undefined, 'has entries twice', "shouldn't contain duplicates")
}

function* checkMembers(value: Record<string, unknown>, schema: Schema): Generator<Complaint> {
  if (schema.maxProperties === undefined && schema.minProperties === undefined) return
  const count = Object.keys(value).length
  if (schema.maxProperties !== undefined && count > schema.maxProperties)
    yield tooMany(count, schema.maxProperties, 'entries')
  if (schema.minProperties !== undefined && count < schema.minProperties)
    yield invalid(
      count,
      `needs at least ${schema.minProperties === 1 ? 'one entry' : `${schema.minProperties} entries`}`,
      `should have at least ${schema.minProperties} properties`,
    )
}

function tooMany(count: number, most: number, what: string): Complaint {
  return {
    reason: 'FieldValueTooMany',
    message: `${count} ${what}, at most ${most} are allowed`,
    cause: () => causeText('FieldValueTooMany', `must have at most ${most} ${most === 1 ? 'item' : 'items'}`, count),
  }
}

function invalid(value: unknown, message: string, detail: string): Complaint {
  return {
    reason: 'FieldValueInvalid',
    message,
    cause: (field) => causeText('FieldValueInvalid', `${field} in body ${detail}`, value ?? ''),
  }
}

const patterns = new Map<string, RegExp>()

function patternOf(pattern: string): RegExp {
  let compiled = patterns.get(pattern)
  if (!compiled) {
    compiled = compilePattern(pattern)
    patterns.set(pattern, compiled)
  }
  return compiled
}

/**
 * Patterns are Go's. Node 20 does not know `(?i:…)`; where it is the whole pattern a flag says the same. Patterns that
 * JavaScript cannot read at all only other people's CRDs have; they let everything pass.
 */
function compilePattern(pattern: string): RegExp {
  const anyCase = /^\^\(\?i:(.*)\)\$$/s.exec(pattern)?.[1] ?? /^\(\?i\)(.*)$/s.exec(pattern)?.[1]
  const source = anyCase === undefined ? pattern : pattern.startsWith('^') ? `^(?:${anyCase})$` : anyCase
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, anyCase === undefined ? flags : `i${flags}`)
    } catch {
      // Without the flag more escapes are allowed.
    }
  }
  return /(?:)/
}
