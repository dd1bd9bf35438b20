// CEL in the plain subset, put together from the few questions our rules ask.
import { isObject, sameJson } from '../../lib/json.ts'
import type { Path } from '../issue.ts'
import type { Rule } from '../schema/schema.ts'

/** `has(self.a) && has(self.a.b)`: a field that lies deep is there. */
export function has(object: string, ...fields: string[]): string {
  return fields.map((_, i) => `has(${[object, ...fields.slice(0, i + 1)].join('.')})`).join(' && ')
}

/** A switch with two spellings is on. */
export function isOn(object: string, ...fields: string[]): string {
  const at = [object, ...fields].join('.')
  const there = fields.length > 0 ? `${has(object, ...fields)} && ` : ''
  return `(${there}((has(${at}.enabled) && ${at}.enabled) || (has(${at}.enable) && ${at}.enable)))`
}

const FIXED = 'may not change after creation'

/** Stands at spec level: a rule on the field itself would miss that it is added or removed. */
export function fixed(...fields: string[]): Rule {
  const now = has('self', ...fields)
  const before = has('oldSelf', ...fields)
  const at = fields.join('.')
  return {
    rule:
      fields.length === 1
        ? `${now} == ${before} && (!${now} || self.${at} == oldSelf.${at})`
        : `(${now}) == (${before}) && (!(${now}) || self.${at} == oldSelf.${at})`,
    message: FIXED,
    fieldPath: `.${at}`,
    reason: 'FieldValueForbidden',
    tell: (self: unknown, old: unknown) => tellChange(fields, self, old),
  }
}

/** As `fixed`, for a field whose absence means the same as its default. */
export function fixedWithDefault(fallback: string, ...fields: string[]): Rule {
  const value = (object: string): string =>
    `(${has(object, ...fields)} ? ${object}.${fields.join('.')} : '${fallback}')`
  return {
    rule: `${value('self')} == ${value('oldSelf')}`,
    message: FIXED,
    fieldPath: `.${fields.join('.')}`,
    reason: 'FieldValueForbidden',
    tell: (self: unknown, old: unknown) => tellChange(fields, self, old),
  }
}

export function tellChange(fields: string[], self: unknown, old: unknown): { message: string; path: Path } {
  const difference = firstDifference(dig(self, fields), dig(old, fields))
  const path = [...fields, ...difference]
  const was = dig(old, path)
  const now = dig(self, path)
  const shown =
    isScalar(was) && isScalar(now) ? `: ${JSON.stringify(was)} was stored, ${JSON.stringify(now)} is asked for` : ''
  return { message: FIXED + shown, path }
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

function dig(value: unknown, path: Path): unknown {
  let at = value
  for (const step of path)
    at = typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[step] : undefined
  return at
}

/** The way down to the first place where two values part. */
export function firstDifference(a: unknown, b: unknown): (string | number)[] {
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return []
    const i = a.findIndex((item, at) => !sameJson(item, b[at]))
    return i < 0 ? [] : [i, ...firstDifference(a[i], b[i])]
  }
  if (isObject(a) && isObject(b)) {
    const key = [...Object.keys(a), ...Object.keys(b)].find((k) => !sameJson(a[k], b[k]))
    return key === undefined ? [] : [key, ...firstDifference(a[key], b[key])]
  }
  return []
}
