import { isObject } from '../../lib/json.ts'

/** A value as Go's %v prints it: `map[a:1 b:[x y]]`. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (!isObject(value)) return value === null || value === undefined ? '<nil>' : String(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `map[${entries.map(([key, child]) => `${key}:${goText(child)}`).join(' ')}]`
}
