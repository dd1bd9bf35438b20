// One answer about a manifest: everything that is wrong with it or doubtful, each thing once, in words for its author.
import { isObject } from '../lib/json.ts'
import { checkOf } from './checks.ts'
import type { Issue, Path } from './issue.ts'
import { kindOf } from './kinds.ts'
import { checkMetadata } from './metadata.ts'
import type { Finding } from './schema/finding.ts'
import { quote } from './schema/finding.ts'
import { interpret } from './schema/interpret.ts'
import { checkKind } from './unknown-kind.ts'

export interface ValidateOptions {
  /** The stored object that is to be changed into this one. */
  old?: unknown
}

export interface Validated {
  /** With schema defaults and without unknown fields, as an API server would store it. */
  object: unknown
  issues: Issue[]
}

/** No manifest comes near it; what goes beyond would overflow somebody's stack. */
const MOST_LEVELS = 200

/** Never throws, whatever it is given. */
export function validate(object: unknown, options: ValidateOptions = {}): Validated {
  if (!isObject(object))
    return { object, issues: [{ severity: 'error', path: [], message: `${quote(object)} is not an object` }] }
  if (isDeeperThan(object, MOST_LEVELS)) {
    return {
      object,
      issues: [{ severity: 'error', path: [], message: `is nested more than ${MOST_LEVELS} levels deep` }],
    }
  }
  const known = kindOf(object.apiVersion, object.kind)
  if (!known) {
    const issues = checkKind(object)
    if (!issues.some((issue) => issue.severity === 'error')) issues.push(...checkMetadata(object.metadata, false))
    return { object, issues }
  }
  const schema = known.version.schema
  const old = options.old === undefined ? undefined : interpret(schema, options.old).value
  const named = withGeneratedName(object)
  const { value, findings } = interpret(schema, named.object, { old, ratchet: false })
  const issues: Issue[] = [
    ...checkMetadata(object.metadata, known.job),
    ...findings.map((f) => asIssue(f, named.generated)),
  ]
  if (!findings.some(isMisshapen)) {
    // Doubts about an object that is wrong anyway may only be consequences of what is wrong.
    const refused = findings.some((finding) => finding.severity === 'error')
    issues.push(...checkOf(known.kind, value).filter((issue) => !refused || issue.severity === 'error'))
  }
  return { object: named.generated ? withoutName(value) : value, issues: eachOnce(issues) }
}

/** Level by level, without recursion, and what aliases share only once: the point is not to overflow. */
function isDeeperThan(value: unknown, most: number): boolean {
  let level = new Set<unknown>([value])
  for (let depth = 0; level.size > 0; depth++) {
    if (depth > most) return true
    const next = new Set<unknown>()
    for (const item of level)
      if (typeof item === 'object' && item !== null) for (const member of Object.values(item)) next.add(member)
    level = next
  }
  return false
}

/** A text where a list should be, a missing member: what builds on the shape cannot be asked any more. */
function isMisshapen(finding: Finding): boolean {
  return (
    finding.from === 'shape' && (finding.reason === 'FieldValueTypeInvalid' || finding.reason === 'FieldValueRequired')
  )
}

function asIssue(finding: Finding, generated: boolean): Issue {
  const { severity, path, message, see, atKey, reason } = finding
  const moved = generated && path[0] === 'metadata' && path[1] === 'name' ? ['metadata', 'generateName'] : path
  return {
    severity,
    path: moved,
    message,
    ...(see ? { see } : {}),
    ...(atKey ? { atKey } : {}),
    ...(reason ? { reason } : {}),
  }
}

/** The first complaint about a place stands; what lies below a place that is wrong is not looked at twice. */
function eachOnce(issues: Issue[]): Issue[] {
  const errors: Path[] = []
  const kept: Issue[] = []
  for (const issue of issues) {
    const told = errors.some(
      (path) => path.length <= issue.path.length && path.length > 0 && path.every((step, i) => step === issue.path[i]),
    )
    if (told) continue
    if (issue.severity === 'error') errors.push(issue.path)
    kept.push(issue)
  }
  return kept
}

/** With generateName the server adds five characters; the names made from the job's must still fit. */
function withGeneratedName(object: Record<string, unknown>): { object: unknown; generated: boolean } {
  const metadata = object.metadata
  if (!isObject(metadata) || metadata.name || typeof metadata.generateName !== 'string')
    return { object, generated: false }
  const name = `${metadata.generateName.slice(0, 58)}xxxxx`
  return { object: { ...object, metadata: { ...metadata, name } }, generated: true }
}

function withoutName(value: unknown): unknown {
  if (!isObject(value) || !isObject(value.metadata)) return value
  const { name: _, ...metadata } = value.metadata
  return { ...value, metadata }
}
