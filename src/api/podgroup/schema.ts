import { int, list, map, record, type Schema, text } from '../schema/schema.ts'
import { root } from '../shared/job-name.ts'
import { priority } from '../shared/scheduler.ts'
import { condition } from '../shared/status.ts'

const quantity: Schema = { 'x-kubernetes-int-or-string': true }

const spec = record('Pods that are placed together or not at all.', {
  minMember: int('How many pods must be placed at once.', { minimum: 0 }),
  roles: list(
    'Further minima, by role.',
    record(
      'A minimum for one role.',
      {
        name: text('The role.', { minLength: 1 }),
        minMember: int('How many of its pods must be placed at once.', { minimum: 0 }),
      },
      { required: ['name'] },
    ),
  ),
  queue: text('The queue the group waits in.', { default: 'default', minLength: 1 }),
  priority: priority(0),
  topologyPolicy: {
    description: 'How near to each other the pods should be.',
    'x-kubernetes-preserve-unknown-fields': true,
  },
  finished: { type: 'boolean', description: 'Set by older controllers when the job has ended; of no effect.' },
})

const count = (what: string): Schema => int(`How many pods ${what}.`)

const status = record('What has become of the group.', {
  conditions: list('Whether it has been placed.', condition({ transitionID: text('Changes with every attempt.') })),
  allocated: map('What the placed pods ask for.', quantity),
  pending: count('wait'),
  running: count('run'),
  succeeded: count('have succeeded'),
  failed: count('have failed'),
  unknown: count('are in an unknown state'),
  phase: text('Where the group stands in one word.'),
})

export const podGroup: Schema = root(
  'A group of pods that are placed together or not at all.',
  { type: 'object' },
  spec,
  status,
)
