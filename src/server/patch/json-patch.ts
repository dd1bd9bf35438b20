import { applyPatch, type Operation } from 'rfc6902'
import { isObject } from '../../lib/json.ts'
import type { ApiObject } from '../object.ts'
import { badRequest, StatusError } from '../status-error.ts'

const MAX_OPERATIONS = 10_000
const OPERATIONS = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test'])

export function applyJsonPatch(live: ApiObject, patch: unknown): Record<string, unknown> {
  if (!Array.isArray(patch)) throw badRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch')
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
  const problems = applyPatch(next, patch as Operation[]).filter((problem) => problem !== null)
  if (problems.length > 0) throw rejected()
  return next
}

const rejected = (): StatusError =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
