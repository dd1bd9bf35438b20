import { quote } from '../schema/finding.ts'
import { int, list, map, type Rule, record, type Schema, text } from '../schema/schema.ts'
import { fittingNames, jobMetadata, root } from '../shared/job-name.ts'
import { servicePort } from '../shared/kubernetes.ts'
import { freeType, replicaSpec, replicaSpecs } from '../shared/replica-specs.ts'
import { fixed, fixedWithDefault } from '../shared/rules.ts'
import { runMode, runModeChanges } from '../shared/run-mode.ts'
import { cleanUpPolicy, restartScope, ttlSecondsAfterFinished } from '../shared/run-policy.ts'
import { scheduler, schedulerChanges } from '../shared/scheduler.ts'
import { jobStatus } from '../shared/status.ts'
import type { GenericJob, GenericJobSpec } from '../types.ts'
import { orderedRange, ruleRules } from './finished-rules.ts'

const MOST_REPLICAS = 4096

const restartPolicy: Schema = record(
  'When a replica is started again, and how often.',
  {
    policy: text('Always (also after success), OnFailure or Never.', {
      enum: ['Always', 'OnFailure', 'Never'],
      default: 'OnFailure',
    }),
    limit: int('How many restarts each replica may have.', { minimum: 0, maximum: 32767, default: 0 }),
  },
  {
    default: {},
    wrongType: (value) => {
      if (typeof value !== 'string') return undefined
      const policy =
        ['Always', 'OnFailure', 'Never'].find((p) => p.toLowerCase() === value.toLowerCase()) ?? 'OnFailure'
      return `${quote(value)} is a plain text; a GenericJob wants an object here: {policy: ${policy}, limit: 3}`
    },
  },
)

const item = replicaSpec(freeType, MOST_REPLICAS, restartPolicy)

const rank: Schema = {
  description: 'A rank: a number, a text "3", a range "0-3", or "*" for all.',
  'x-kubernetes-int-or-string': true,
  pattern: '^([0-9]{1,9}(-[0-9]{1,9})?|\\*)$',
  patternMeans: 'is no rank; write a number, a range "0-3", or "*"',
  minimum: 0,
  maxLength: 19,
  'x-kubernetes-validations': [orderedRange],
}

function rules(description: string, extra: { minItems?: number } = {}): Schema {
  return list(
    description,
    map(
      'Holds when it holds for all ranks of all types it names.',
      list('Ranks of the type.', rank, { minItems: 1, maxItems: 64 }),
      {
        minProperties: 1,
        maxProperties: 16,
      },
    ),
    { maxItems: 16, ...extra },
  )
}

const oneList: Rule = {
  rule: '!has(self.replicaSpecs) || !has(self.replicasSpec)',
  message: 'replicaSpecs and replicasSpec are both given; they mean the same, keep one',
  fieldPath: '.replicasSpec',
  tell: () => ({
    message: 'stands beside replicaSpecs{seeAlone}; both spellings mean the same, keep one',
    path: ['replicasSpec'],
    see: ['replicaSpecs'],
  }),
}

const someList: Rule = {
  rule: 'has(self.replicaSpecs) || has(self.replicasSpec)',
  message: 'the job has no replicas',
  fieldPath: '.replicaSpecs',
  reason: 'FieldValueRequired',
  tell: () => ({ message: 'is missing', path: ['replicaSpecs'] }),
}

const onePlace: Rule = {
  rule: '!has(self.cleanUpPolicy) || !has(self.runPolicy) || !has(self.runPolicy.cleanUpPolicy) || self.cleanUpPolicy.lowerAscii() == self.runPolicy.cleanUpPolicy.lowerAscii()',
  message: 'contradicts spec.cleanUpPolicy; keep that one',
  fieldPath: '.runPolicy.cleanUpPolicy',
  tell: (self: GenericJobSpec) => ({
    message: `"${self.runPolicy?.cleanUpPolicy}" contradicts spec.cleanUpPolicy: ${self.cleanUpPolicy}{seeAlone}; keep that one`,
    path: ['runPolicy', 'cleanUpPolicy'],
    see: ['cleanUpPolicy'],
  }),
}

/** Where the job was respelled as a whole, the rule about replicaSpecs has said it. */
const fixedOtherSpelling: Rule = {
  ...fixed('replicasSpec'),
  rule: `has(self.replicaSpecs) != has(oldSelf.replicaSpecs) || (${fixed('replicasSpec').rule})`,
}

const spec: Schema = record(
  'What is to run, and how.',
  {
    successRules: rules('The job succeeds when all replicas of one of these rules have succeeded.', { minItems: 1 }),
    failureRules: rules('The job fails when all replicas of one of these rules have failed for good. May be empty.'),
    service: record('Give every replica a Service of its own, named <job>-<type>-<rank>.', {
      ports: list('The ports of each Service.', servicePort, { maxItems: 64 }),
    }),
    runMode,
    cleanUpPolicy,
    scheduler: scheduler(0),
    replicaSpecs: replicaSpecs(item, MOST_REPLICAS),
    replicasSpec: { ...replicaSpecs(item, MOST_REPLICAS), description: 'The same as replicaSpecs.' },
    ttlSecondsAfterFinished,
    restartScope,
    runPolicy: record('An old place for cleanUpPolicy.', {
      cleanUpPolicy: {
        ...cleanUpPolicy,
        description: 'Write spec.cleanUpPolicy instead.',
        deprecated: 'an old place for it; write spec.cleanUpPolicy',
      },
    }),
  },
  {
    required: ['successRules', 'failureRules'],
    'x-kubernetes-validations': [
      oneList,
      someList,
      onePlace,
      ...ruleRules('successRules'),
      ...ruleRules('failureRules'),
      fixed('successRules'),
      fixed('failureRules'),
      fixed('service'),
      fixed('replicaSpecs'),
      fixedOtherSpelling,
      fixedWithDefault('Replica', 'restartScope'),
      ...schedulerChanges,
      ...runModeChanges,
    ] satisfies Rule[],
  },
)

export const genericJob: Schema = root(
  'A job of replicas of any kind, with its own rules of success and failure.',
  jobMetadata,
  spec,
  jobStatus,
  (['replicaSpecs', 'replicasSpec'] as const).map((spelling) =>
    fittingNames('GenericJob', {
      absent: `!has(self.spec.${spelling})`,
      list: `self.spec.${spelling}`,
      type: 'r.type',
      replicas: 'r.replicas',
      read: (job: GenericJob) => (job.spec[spelling] ?? []).map((r) => ({ type: r.type, replicas: r.replicas ?? 1 })),
    }),
  ),
)
