import { applyPatch, type Operation } from 'rfc6902'
import { isObject } from '../../lib/json.ts'
import { type ApiObject, valueAt } from '../object.ts'
import { badRequest, StatusError } from '../status-error.ts'

const MAX_OPERATIONS = 10_000
const OPERATIONS = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test'])

export function applyJsonPatch(live: ApiObject, patch: unknown): Record<string, unknown> {
  if (!Array.isArray(patch))
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp')
  if (patch.length > MAX_OPERATIONS) {
    throw new StatusError(
      413,
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    )
  }
  for (const operation of patch) {
    if (!isObject(operation) || !OPERATIONS.has(String(operation.op)) || typeof operation.path !== 'string') {
      throw rejected()
    }
  }
  const next = structuredClone(live) as Record<string, unknown>
  for (const operation of patch as Operation[]) {
    const [problem] = applyPatch(next, [lenient(next, operation)])
    if (problem) throw rejected()
  }
  return next
}

/** The apiserver's library lets a replace add a key that is missing from an object that is there. */
function lenient(target: unknown, operation: Operation): Operation {
  if (operation.op !== 'replace') return operation
  const steps = operation.path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = steps.pop()
  const parent = valueAt(target, steps)
  const isMissing = last !== undefined && isObject(parent) && !Object.hasOwn(parent, last)
  return isMissing ? { ...operation, op: 'add' } : operation
}

const rejected = (): StatusError =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
