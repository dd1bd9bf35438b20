import { int, list, type Rule, record, type Schema, text } from '../schema/schema.ts'
import { podTemplate } from './kubernetes.ts'

export const RESTART_POLICIES = ['Always', 'OnFailure', 'Never', 'ExitCode']

export const freeType: Schema = text('The replica type: a name of your own, part of the names of its pods.', {
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
  patternMeans: 'is no good as part of a pod name: use small letters, digits and dashes',
  minLength: 1,
  maxLength: 63,
})

export const replicas = (maximum: number): Schema =>
  int('How many replicas of this type there are.', { minimum: 1, maximum, default: 1 })

export const restartPolicy: Schema = text(
  'When a replica is started again: Always (also after success), OnFailure, Never, or ExitCode (after 130, 137, 138, 143).',
  { enum: RESTART_POLICIES, default: 'Never' },
)

const distinctContainers: Rule = {
  rule: 'self.template.spec.containers.all(c, self.template.spec.containers.exists_one(d, d.name == c.name))',
  message: 'container names must differ',
  fieldPath: '.template.spec.containers',
  tell: (self: { template: { spec: { containers: Array<{ name: string }> } } }) => {
    const names = self.template.spec.containers.map((c) => c.name)
    const i = names.findIndex((name, at) => names.indexOf(name) < at)
    const path = ['template', 'spec', 'containers']
    return {
      message: `"${names[i]}" is there twice{see}`,
      path: [...path, i, 'name'],
      see: [...path, names.indexOf(names[i]!), 'name'],
    }
  },
}

export function replicaSpec(
  type: Schema,
  most: number,
  restart: Schema,
  more: Record<string, Schema> = {},
  rules: Rule[] = [],
): Schema {
  return record(
    'Replicas of one type.',
    { type, replicas: replicas(most), template: podTemplate, restartPolicy: restart, ...more },
    { required: ['type', 'template'], 'x-kubernetes-validations': [distinctContainers, ...rules] },
  )
}

export { distinctContainers }

type Typed = Array<{ type: string; replicas?: number }>

export const distinctTypes: Rule = {
  rule: 'self.all(r, self.exists_one(s, s.type == r.type))',
  message: 'replica types must differ',
  tell: (self: Typed) => {
    const types = self.map((r) => r.type)
    const i = types.findIndex((t, at) => types.indexOf(t) < at)
    return { message: `"${types[i]}" is there twice{see}`, path: [i, 'type'], see: [types.indexOf(types[i]!), 'type'] }
  },
}

export function atMost(most: number): Rule {
  return {
    rule: `self.map(r, r.replicas).sum() <= ${most}`,
    message: `at most ${most} replicas together`,
    tell: (self: Typed) =>
      `${self.reduce((sum, r) => sum + (r.replicas ?? 1), 0)} replicas together, at most ${most} are allowed`,
  }
}

export function replicaSpecs(item: Schema, most: number, rules: Rule[] = []): Schema {
  return list('The replicas the job consists of, by type. Ranks go by this order.', item, {
    minItems: 1,
    maxItems: 16,
    'x-kubernetes-validations': [distinctTypes, atMost(most), ...rules],
  })
}
