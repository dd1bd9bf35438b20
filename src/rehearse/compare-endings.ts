// Two rehearsals of the same job that should have ended alike.
import { isObject, sameJson } from '../lib/json.ts'
import type { RehearsalResult } from './rehearse.ts'

/** What differs, apart from the moments at which things were noted. */
export function describeDifferences(a: RehearsalResult, b: RehearsalResult): string[] {
  const differences: string[] = []
  if (a.phase !== b.phase) differences.push(`phase ${a.phase} or ${b.phase}`)
  if (!sameJson(withoutMoments(a.status), withoutMoments(b.status))) differences.push('another status')
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

function withoutMoments(value: unknown): unknown {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? 'a moment' : value
  if (Array.isArray(value)) return value.map(withoutMoments)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'activeSeconds' ? 0 : withoutMoments(item)]),
  )
}
