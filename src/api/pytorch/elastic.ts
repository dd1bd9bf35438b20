// Elastic jobs: expectedReplicas may change, between bounds that may not.
import { int, type Rule, record, type Schema } from '../schema/schema.ts'
import { fixed, has, isOn, tellChange } from '../shared/rules.ts'
import { oneSwitch, switchFields } from '../shared/switches.ts'
import type { PyTorchTrainingJobSpec } from '../types.ts'

type Elastic = NonNullable<PyTorchTrainingJobSpec['elastic']>
type Size = 'minReplicas' | 'maxReplicas' | 'expectedReplicas'

/** One size may not be below (or above) another. */
function ordered(small: Size, large: Size, at: Size): Rule {
  const other = at === small ? large : small
  const word = at === small ? 'more' : 'less'
  // Bounds that are the wrong way round have been complained about already.
  const crossed =
    at === 'expectedReplicas'
      ? '(has(self.minReplicas) && has(self.maxReplicas) && self.minReplicas > self.maxReplicas) || '
      : ''
  return {
    rule: `${crossed}!has(self.${small}) || !has(self.${large}) || self.${small} <= self.${large}`,
    message: `is ${word} than ${other}`,
    fieldPath: `.${at}`,
    tell: (self: Elastic) => ({
      message: `${self[at]} is ${word} than ${other} (${self[other]}{see})`,
      path: [at],
      see: [other],
    }),
  }
}

function needed(field: Size): Rule {
  return {
    rule: `!${isOn('self')} || has(self.${field})`,
    message: 'an elastic job needs minReplicas, maxReplicas and expectedReplicas',
    fieldPath: `.${field}`,
    reason: 'FieldValueRequired',
    tell: () => ({
      message: 'is missing; an elastic job needs minReplicas, maxReplicas and expectedReplicas',
      path: [field],
    }),
  }
}

const size = (description: string): Schema => int(description, { minimum: 1, maximum: 4096 })

export const elastic: Schema = record(
  'Let the number of replicas change while the job runs. Needs torchrun.',
  {
    ...switchFields('Whether the job is elastic.'),
    minReplicas: size('The fewest replicas the job can run with.'),
    maxReplicas: size('The most replicas the job may have.'),
    expectedReplicas: size('The number of replicas wanted now; may be changed at any time, also by kubectl scale.'),
  },
  {
    'x-kubernetes-validations': [
      oneSwitch,
      needed('minReplicas'),
      needed('maxReplicas'),
      needed('expectedReplicas'),
      ordered('minReplicas', 'maxReplicas', 'minReplicas'),
      ordered('expectedReplicas', 'maxReplicas', 'expectedReplicas'),
      ordered('minReplicas', 'expectedReplicas', 'expectedReplicas'),
    ],
  },
)

const neitherAddedNorRemoved: Rule = {
  rule: `${has('self', 'elastic')} == ${has('oldSelf', 'elastic')}`,
  message: 'may be neither added nor removed after creation',
  fieldPath: '.elastic',
  reason: 'FieldValueForbidden',
}

/** The bounds themselves; where elastic comes or goes as a whole, the rule above has said it. */
function fixedInside(field: string): Rule {
  const rule = fixed('elastic', field)
  return {
    ...rule,
    rule: `${has('self', 'elastic')} != ${has('oldSelf', 'elastic')} || (${rule.rule})`,
    tell: (self: unknown, old: unknown) => tellChange(['elastic', field], self, old),
  }
}

export const elasticChanges: Rule[] = [
  neitherAddedNorRemoved,
  ...['enable', 'enabled', 'minReplicas', 'maxReplicas'].map(fixedInside),
]
