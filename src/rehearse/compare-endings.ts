// Two rehearsals of the same job that should have ended alike.
import { type Path, pathText } from '../api/issue.ts'
import { isObject, sameJson } from '../lib/json.ts'
import type { RehearsalResult } from './rehearse.ts'

/** How it came about, not how it ended: two losses may be seen at once or one after the other. */
const JOURNAL = new Set([
  'replaces',
  'setbacks',
  'attempt',
  'restartAt',
  'runningSince',
  'activeSeconds',
  'activeSince',
])

/** What differs, apart from the moments at which things were noted. */
export function describeDifferences(a: RehearsalResult, b: RehearsalResult): string[] {
  const differences: string[] = []
  if (a.phase !== b.phase) differences.push(`phase ${a.phase} or ${b.phase}`)
  const place = firstDifference(withoutMoments(a.status), withoutMoments(b.status), ['status'])
  if (place) differences.push(`another ${pathText(place)}`)
  for (const [i, replica] of a.replicas.entries()) {
    const name = `${replica.type}-${replica.index}`
    const [left, right] = [replica.attempts, b.replicas[i]?.attempts ?? []]
    if (left.length !== right.length) differences.push(`${name} has ${left.length} or ${right.length} attempts`)
    else if (!sameJson(left.map(endOf), right.map(endOf))) differences.push(`the attempts of ${name} end differently`)
  }
  const names = (result: RehearsalResult): string[] =>
    result.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)
  if (!sameJson(names(a).sort(), names(b).sort())) differences.push('other objects are left')
  return differences
}

function endOf({ phase, exitCode }: RehearsalResult['replicas'][number]['attempts'][number]): unknown {
  return { phase, exitCode }
}

function firstDifference(a: unknown, b: unknown, path: Path): Path | undefined {
  if (sameJson(a, b)) return undefined
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    const at = a.findIndex((item, i) => !sameJson(item, b[i]))
    return firstDifference(a[at], b[at], [...path, at])
  }
  if (!isObject(a) || !isObject(b)) return path
  const key = [...Object.keys(a), ...Object.keys(b)].find((name) => !sameJson(a[name], b[name]))!
  return firstDifference(a[key], b[key], [...path, key])
}

function withoutMoments(value: unknown): unknown {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? 'a moment' : value
  if (Array.isArray(value)) return value.map(withoutMoments)
  if (!isObject(value)) return value
  const told = Object.entries(value).filter(([key]) => !JOURNAL.has(key))
  return Object.fromEntries(told.map(([key, item]) => [key, withoutMoments(item)]))
}
