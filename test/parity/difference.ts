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
    const from = typeof ours === 'string' && typeof theirs === 'string' ? firstDifference(ours, theirs) : 0
    return [`${path}: ${show(ours, from)} | ${show(theirs, from)}`]
  }
  const left = ours as Record<string, unknown>
  const right = theirs as Record<string, unknown>
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return keys.flatMap((key) =>
    differences(left[key], right[key], Array.isArray(ours) ? `${path}[${key}]` : `${path}.${key}`),
  )
}

const SHOWN = 400

function show(value: unknown, from: number): string {
  if (value === undefined) return '(nothing)'
  const isCut = typeof value === 'string' && value.length > SHOWN && from > 100
  const text = JSON.stringify(isCut ? `…${(value as string).slice(from - 60)}` : value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

/** Long texts that differ late are shown from where they do. */
function firstDifference(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}
