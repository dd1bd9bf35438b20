// The one interpreter of structural schemas: in one walk it drops unknown fields, applies defaults and validates, as
// kube-apiserver does for custom resources. Shared by the commands and by the embedded API server.
import { isObject, sameJson } from '../../lib/json.ts'
import { type Path, pathText } from '../issue.ts'
import { nearest } from '../nearest.ts'
import { correlate } from './correlate.ts'
import { causeText, dotted, type Finding, isBlocking, quote, rulesNotRun } from './finding.ts'
import { hasRules, runRules } from './rules.ts'
import type { Schema } from './schema.ts'
import { type Complaint, checkMisfit, checkType, checkValue } from './values.ts'

export interface InterpretOptions {
  /** The object before the change; without it the object is new. */
  old?: unknown
  /** Do not hold against a change what was wrong before and was not touched. Default true. */
  ratchet?: boolean
  /** The value is a whole object: apiVersion, kind and metadata are never unknown. Default true. */
  root?: boolean
  /** Where the value stands, for paths. */
  at?: Path
  /**
   * Report all that kube-apiserver reports, also what only follows from something else, and run no rule on an object of
   * the wrong shape. Otherwise each mistake is reported once, and rules run wherever the shape is right.
   */
  asServer?: boolean
}

export interface Interpreted {
  /** Without unknown fields, with defaults. The input is left as it was. */
  value: unknown
  findings: Finding[]
}

export function interpret(schema: Schema, value: unknown, options: InterpretOptions = {}): Interpreted {
  const walk = new Walk(options.asServer ?? false, options.ratchet ?? true)
  const path = options.at ?? []
  const place: Place = { path, field: pathText(path), old: options.old, root: options.root ?? true }
  const out = walk.visit(value, schema, place)
  if (options.asServer && hasRules(schema)) walk.runLateRules()
  return { value: out, findings: walk.findings }
}

interface Place {
  path: Path
  /** The same as the rules' findings write it: map keys in brackets. */
  field: string
  old: unknown
  root?: boolean
  /** The nearest ancestor that has a counterpart in the old object, for values that have none themselves. */
  above?: { value: unknown; old: unknown }
}

const META = new Set(['apiVersion', 'kind', 'metadata'])

class Walk {
  readonly findings: Finding[] = []
  readonly #asServer: boolean
  readonly #ratchet: boolean
  readonly #lateRules: Array<() => void> = []
  #errors = 0

  constructor(asServer: boolean, ratchet: boolean) {
    this.#asServer = asServer
    this.#ratchet = ratchet
  }

  visit(value: unknown, schema: Schema, place: Place): unknown {
    if (value === null && schema.nullable) return null
    const before = this.#errors
    const mismatch = checkType(value, schema)
    if (mismatch) {
      this.#complain(mismatch, value, place)
      if (this.#asServer) for (const complaint of checkMisfit(value, schema)) this.#complain(complaint, value, place)
      return value
    }
    let out = value
    if (Array.isArray(value)) out = this.#visitList(value, schema, place)
    else if (isObject(value)) out = this.#visitObject(value, schema, place)
    for (const complaint of checkValue(out, schema)) this.#complain(complaint, out, place)
    this.#combine(out, schema, place)
    if (schema['x-kubernetes-validations']) {
      if (this.#asServer) this.#lateRules.push(() => this.#runRules(out, schema, place))
      // A rule is only asked about a value of the right shape; the shape's own errors say it all.
      else if (this.#errors === before) this.#runRules(out, schema, place)
    }
    return out
  }

  runLateRules(): void {
    if (this.findings.some(isBlocking)) this.#add(rulesNotRun)
    else for (const run of this.#lateRules) run()
  }

  #runRules(value: unknown, schema: Schema, place: Place): void {
    for (const finding of runRules(value, schema, place))
      if (finding.transition || !this.#unchanged(value, place)) this.#add(finding)
  }

  #visitObject(value: Record<string, unknown>, schema: Schema, place: Place): Record<string, unknown> {
    const out: Record<string, unknown> = {}
    const old = isObject(place.old) ? place.old : undefined
    for (const [key, member] of Object.entries(value)) {
      const own = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
      const other = isObject(schema.additionalProperties) ? (schema.additionalProperties as Schema) : undefined
      const meta = (place.root || schema['x-kubernetes-embedded-resource']) && META.has(key)
      const child = meta && own ? { ...own, 'x-kubernetes-preserve-unknown-fields': true } : (own ?? other)
      if (!child) {
        if (meta || schema.additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'])
          setMember(out, key, member)
        else this.#unknown(key, schema, place)
        continue
      }
      if (member === null && !child.nullable) continue
      if (child.deprecated) this.#deprecated(child.deprecated, [...place.path, key])
      const counterpart = old && Object.hasOwn(old, key) ? old[key] : undefined
      setMember(out, key, this.visit(member, child, below(place, value, key, counterpart, own === undefined)))
    }
    for (const [key, child] of Object.entries(schema.properties ?? {})) {
      if (child.default === undefined || Object.hasOwn(out, key)) continue
      out[key] = this.visit(structuredClone(child.default), child, below(place, value, key, old?.[key]))
    }
    for (const key of schema.required ?? [])
      if (!Object.hasOwn(out, key) && !this.#unchanged(out, place)) this.#missing(key, place)
    return out
  }

  #visitList(value: unknown[], schema: Schema, place: Place): unknown[] {
    if (!schema.items) return value
    const items = schema.items
    const counterpart = correlate(schema, place.old)
    const out = value.map((item, i) => {
      const filled =
        item === null && !items.nullable && items.default !== undefined ? structuredClone(items.default) : item
      return this.visit(filled, items, below(place, value, i, counterpart(item)))
    })
    this.#unique(out, schema, place)
    return out
  }

  #unique(items: unknown[], schema: Schema, place: Place): void {
    const type = schema['x-kubernetes-list-type']
    if (type !== 'set' && type !== 'map') return
    const keys = schema['x-kubernetes-list-map-keys'] ?? []
    const identify = (item: unknown): unknown =>
      type === 'set' || !isObject(item)
        ? item
        : Object.fromEntries(keys.filter((k) => k in item).map((k) => [k, item[k]]))
    const seen = new Map<string, number>()
    items.forEach((item, i) => {
      const id = identify(item)
      const key = JSON.stringify(id)
      const first = seen.get(key)
      if (first === undefined) {
        seen.set(key, i)
        return
      }
      const shown = isObject(id) ? Object.values(id).join(', ') : String(id)
      const path = [...place.path, i]
      const message = `"${shown}" is there twice{see}`
      this.#add({
        ...error(path, message, 'FieldValueDuplicate', causeText('FieldValueDuplicate', '', id)),
        see: [...place.path, first],
      })
    })
  }

  /** allOf, anyOf, oneOf and not only judge; they neither drop nor default. */
  #combine(value: unknown, schema: Schema, place: Place): void {
    if (!schema.allOf && !schema.anyOf && !schema.oneOf && !schema.not) return
    const judge = (part: Schema): Finding[] =>
      interpret(withoutDefaults(part), value, { root: false, at: place.path }).findings.filter(
        (f) => f.severity === 'error',
      )
    for (const part of schema.allOf ?? []) for (const finding of judge(part)) this.#add(finding)
    const name = dotted(place.path)
    if (schema.anyOf && !schema.anyOf.some((part) => judge(part).length === 0))
      this.#add(
        error(
          place.path,
          'fits none of the allowed forms',
          'FieldValueInvalid',
          causeText('FieldValueInvalid', `"${name}" must validate at least one schema (anyOf)`, ''),
        ),
      )
    if (schema.oneOf && schema.oneOf.filter((part) => judge(part).length === 0).length !== 1)
      this.#add(
        error(
          place.path,
          'must fit exactly one of the allowed forms',
          'FieldValueInvalid',
          causeText('FieldValueInvalid', `"${name}" must validate one and only one schema (oneOf)`, ''),
        ),
      )
    if (schema.not && judge(schema.not).length === 0)
      this.#add(
        error(
          place.path,
          'has a form that is not allowed',
          'FieldValueInvalid',
          causeText('FieldValueInvalid', `"${name}" must not validate the schema (not)`, ''),
        ),
      )
  }

  #complain(complaint: Complaint, value: unknown, place: Place): void {
    if (this.#unchanged(value, place)) return
    const message = typeof value === 'string' && value.includes('$(params.') ? unfilled(value) : complaint.message
    const finding = error(place.path, message, complaint.reason, complaint.cause(dotted(place.path)))
    this.#add(complaint.nowhere ? { ...finding, field: '<nil>' } : finding)
  }

  #unchanged(value: unknown, place: Place): boolean {
    if (!this.#ratchet) return false
    if (place.old !== undefined) return sameJson(value, place.old)
    return place.above !== undefined && sameJson(place.above.value, place.above.old)
  }

  #missing(key: string, place: Place): void {
    this.#add(error([...place.path, key], 'is missing', 'FieldValueRequired', causeText('FieldValueRequired', '')))
  }

  #unknown(key: string, schema: Schema, place: Place): void {
    const meant = nearest(key, Object.keys(schema.properties ?? {}))
    const path = [...place.path, key]
    const message = `unknown field, it will be dropped${meant ? `; did you mean ${meant}?` : ''}`
    this.findings.push({
      severity: 'warning',
      path,
      message,
      atKey: true,
      field: dotted(path),
      cause: `unknown field "${dotted(path)}"`,
      from: 'unknown',
    })
  }

  #deprecated(message: string, path: Path): void {
    this.findings.push({
      severity: 'warning',
      path,
      message,
      atKey: true,
      field: pathText(path),
      cause: message,
      from: 'deprecated',
    })
  }

  #add(finding: Finding): void {
    this.#errors++
    this.findings.push(finding)
  }
}

function below(place: Place, value: unknown, step: string | number, old: unknown, mapKey = false): Place {
  const above = place.old !== undefined ? { value, old: place.old } : place.above
  const bracketed = mapKey || typeof step === 'number'
  const field = place.field + (bracketed ? `[${step}]` : place.field ? `.${step}` : step)
  return { path: [...place.path, step], field, old, ...(above ? { above } : {}) }
}

function error(path: Path, message: string, reason: string, cause: string): Finding {
  return { severity: 'error', path: [...path], message, reason, cause, field: dotted(path), from: 'shape' }
}

/** Workflows fill in `$(params.x)` before they create a job; here it came through as it was. */
export function unfilled(value: string): string {
  return `${quote(value)} still has a workflow parameter in it; fill in ${/\$\(params\.[^)]*\)?/.exec(value)?.[0] ?? 'it'} before the job is created`
}

/** `__proto__` is a key like any other. */
function setMember(out: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true })
  else out[key] = value
}

function withoutDefaults(schema: Schema): Schema {
  return { 'x-kubernetes-preserve-unknown-fields': true, ...schema }
}
