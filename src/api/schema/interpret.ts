// The one interpreter of structural schemas: in one walk it drops unknown fields, applies defaults and validates, as
// kube-apiserver does for custom resources. Shared by the commands and by the embedded API server.
import { isObject, sameJson } from '../../lib/json.ts'
import { type Path, pathText } from '../issue.ts'
import { nearest } from '../nearest.ts'
import { checkCombined } from './combine.ts'
import { correlate } from './correlate.ts'
import { causeText, dotted, type Finding, isBlocking, rulesNotRun, shapeError, unfilled } from './finding.ts'
import { hasRules, runRules } from './rules.ts'
import type { Schema } from './schema.ts'
import { checkUnique } from './unique.ts'
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
  /** Broken rules that are not held against the change, because they were broken before. */
  excused: Finding[]
}

export function interpret(schema: Schema, value: unknown, options: InterpretOptions = {}): Interpreted {
  const walk = new Walk(options.asServer ?? false, options.ratchet ?? true)
  const path = options.at ?? []
  const place: Place = { path, field: pathText(path), old: options.old, root: options.root ?? true }
  const out = walk.visit(value, schema, place)
  if (options.asServer && hasRules(schema)) walk.runLateRules()
  return { value: out, findings: walk.findings, excused: walk.excused }
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
  readonly #found: Finding[] = []
  readonly #excuses = new Map<Finding, () => boolean>()
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
      if (this.#asServer) {
        for (const complaint of checkMisfit(value, schema)) this.#complain(complaint, value, place)
        this.#checkCombined(value, schema, place)
      }
      return value
    }
    let out = value
    if (Array.isArray(value)) out = this.#visitList(value, schema, place)
    else if (isObject(value)) out = this.#visitObject(value, schema, place)
    for (const complaint of checkValue(out, schema)) this.#complain(complaint, out, place)
    this.#checkCombined(out, schema, place)
    if (schema['x-kubernetes-validations']) {
      if (this.#asServer) this.#lateRules.push(() => this.#runRules(out, schema, place))
      // A rule is only asked about a value of the right shape; the shape's own errors say it all.
      else if (this.#errors === before) this.#runRules(out, schema, place)
    }
    return out
  }

  #checkCombined(value: unknown, schema: Schema, place: Place): void {
    const judge = (part: Schema): Finding[] =>
      interpret(judging(part), value, { root: false, at: place.path }).findings.filter((f) => f.severity === 'error')
    const combined = { value, path: place.path, inDetail: this.#asServer, judge }
    for (const finding of checkCombined(schema, combined)) this.#addUnlessUnchanged(finding, value, place)
  }

  runLateRules(): void {
    if (this.findings.some(isBlocking)) this.#add(rulesNotRun)
    else for (const run of this.#lateRules) run()
  }

  #runRules(value: unknown, schema: Schema, place: Place): void {
    for (const finding of runRules(value, schema, place))
      if (finding.transition) this.#add(finding)
      else this.#addUnlessUnchanged(finding, value, place)
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
      setMember(out, key, this.visit(member, child, below(place, out, key, counterpart, own === undefined)))
    }
    for (const [key, child] of Object.entries(schema.properties ?? {})) {
      if (child.default === undefined || Object.hasOwn(out, key)) continue
      out[key] = this.visit(structuredClone(child.default), child, below(place, out, key, old?.[key]))
    }
    for (const key of schema.required ?? []) {
      if (Object.hasOwn(out, key)) continue
      if (this.#asServer || !this.#wasMisspelled(key, place)) this.#missing(key, out, place)
    }
    return out
  }

  #visitList(value: unknown[], schema: Schema, place: Place): unknown[] {
    if (!schema.items) return value
    const items = schema.items
    const counterpart = correlate(schema, place.old)
    const out: unknown[] = []
    for (const [i, item] of value.entries()) {
      const filled =
        item === null && !items.nullable && items.default !== undefined ? structuredClone(items.default) : item
      out.push(this.visit(filled, items, below(place, out, i, counterpart(item))))
    }
    for (const finding of checkUnique(out, schema, place.path)) this.#add(finding)
    return out
  }

  #complain(complaint: Complaint, value: unknown, place: Place): void {
    const message = typeof value === 'string' && value.includes('$(params.') ? unfilled(value) : complaint.message
    const finding = shapeError(place.path, message, complaint.reason, complaint.cause(dotted(place.path)))
    this.#addUnlessUnchanged(complaint.nowhere ? { ...finding, field: '<nil>' } : finding, value, place)
  }

  /** A required field that stands there under a wrong name: one mistake, told at the wrong name. */
  #wasMisspelled(key: string, place: Place): boolean {
    const ending = `; did you mean ${key}?`
    const at = this.#found.findIndex(
      (f) =>
        f.from === 'unknown' &&
        f.path.length === place.path.length + 1 &&
        startsWith(f.path, place.path) &&
        f.message.endsWith(ending),
    )
    const warning = this.#found[at]
    if (!warning) return false
    this.#found.splice(at, 1)
    const told = shapeError(
      warning.path,
      `unknown field${ending}`,
      'FieldValueRequired',
      causeText('FieldValueRequired', ''),
    )
    this.#add({ ...told, atKey: true, field: dotted([...place.path, key]) })
    return true
  }

  #missing(key: string, value: unknown, place: Place): void {
    const cause = causeText('FieldValueRequired', '')
    this.#addUnlessUnchanged(shapeError([...place.path, key], 'is missing', 'FieldValueRequired', cause), value, place)
  }

  /** What lies around a value is complete, with its defaults, only at the end of the walk: it is compared then. */
  #addUnlessUnchanged(finding: Finding, value: unknown, { old, above }: Place): void {
    this.#add(finding)
    if (!this.#ratchet) return
    if (old !== undefined) this.#excuses.set(finding, () => sameJson(value, old))
    else if (above) this.#excuses.set(finding, () => sameJson(above.value, above.old))
  }

  get findings(): Finding[] {
    return this.#found.filter((finding) => !this.#excuses.get(finding)?.())
  }

  /** Broken rules that are not held against the change. */
  get excused(): Finding[] {
    return this.#found.filter((finding) => finding.from === 'rule' && this.#excuses.get(finding)?.())
  }

  #unknown(key: string, schema: Schema, place: Place): void {
    const meant = nearest(key, Object.keys(schema.properties ?? {}))
    const path = [...place.path, key]
    const message = `unknown field, it will be dropped${meant ? `; did you mean ${meant}?` : ''}`
    this.#found.push({
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
    this.#found.push({
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
    // The apiserver says nothing twice.
    if (this.#asServer && this.#found.some((f) => f.cause === finding.cause && f.field === finding.field)) return
    this.#found.push(finding)
  }
}

function below(place: Place, value: unknown, step: string | number, old: unknown, mapKey = false): Place {
  const above = place.old !== undefined ? { value, old: place.old } : place.above
  const bracketed = mapKey || typeof step === 'number'
  const field = place.field + (bracketed ? `[${step}]` : place.field ? `.${step}` : step)
  return { path: [...place.path, step], field, old, ...(above ? { above } : {}) }
}

const startsWith = (path: Path, beginning: Path): boolean => beginning.every((step, i) => path[i] === step)

/** `__proto__` is a key like any other. */
function setMember(out: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true })
  else out[key] = value
}

/** A part of a combination sees only its own fields; the others are not unknown. */
function judging(part: Schema): Schema {
  return { 'x-kubernetes-preserve-unknown-fields': true, ...part }
}
