import type { Issue, Path } from '../../issue.ts'
import { nearest } from '../../nearest.ts'
import { quote } from '../../schema/finding.ts'

/** A warning: what a job is refused for is said by its own schema, and a machine of one's own may run it all the same. */
export const fault = (path: Path, message: string, reason = 'FieldValueInvalid'): Issue => ({
  severity: 'warning',
  path,
  message: `${message}; a cluster will refuse the pod`,
  reason,
})

export const missing = (path: Path, message = 'is missing'): Issue => fault(path, message, 'FieldValueRequired')

/** Empty is as good as absent, and has a default. */
export function* checkOneOf(path: Path, value: string | undefined, allowed: readonly string[]): Generator<Issue> {
  if (!value || allowed.includes(value)) return
  const meant = nearest(value, allowed)
  const hint = meant ? `; did you mean ${meant}?` : ''
  yield fault(path, `${quote(value)} is not one of ${allowed.join(', ')}${hint}`, 'FieldValueNotSupported')
}

export function* checkPort(path: Path, port: number | undefined): Generator<Issue> {
  if (port !== undefined && (port < 1 || port > 65_535))
    yield fault(path, `${port} is no port; they go from 1 to 65535`)
}

/** The first of each name stands. */
export function* checkDuplicates(named: Iterable<readonly [Path, string | undefined]>): Generator<Issue> {
  const seen = new Map<string, Path>()
  for (const [path, name] of named) {
    if (!name) continue
    const first = seen.get(name)
    if (first) yield { ...fault(path, `${quote(name)} stands twice{seeAlone}`, 'FieldValueDuplicate'), see: first }
    else seen.set(name, path)
  }
}
