import { applyPatch, type Operation } from 'rfc6902'
import { isObject } from '../../lib/json.ts'
import { type ApiObject, valueAt } from '../object.ts'
import { badRequest, StatusError } from '../status-error.ts'

const MAX_OPERATIONS = 10_000
const OPERATIONS = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test'])

export function applyJsonPatch(live: ApiObject, patch: unknown): Record<string, unknown> {
  if (patch === null) return live
  if (!Array.isArray(patch))
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp')
  if (patch.length > MAX_OPERATIONS) {
    throw new StatusError(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    )
  }
  for (const operation of patch) {
    if (!isObject(operation) || !OPERATIONS.has(String(operation.op)) || typeof operation.path !== 'string') {
      throw rejected()
    }
  }
  let next = structuredClone(live) as Record<string, unknown>
  for (const operation of (patch as Operation[]).map(complete)) {
    if (operation.path === '' && (operation.op === 'replace' || operation.op === 'add')) {
      if (!isObject(operation.value)) throw rejected()
      next = operation.value
    } else perform(next, operation)
  }
  return next
}

/** A value that is left out is null; whatever stands before the first slash of a path does not count. */
function complete(operation: Operation): Operation {
  const path = operation.path.replace(/^[^/]+(?=\/|$)/, '')
  const needsValue = operation.op === 'add' || operation.op === 'replace' || operation.op === 'test'
  return { ...operation, path, ...(needsValue && operation.value === undefined ? { value: null } : {}) } as Operation
}

function perform(next: Record<string, unknown>, operation: Operation): void {
  if (operation.op === 'add' && isBeyondEnd(next, operation.path)) throw rejected()
  try {
    const [problem] = applyPatch(next, [lenient(next, operation)])
    if (problem) throw rejected()
  } catch {
    // Where a path leads into a text the library breaks; it is as wrong as any other path.
    throw rejected()
  }
}

function isBeyondEnd(target: unknown, path: string): boolean {
  const steps = stepsOf(path)
  const last = Number(steps.pop())
  let parent: unknown = target
  for (const step of steps)
    parent = Array.isArray(parent) ? parent[Number(step)] : isObject(parent) ? parent[step] : undefined
  return Array.isArray(parent) && last > parent.length
}

const stepsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The apiserver's library lets a replace add a key that is missing from an object that is there. */
function lenient(target: unknown, operation: Operation): Operation {
  if (operation.op !== 'replace') return operation
  const steps = stepsOf(operation.path)
  const last = steps.pop()
  const parent = valueAt(target, steps)
  const isMissing = last !== undefined && isObject(parent) && !Object.hasOwn(parent, last)
  return isMissing ? { ...operation, op: 'add' } : operation
}

const rejected = (): StatusError =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {})

const KNOWN = new Set(['op', 'path', 'from', 'value'])

/** Fields that no operation has. */
export function unknownInPatch(patch: unknown): string[] {
  if (!Array.isArray(patch)) return []
  return patch.flatMap((operation, i) =>
    Object.keys(isObject(operation) ? operation : {})
      .filter((key) => !KNOWN.has(key))
      .map((key) => `json patch unknown field "[${i}].${key}"`),
  )
}
