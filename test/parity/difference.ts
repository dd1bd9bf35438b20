import { isDeepStrictEqual } from 'node:util'

/** The places where two answers differ, one line each: `[1].body.message: "a" | "b"`. */
export function differences(ours: unknown, theirs: unknown, path = ''): string[] {
  if (isDeepStrictEqual(ours, theirs)) return []
  if (
    typeof ours !== 'object' ||
    typeof theirs !== 'object' ||
    ours === null ||
    theirs === null ||
    Array.isArray(ours) !== Array.isArray(theirs)
  ) {
    return [`${path}: ${show(ours)} | ${show(theirs)}`]
  }
  const left = ours as Record<string, unknown>
  const right = theirs as Record<string, unknown>
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return keys.flatMap((key) =>
    differences(left[key], right[key], Array.isArray(ours) ? `${path}[${key}]` : `${path}.${key}`),
  )
}

const show = (value: unknown): string => {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}
