// What tfReplicaSpecs must be: known types in any casing, once each, of the right size, and fixed.
import type { Path } from '../issue.ts'
import { nearest } from '../nearest.ts'
import type { Rule } from '../schema/schema.ts'
import { fixed } from '../shared/rules.ts'
import type { TFJobSpec, TFReplicaSpec } from '../types.ts'
import { canonicalType, TF_REPLICA_TYPES } from './replica-types.ts'

type Specs = Record<string, TFReplicaSpec>

// Not (?i:…), which the regular expressions of Node 20 do not know: TypeScript users may be there.
const anyCase = (word: string): string => word.replace(/[a-z]/gi, (c) => `[${c.toLowerCase()}${c.toUpperCase()}]`)
const is = (...types: string[]): string => `k.matches('^(${types.map(anyCase).join('|')})$')`

const known: Rule = {
  rule: `self.all(k, ${is(...TF_REPLICA_TYPES)})`,
  message: 'the types are Chief, Master, Worker, PS and Evaluator',
  tell: (self: Specs) => {
    const key = Object.keys(self).find((k) => canonicalType(k) === undefined)!
    const meant = nearest(key, TF_REPLICA_TYPES)
    return {
      message: `"${key}" is not one of ${TF_REPLICA_TYPES.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`,
      path: [key],
    }
  },
}

const once: Rule = {
  rule: TF_REPLICA_TYPES.map((type) => `self.filter(k, ${is(type)}).size() <= 1`).join(' && '),
  message: 'a type is there twice in different casing',
  tell: (self: Specs) => {
    const keys = Object.keys(self)
    const i = keys.findIndex((k, at) => keys.findIndex((o) => o.toLowerCase() === k.toLowerCase()) < at)
    const first = keys.find((k) => k.toLowerCase() === keys[i]!.toLowerCase())!
    return {
      message: `"${keys[i]}" and "${first}"{seeAlone} are the same type; keep one`,
      path: [keys[i]!],
      see: [first],
    }
  },
}

const decided: Rule = {
  rule: `self.exists(k, ${is('Chief', 'Master', 'Worker')} || !(${is(...TF_REPLICA_TYPES)}))`,
  message: 'nobody decides this job: it needs a Chief, a Master or a Worker',
}

const oneChief: Rule = {
  rule: `self.filter(k, ${is('Chief', 'Master')}).size() <= 1`,
  message: 'Chief and Master mean the same, keep one',
  tell: (self: Specs) => {
    const [first, second] = Object.keys(self).filter((k) => /^(chief|master)$/i.test(k))
    return { message: `stands beside ${first}{seeAlone}; both mean the same, keep one`, path: [second!], see: [first!] }
  },
}

const chiefAlone: Rule = {
  rule: `self.all(k, !(${is('Chief', 'Master')}) || self[k].replicas == 1)`,
  message: 'there is exactly one Chief or Master',
  tell: (self: Specs) => {
    const key = Object.keys(self).find((k) => /^(chief|master)$/i.test(k) && (self[k]!.replicas ?? 1) !== 1)!
    return {
      message: `${self[key]!.replicas} is not 1; there is exactly one ${canonicalType(key)}`,
      path: [key, 'replicas'],
    }
  },
}

const fewEnough: Rule = {
  rule: 'self.map(k, self[k].replicas).sum() <= 1000',
  message: 'at most 1000 replicas together',
  tell: (self: Specs) =>
    `${Object.values(self).reduce((sum, r) => sum + (r.replicas ?? 1), 0)} replicas together, at most 1000 are allowed`,
}

/** On the map itself. */
export const keyRules: Rule[] = [known, once, decided, oneChief, chiefAlone, fewEnough]

const images: Rule = {
  rule: "self.template.spec.containers.all(c, has(c.image) && c.image != '')",
  message: 'every container needs an image',
  fieldPath: '.template.spec.containers',
  tell: (self: TFReplicaSpec) => {
    const i = self.template.spec!.containers.findIndex((c) => !c.image)
    return { message: 'is missing', path: ['template', 'spec', 'containers', i, 'image'] }
  },
}

/** On each member; an unchanged key is held against its old value. */
export const fixedInReplicaSpec: Rule[] = [images, fixed('template'), fixed('restartPolicy')]

const oneEvaluator: Rule = {
  rule: `!has(self.edition) || self.edition != 'v1beta2' || self.tfReplicaSpecs.all(k, !(${is('Evaluator')}) || self.tfReplicaSpecs[k].replicas <= 1)`,
  message: 'at most one Evaluator in edition v1beta2',
  fieldPath: '.tfReplicaSpecs',
  tell: (self: TFJobSpec) => {
    const key = Object.keys(self.tfReplicaSpecs).find((k) => /^evaluator$/i.test(k))!
    const path: Path = ['tfReplicaSpecs', key, 'replicas']
    return {
      message: `${self.tfReplicaSpecs[key]!.replicas} is more than 1; edition v1beta2 has at most one Evaluator`,
      path,
    }
  },
}

const sameTypes: Rule = {
  rule: 'self.tfReplicaSpecs.all(k, k in oldSelf.tfReplicaSpecs) && oldSelf.tfReplicaSpecs.all(k, k in self.tfReplicaSpecs)',
  message: 'replica types may be neither added nor removed after creation',
  fieldPath: '.tfReplicaSpecs',
  reason: 'FieldValueForbidden',
  tell: (self: TFJobSpec, old: TFJobSpec) => {
    const added = Object.keys(self.tfReplicaSpecs).find((k) => !(k in old.tfReplicaSpecs))
    const removed = Object.keys(old.tfReplicaSpecs).find((k) => !(k in self.tfReplicaSpecs))
    return {
      message: 'replica types may be neither added nor removed after creation',
      path: ['tfReplicaSpecs', (added ?? removed)!],
    }
  },
}

const sameSizes: Rule = {
  rule: `self.tfReplicaSpecs.all(k, !(k in oldSelf.tfReplicaSpecs) || self.tfReplicaSpecs[k].replicas == oldSelf.tfReplicaSpecs[k].replicas || (has(self.enableDynamicWorker) && self.enableDynamicWorker && ${is('Worker')}))`,
  message: 'replicas may not change after creation, but for those of Worker with enableDynamicWorker',
  fieldPath: '.tfReplicaSpecs',
  reason: 'FieldValueForbidden',
  tell: (self: TFJobSpec, old: TFJobSpec) => {
    const size = (spec: TFJobSpec, k: string): number => spec.tfReplicaSpecs[k]?.replicas ?? 1
    const dynamic = self.enableDynamicWorker === true
    const key = Object.keys(self.tfReplicaSpecs).find(
      (k) => k in old.tfReplicaSpecs && size(self, k) !== size(old, k) && !(dynamic && /^worker$/i.test(k)),
    )!
    const message = dynamic
      ? 'may not change after creation, only those of Worker may'
      : 'may not change after creation; those of Worker may, with enableDynamicWorker'
    return { message, path: ['tfReplicaSpecs', key, 'replicas'] }
  },
}

/** On spec. */
export const specRules: Rule[] = [oneEvaluator, sameTypes, sameSizes]
