import { sameJson } from '../../lib/json.ts'
import { timestamp } from '../object.ts'
import type { Condition, Definition } from './definition.ts'

type Names = Definition['spec']['names']
type Status = NonNullable<Definition['status']>

/** Names that definitions of one group have got already; resources and kinds are two sorts of names. */
export interface TakenNames {
  resources: ReadonlySet<string>
  kinds: ReadonlySet<string>
}

export function takenNames(others: readonly Definition[]): TakenNames {
  const accepted = others.map((other) => other.status?.acceptedNames)
  const words = (list: ReadonlyArray<string | undefined>): Set<string> =>
    new Set(list.filter((name): name is string => Boolean(name)))
  return {
    resources: words(accepted.flatMap((names) => [names?.plural, names?.singular, ...(names?.shortNames ?? [])])),
    kinds: words(accepted.flatMap((names) => [names?.kind, names?.listKind])),
  }
}

/** Every name is accepted that nobody else of the group has; what was accepted once stays so. */
export function decideNames(definition: Definition, taken: TakenNames): { names: Names; condition: Condition } {
  const wanted = definition.spec.names
  const had: Partial<Names> = definition.status?.acceptedNames ?? {}
  const names: Partial<Names> = { ...had }
  let conflict: { reason: string; message: string } | undefined
  const judge = (reason: string, asked: ReadonlyArray<string | undefined>, used: ReadonlySet<string>): boolean => {
    const lost = asked
      .filter((name) => name !== undefined && used.has(name))
      .map((name) => `"${name}" is already in use`)
    if (lost.length === 0) return true
    conflict = { reason, message: lost.length === 1 ? (lost[0] ?? '') : `[${lost.join(', ')}]` }
    return false
  }
  const one = (field: 'plural' | 'singular' | 'kind' | 'listKind', reason: string, used: ReadonlySet<string>): void => {
    const name = wanted[field]
    if (name !== undefined && (name === had[field] || judge(reason, [name], used))) names[field] = name
  }
  one('plural', 'PluralConflict', taken.resources)
  one('singular', 'SingularConflict', taken.resources)
  const fresh = (wanted.shortNames ?? []).filter((name) => !had.shortNames?.includes(name))
  if (!sameJson(wanted.shortNames, had.shortNames) && judge('ShortNamesConflict', fresh, taken.resources)) {
    if (wanted.shortNames) names.shortNames = wanted.shortNames
    else delete names.shortNames
  }
  one('kind', 'KindConflict', taken.kinds)
  one('listKind', 'ListKindConflict', taken.kinds)
  if (wanted.categories) names.categories = wanted.categories
  else delete names.categories
  const verdict = conflict ?? { reason: 'NoConflicts', message: 'no conflicts found' }
  return {
    names: { plural: '', kind: '', ...names },
    condition: { type: 'NamesAccepted', status: conflict ? 'False' : 'True', ...verdict },
  }
}

export const conditionOf = (definition: Definition, type: string): Condition | undefined =>
  definition.status?.conditions?.find((condition) => condition.type === type)

export const isTrue = (definition: Definition, type: string): boolean =>
  conditionOf(definition, type)?.status === 'True'

/** A condition keeps its time while its status stays. */
export function setCondition(status: Status, condition: Condition, now: number): void {
  const conditions = status.conditions ?? []
  const old = conditions.find((other) => other.type === condition.type)
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : timestamp(now)
  const next = { ...condition, ...(lastTransitionTime ? { lastTransitionTime } : {}) }
  status.conditions = old ? conditions.map((other) => (other === old ? next : other)) : [...conditions, next]
}
