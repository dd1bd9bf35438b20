// What a rule of success or failure may name: types the job has, ranks they have.
import type { Path } from '../issue.ts'
import { nearest } from '../nearest.ts'
import type { Rule } from '../schema/schema.ts'
import { replicaSpecsOf } from '../spellings.ts'
import type { GenericJobSpec } from '../types.ts'
import { rankProblem } from './ranks.ts'

type Field = 'successRules' | 'failureRules'

/** CEL knows the two spellings as two types, so each rule is said for each; with both given, for the first. */
export const SPELLINGS = [
  { absent: '!has(self.replicaSpecs)', roles: 'self.replicaSpecs' },
  { absent: 'has(self.replicaSpecs) || !has(self.replicasSpec)', roles: 'self.replicasSpec' },
]

/** Where a range ends is looked at in check.ts: the apiserver reckons that splitting so many texts costs too much. */
export function ruleRules(field: Field): Rule[] {
  return SPELLINGS.flatMap(({ absent, roles }): Rule[] => {
    const inRange = `${roles}.all(r, r.type != role || rule[role].all(x, type(x) == int ? int(x) < r.replicas : (!string(x).matches('^[0-9]+$') || int(x) < r.replicas)))`
    return [
      {
        rule: `${absent} || self.${field}.all(rule, rule.all(role, ${roles}.exists(r, r.type == role)))`,
        message: 'names a replica type the job does not have',
        fieldPath: `.${field}`,
        tell: (self: GenericJobSpec) => tellRole(self, field),
      },
      {
        rule: `${absent} || self.${field}.all(rule, rule.all(role, ${inRange}))`,
        message: 'names a rank the type does not have',
        fieldPath: `.${field}`,
        tell: (self: GenericJobSpec) => firstBadRank(self, field) ?? { message: 'names a rank the type does not have' },
      },
    ]
  })
}

/** On a single rank. */
export const orderedRange: Rule = {
  rule: "!string(self).matches('^[0-9]{1,9}-[0-9]{1,9}$') || int(string(self).split('-')[0]) <= int(string(self).split('-')[1])",
  message: 'the range is the wrong way round',
  tell: (self: string) => `${JSON.stringify(self)} is the wrong way round; write the smaller rank first`,
}

function tellRole(self: GenericJobSpec, field: Field): { message: string; path: Path } {
  const types = replicaSpecsOf(self).map((r) => r.type)
  for (const [i, rule] of self[field].entries())
    for (const role of Object.keys(rule)) {
      if (types.includes(role)) continue
      const meant = nearest(role, types)
      return {
        message: `the job has no replica type "${role}"${meant ? `; did you mean ${meant}?` : `, only ${types.join(', ')}`}`,
        path: [field, i, role],
      }
    }
  return { message: 'names a replica type the job does not have', path: [field] }
}

export function firstBadRank(self: GenericJobSpec, field: Field): { message: string; path: Path } | undefined {
  const roles = new Map(replicaSpecsOf(self).map((r) => [r.type, r.replicas ?? 1]))
  for (const [i, rule] of self[field].entries())
    for (const [role, ranks] of Object.entries(rule)) {
      const replicas = roles.get(role)
      // An unknown role or an impossible size has been complained about already.
      if (replicas === undefined || replicas < 1) continue
      for (const [at, rank] of ranks.entries()) {
        const problem = rankProblem(rank, replicas)
        const path = [field, i, role, at]
        const last = replicas === 1 ? `${role} has only rank 0` : `${role} has ranks 0 to ${replicas - 1}`
        if (problem === 'malformed')
          return { message: `${JSON.stringify(rank)} is no rank; write a number, a range "0-3", or "*"`, path }
        if (problem === 'out of range') return { message: `${JSON.stringify(rank)} is out of range: ${last}`, path }
      }
    }
  return undefined
}
