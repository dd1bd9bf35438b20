// Whatever JSON is thrown at it, validate answers: no throw, no library's words, no place that is not there.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messageOf, type Path } from '../../src/api/issue.ts'
import { kinds } from '../../src/api/kinds.ts'
import { validate } from '../../src/api/validate.ts'
import { isObject } from '../../src/lib/json.ts'
import { rows } from './rows/index.ts'

const goodObjects = rows.filter((row) => row.refused === undefined).map((row) => row.object)
const anyKind = fc.constantFrom(
  ...kinds.flatMap((kind) =>
    kind.versions.map((version) => ({ apiVersion: `${kind.group}/${version.name}`, kind: kind.kind })),
  ),
)

/** All places of a value. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [
    path,
    ...Object.entries(value).flatMap(([key, member]) =>
      placesOf(member, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

function put(value: unknown, path: Path, member: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return member
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? put(item, rest, member) : item))
  return { ...(value as object), [step]: put((value as Record<string, unknown>)[step], rest, member) }
}

/** A good object with a few places replaced by anything. */
const bent = fc
  .tuple(fc.constantFrom(...goodObjects), fc.array(fc.tuple(fc.nat(), fc.jsonValue()), { minLength: 1, maxLength: 4 }))
  .map(([object, changes]) =>
    changes.reduce<unknown>((value, [at, member]) => {
      const places = placesOf(value)
      return put(value, places[at % places.length]!, member)
    }, object),
  )

const misbuilt = fc
  .tuple(anyKind, fc.jsonValue(), fc.jsonValue())
  .map(([kind, metadata, spec]) => ({ ...kind, metadata, spec }))

function look(value: unknown, old?: unknown): void {
  const { issues } = validate(value, { old })
  for (const issue of issues) {
    const message = messageOf(issue, () => 1)
    expect(message).not.toMatch(/undefined|NaN|\[object|no such key|overload|Unknown variable|\{see/)
    expect(message.length).toBeGreaterThan(0)
    expect(isObject(value) || issue.path.length === 0).toBe(true)
  }
}

const RUNS = Number(process.env.TRAINYARD_RUNS ?? 1500)

test('anything at all', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => look(value)),
    { numRuns: RUNS },
  )
})

test('anything under the name of one of our kinds', () => {
  fc.assert(
    fc.property(misbuilt, (value) => look(value)),
    { numRuns: RUNS },
  )
})

test('good objects with places replaced', () => {
  fc.assert(
    fc.property(bent, (value) => look(value)),
    { numRuns: RUNS },
  )
})

test('changes of good objects into bent ones', () => {
  fc.assert(
    fc.property(fc.constantFrom(...goodObjects), bent, (old, value) => look(value, old)),
    { numRuns: RUNS },
  )
})

test('nesting without end', () => {
  let deep: unknown = 'x'
  for (let i = 0; i < 20_000; i++) deep = i % 2 ? [deep] : { a: deep }
  for (const kind of kinds) {
    const head = { apiVersion: `${kind.group}/${kind.versions[0]!.name}`, kind: kind.kind }
    look({ ...head, metadata: { name: 'a', annotations: deep }, spec: deep })
    look({
      ...head,
      metadata: { name: 'a' },
      spec: { topologyPolicy: deep, logDir: { pvc: [{ name: 'a', subPath: deep }] } },
    })
  }
})
