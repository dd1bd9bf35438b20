import { flag, list, type Rule, record, type Schema, text, words } from '../schema/schema.ts'
import { fixed } from './rules.ts'
import { oneSwitch, switchFields } from './switches.ts'

const type = text('The replica type this is for. An entry for a type the job does not have is ignored.', {
  maxLength: 63,
})
const skipInitContainer = flag('Leave out the init containers.', { default: false })

export const runMode: Schema = record('How the job runs; without it, at once.', {
  debug: record(
    'Debug mode: everything is set up as for training, but nothing trains. Fixed when the job is created.',
    {
      ...switchFields('Whether debug mode is on.'),
      replicaSpecs: list(
        'What replicas run in debug mode, by type. Types that are not listed sleep.',
        record(
          'What the replicas of one type run in debug mode.',
          {
            type,
            skipInitContainer,
            command: {
              ...words('Runs instead of the training command; its arguments are dropped.'),
              default: ['sleep', 'inf'],
            },
          },
          { required: ['type'] },
        ),
        { maxItems: 64 },
      ),
    },
    { 'x-kubernetes-validations': [oneSwitch] },
  ),
  pause: record(
    'Pause mode: the job is kept, its pods are not. Counters of restarts are kept too.',
    {
      ...switchFields('Whether the job is paused; may be changed at any time.'),
      resumeSpecs: list(
        'What differs from the template in all pods made after a pause, by type. Fixed when the job is created.',
        record(
          'How the replicas of one type go on after a pause.',
          {
            type,
            skipInitContainer,
            command: words("Runs instead of the template's command."),
            args: words("Stand instead of the template's args."),
          },
          { required: ['type'] },
        ),
        { maxItems: 64 },
      ),
    },
    { 'x-kubernetes-validations': [oneSwitch] },
  ),
})

/** At spec level. Pausing is the one thing that may change, also where there was no runMode. */
export const runModeChanges: Rule[] = [fixed('runMode', 'debug'), fixed('runMode', 'pause', 'resumeSpecs')]
