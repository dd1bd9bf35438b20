// CEL rules of a schema (x-kubernetes-validations), in the plain subset that cel-js and the apiserver share.
import { type Environment, Optional } from '@marcbachmann/cel-js'
import { isObject } from '../../lib/json.ts'
import type { Path } from '../issue.ts'
import { buildEnvironment } from './cel-library.ts'
import { causeText, type Finding, type Reason } from './finding.ts'
import type { Rule, Schema, Told } from './schema.ts'

export interface RuleFinding extends Finding {
  /** The rule compares with the old value. */
  transition: boolean
}

const withRules = new WeakMap<Schema, boolean>()

/** Whether there is a rule anywhere in it. */
export function hasRules(schema: Schema): boolean {
  let known = withRules.get(schema)
  if (known === undefined) {
    const inside = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties]
    known =
      (schema['x-kubernetes-validations']?.length ?? 0) > 0 ||
      inside.some((child) => typeof child === 'object' && hasRules(child))
    withRules.set(schema, known)
  }
  return known
}

export interface RulePlace {
  path: Path
  /** As the apiserver writes it. */
  field: string
  old: unknown
  /** The value is a whole object. */
  root?: boolean
}

export function runRules(value: unknown, schema: Schema, place: RulePlace): RuleFinding[] {
  const { path, field, old } = place
  const rules = schema['x-kubernetes-validations'] ?? []
  if (value === null || value === undefined || rules.length === 0) return []
  environment ??= buildEnvironment()
  const seen = place.root ? withObjectMeta(schema) : schema
  const self = toCel(value, seen)
  const before = old === undefined || old === null ? undefined : toCel(old, seen)
  const findings: RuleFinding[] = []
  for (const rule of rules) {
    const compiled = compile(rule)
    if (compiled.usesOldSelf && before === undefined && !rule.optionalOldSelf) continue
    const oldSelf = rule.optionalOldSelf ? wrapOptional(before) : before
    const verdict = evaluate(compiled, self, oldSelf)
    if (verdict === true) continue
    const at = [...path, ...parseFieldPath(rule.fieldPath)]
    const shownField = rule.fieldPath ? (field ? field + rule.fieldPath : rule.fieldPath.slice(1)) : field
    const told: Told = verdict === false ? tell(rule, compiled, value, old, self, oldSelf) : { message: rule.message }
    const reason = (rule.reason ?? 'FieldValueInvalid') as Reason
    const message =
      verdict === false
        ? apiMessage(rule, compiled, self, oldSelf)
        : `${verdict} evaluating rule: ${rule.message || rule.rule}`
    findings.push({
      severity: 'error',
      path: told.path ? [...path, ...told.path] : at,
      ...(told.see ? { see: [...path, ...told.see] } : {}),
      message: told.message,
      reason,
      field: shownField,
      cause: verdict === false ? causeOf(reason, message, value, schema) : brokenCause(message, value, schema),
      from: 'rule',
      transition: compiled.usesOldSelf,
    })
  }
  return findings
}

function causeOf(reason: Reason, message: string, value: unknown, schema: Schema): string {
  const shown = schema.type === 'object' || schema.type === 'array' ? undefined : value
  if (reason === 'FieldValueInvalid') return causeText(reason, message, shown)
  return causeText(
    reason,
    reason === 'FieldValueDuplicate' ? '' : message,
    reason === 'FieldValueDuplicate' ? shown : undefined,
  )
}

/** A rule that could not be evaluated is told with the type of what it looked at. */
function brokenCause(message: string, value: unknown, schema: Schema): string {
  const shown = schema.type === 'object' || schema.type === 'array' ? schema.type : value
  return causeText('FieldValueInvalid', message, shown)
}

function tell(rule: Rule, compiled: Compiled, value: unknown, old: unknown, self: unknown, oldSelf: unknown): Told {
  if (!rule.tell) return { message: apiMessage(rule, compiled, self, oldSelf) }
  const told = rule.tell(value as never, old as never)
  return typeof told === 'string' ? { message: told } : told
}

function apiMessage(rule: Rule, compiled: Compiled, self: unknown, oldSelf: unknown): string {
  if (compiled.messageExpression) {
    try {
      const message = compiled.messageExpression({ self, oldSelf })
      if (typeof message === 'string' && message.trim() !== '' && !message.includes('\n')) return message.trim()
    } catch {
      // The plain message stands in, as it does on the apiserver.
    }
  }
  return rule.message ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`
}

type Program = (context: Record<string, unknown>) => unknown

interface Compiled {
  program: Program
  usesOldSelf: boolean
  messageExpression?: Program
}

const compiledRules = new WeakMap<Rule, Compiled>()
/** By their text: a definition is read anew with each of its changes, and most of ours share the rules of a pod. */
const programs = new Map<string, Program>()
const MOST_PROGRAMS = 2_000
let environment: Environment | undefined

/** Throws if it is no expression. */
export function compileExpression(text: string): Program {
  let program = programs.get(text)
  if (!program) {
    environment ??= buildEnvironment()
    program = environment.parse(text) as Program
    if (programs.size >= MOST_PROGRAMS) programs.clear()
    programs.set(text, program)
  }
  return program
}

function compile(rule: Rule): Compiled {
  const known = compiledRules.get(rule)
  if (known) return known
  const compiled: Compiled = {
    program: compileExpression(rule.rule),
    usesOldSelf: /\boldSelf\b/.test(rule.rule),
    ...(rule.messageExpression ? { messageExpression: compileExpression(rule.messageExpression) } : {}),
  }
  compiledRules.set(rule, compiled)
  return compiled
}

/** true, false, or why the rule could not be evaluated. */
function evaluate(compiled: Compiled, self: unknown, oldSelf: unknown): boolean | string {
  try {
    return compiled.program({ self, oldSelf }) === true
  } catch (problem) {
    const [first = 'error'] = problem instanceof Error ? problem.message.split('\n') : []
    return first.replace(/^No such key/, 'no such key')
  }
}

/** Of an object's own metadata rules see the names alone. */
const OBJECT_META: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
}
const withMeta = new WeakMap<Schema, Schema>()

function withObjectMeta(schema: Schema): Schema {
  let known = withMeta.get(schema)
  if (!known) {
    const typed = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: OBJECT_META } as const
    known = { ...schema, properties: { ...schema.properties, ...typed } }
    withMeta.set(schema, known)
  }
  return known
}

/** With an old value that may be missing, a rule is asked on creation too. */
const wrapOptional = (before: unknown): unknown => (before === undefined ? Optional.none() : Optional.of(before))

/**
 * CEL tells whole numbers from others by type, so they become bigints wherever the schema means whole numbers; times
 * are texts with a format. Fields without a type are not visible to rules, as on the apiserver.
 */
function toCel(value: unknown, schema: Schema): unknown {
  if (typeof value === 'number') return Number.isInteger(value) && schema.type !== 'number' ? BigInt(value) : value
  if (typeof value === 'string') return schema.format ? readTime(value, schema.format) : value
  if (Array.isArray(value)) return schema.items ? value.map((item) => toCel(item, schema.items!)) : []
  if (!isObject(value)) return value
  const out: Record<string, unknown> = {}
  const other = isObject(schema.additionalProperties) ? (schema.additionalProperties as Schema) : undefined
  for (const [key, member] of Object.entries(value)) {
    const own = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
    const child = own ?? other
    if (child?.type || child?.['x-kubernetes-int-or-string']) out[own ? escapeName(key) : key] = toCel(member, child)
  }
  return out
}

function readTime(value: string, format: string): unknown {
  if (format === 'duration') return environment?.evaluate('duration(text)', { text: value })
  return format === 'date' || format === 'date-time'
    ? environment?.evaluate('timestamp(text)', { text: stamp(value) })
    : value
}

const stamp = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)

const SIGNS: Record<string, string> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' }
const WORDS = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

/** A field whose name is no name in CEL has another there. */
function escapeName(name: string): string {
  if (WORDS.has(name)) return `__${name}__`
  return name.replace(/__|[.\-/]/g, (sign) => SIGNS[sign] ?? sign)
}

const fieldPaths = new Map<string, Path>()

/** `.a.b['c']` → a, b, c. */
function parseFieldPath(text: string | undefined): Path {
  if (!text) return []
  let path = fieldPaths.get(text)
  if (!path) {
    path = [...text.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)].map((match) => match[1] ?? match[2]!)
    fieldPaths.set(text, path)
  }
  return path
}
