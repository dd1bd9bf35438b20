import { int, long, type Rule, record, type Schema, text } from '../schema/schema.ts'
import { fixedWithDefault } from './rules.ts'

export const activeDeadlineSeconds = long(
  'The job fails after this many seconds during which it could run; paused time does not count.',
  { minimum: 1 },
)

export const ttlSecondsAfterFinished = int('The job is deleted this many seconds after it ended. Without it, never.', {
  minimum: 0,
})

export const cleanUpPolicy = text(
  'Which pods are removed when the job has ended: All, Unfinished or None, in any casing. None when absent.',
  {
    pattern: '^(?i:all|unfinished|none)$',
    patternMeans: 'is not one of All, Unfinished, None',
    maxLength: 16,
  },
)

export const restartScope = text(
  'Replica: a failed replica is restarted alone. Job: all replicas that have not succeeded are restarted with it.',
  { enum: ['Replica', 'Job'], default: 'Replica' },
)

export const runPolicy: Schema = record(
  'Limits of the run and what happens after it.',
  {
    activeDeadlineSeconds,
    backoffLimit: int('How many restarts the replicas may have together.', { minimum: 0, default: 3 }),
    cleanUpPolicy: { ...cleanUpPolicy, default: 'None' },
    ttlSecondsAfterFinished,
    restartScope,
  },
  { default: {} },
)

export const runPolicyChanges: Rule[] = [fixedWithDefault('Replica', 'runPolicy', 'restartScope')]
