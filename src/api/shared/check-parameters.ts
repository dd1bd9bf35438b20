// `$(params.x)` is filled in by workflows before they create a job. In a command it could mean a variable of the
// container, so there it is only doubtful.
import type { Issue } from '../issue.ts'
import { unfilled } from '../schema/interpret.ts'
import { fault, warn } from './check-templates.ts'

const FOR_KUBERNETES = new Set(['command', 'args', 'env'])

export function* checkParameters(
  value: unknown,
  path: (string | number)[] = ['spec'],
  loose = false,
): Generator<Issue> {
  if (typeof value === 'string') {
    if (value.includes('$(params.')) yield (loose ? warn : fault)(path, unfilled(value))
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key
    yield* checkParameters(member, [...path, step], loose || (typeof step === 'string' && FOR_KUBERNETES.has(step)))
  }
}
