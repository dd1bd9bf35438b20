// `$(params.x)` is filled in by workflows before they create a job; one that is left over was forgotten. Only where
// the container has a variable of that very name is it left for Kubernetes, and so is the escaped `$$(params.x)`.
import { isObject } from '../../lib/json.ts'
import type { Issue } from '../issue.ts'
import { unfilled } from '../schema/finding.ts'
import { fault } from './check-templates.ts'

const PARAMETER = /(?<!\$)\$\((params\.[^()]*)\)/g

export function* checkParameters(
  value: unknown,
  path: (string | number)[] = ['spec'],
  variables: ReadonlySet<unknown> = new Set(),
): Generator<Issue> {
  if (typeof value === 'string') {
    if ([...value.matchAll(PARAMETER)].some(([, name]) => !variables.has(name))) yield fault(path, unfilled(value))
    return
  }
  if (typeof value !== 'object' || value === null) return
  const own = isObject(value) && Array.isArray(value.env) ? new Set(value.env.map((entry) => entry?.name)) : variables
  for (const [key, member] of Object.entries(value)) {
    yield* checkParameters(member, [...path, Array.isArray(value) ? Number(key) : key], own)
  }
}
