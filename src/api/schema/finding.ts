// What is wrong at one place, in our words and in the apiserver's.
import type { Issue, Path } from '../issue.ts'

export interface Finding extends Issue {
  /** The place as the apiserver writes it; map keys differ between its validators. */
  field: string
  /** The cause's message as kube-apiserver words it, without the field. */
  cause: string
  /** unknown: a field the schema does not have; rule: from CEL, which waits until the shape is right. */
  from: 'shape' | 'rule' | 'unknown' | 'deprecated'
}

export type Reason =
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueRequired'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueDuplicate'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'

const HEADS: Record<Reason, string> = {
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueRequired: 'Required value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
}

/** `Invalid value: "x": detail`; the value is left out where the apiserver leaves it out. */
export function causeText(reason: Reason, detail: string, value?: unknown): string {
  const shown = value === undefined ? '' : `: ${JSON.stringify(value)}`
  return HEADS[reason] + shown + (detail ? `: ${detail}` : '')
}

/** Dots all the way, also for map keys: the way the schema validator writes a place. */
export function dotted(path: Path): string {
  let out = ''
  for (const step of path) out += typeof step === 'number' ? `[${step}]` : out ? `.${step}` : step
  return out
}

/** An error of the shape at a place. */
export function shapeError(path: Path, message: string, reason: Reason, cause: string): Finding {
  return { severity: 'error', path, message, reason, cause, field: dotted(path), from: 'shape' }
}

export interface StatusCause {
  reason: string
  message: string
  field: string
}

const BLOCKING = new Set([
  'FieldValueRequired',
  'FieldValueTypeInvalid',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueNotSupported',
])

/** With one of these the apiserver does not run rules any more. */
export const isBlocking = (finding: Finding): boolean =>
  finding.severity === 'error' && BLOCKING.has(finding.reason ?? '')

const NOT_RUN =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'

export const rulesNotRun: Finding = {
  severity: 'error',
  path: [],
  message: NOT_RUN,
  reason: 'FieldValueInvalid',
  field: '<nil>',
  cause: `Invalid value: null: ${NOT_RUN}`,
  from: 'rule',
}

/** The causes of a refusal as kube-apiserver lists them, from what was found with `asServer`. */
export function statusCauses(findings: readonly Finding[]): StatusCause[] {
  return findings
    .filter((finding) => finding.severity === 'error')
    .map((finding) => ({
      reason: finding.reason ?? 'FieldValueInvalid',
      message: finding.cause,
      field: finding.field || '<nil>',
    }))
}

/** What the apiserver says about fields it drops: `unknown field "spec.foo"`. */
export function unknownFieldWarnings(findings: readonly Finding[]): string[] {
  return findings
    .filter((finding) => finding.from === 'unknown')
    .map((finding) => `unknown field "${dotted(finding.path)}"`)
    .sort()
}

/** A value as it is quoted in our own messages: short, on one line. */
export function quote(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list'
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '{}' : 'an object'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text
}

/** Workflows fill in `$(params.x)` before they create a job; here it came through as it was. */
export function unfilled(value: string): string {
  return `${quote(value)} still has a workflow parameter in it; fill in ${/\$\(params\.[^)]*\)?/.exec(value)?.[0] ?? 'it'} before the job is created`
}
