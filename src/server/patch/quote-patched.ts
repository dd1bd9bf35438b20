import { isObject } from '../../lib/json.ts'
import { fieldsInOrder, goMessage } from '../schema/go-shape.ts'

/** Which objects a patch has reached into: their keys, and what it reached into below them. */
export type Touched = Map<string, Touched>

export function touchedByMerge(patch: unknown): Touched {
  const out: Touched = new Map()
  if (!isObject(patch)) return out
  for (const [key, value] of Object.entries(patch)) if (isObject(value)) out.set(key, touchedByMerge(value))
  return out
}

export function touchedByJsonPatch(patch: unknown): Touched {
  const out: Touched = new Map()
  for (const operation of Array.isArray(patch) ? patch : []) {
    const steps = String((operation as { path?: string }).path ?? '')
      .split('/')
      .slice(1, -1)
    let node = out
    for (const step of steps) {
      const next = node.get(step) ?? new Map()
      node.set(step, next)
      node = next
    }
  }
  return out
}

/**
 * A patched object as it is quoted back: where the patch reached in, keys stand by the alphabet; the rest stands as the
 * server had written it.
 */
export function quotePatched(value: unknown, definition: string, touched: Touched): string {
  return write(value, goMessage(definition), touched).replace(
    /[<>&]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  )
}

function write(value: unknown, message: string | undefined, touched: Touched | undefined): string {
  if (Array.isArray(value))
    return `[${value.map((item, i) => write(item, message, touched?.get(String(i)))).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const declared = message ? fieldsInOrder(message) : []
  const types = new Map(declared)
  const sorted = Object.keys(value).sort()
  const first = touched || !message ? [] : [...['kind', 'apiVersion'].filter((key) => !types.has(key)), ...types.keys()]
  const keys = new Set([...first.filter((key) => Object.hasOwn(value, key)), ...sorted])
  const parts = [...keys].map((key) => `${JSON.stringify(key)}:${write(value[key], types.get(key), touched?.get(key))}`)
  return `{${parts.join(',')}}`
}
