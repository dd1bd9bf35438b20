import { isObject } from '../lib/json.ts'

/** A JSON merge patch (RFC 7386): maps are merged, null removes, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else defineOwn(merged, key, mergePatch(merged[key], value))
  }
  return merged
}

/** Plain assignment of `__proto__` would change the object's nature instead of adding a key. */
function defineOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}
