import { list, record, type Schema, text } from '../schema/schema.ts'
import { root } from '../shared/job-name.ts'
import { condition } from '../shared/status.ts'
import { tensorBoardSpec } from '../shared/tensorboard.ts'

const status = record('What has become of the TensorBoard.', {
  phase: text('Where it stands in one word.'),
  pod: record('Its pod.', {
    reference: record('Which one.', { name: text('Its name.'), uid: text('Its uid.') }),
    phase: text('How the pod is doing.'),
  }),
  conditions: list(
    'How it is doing in detail.',
    condition({ lastProbeTime: text('When this was last looked at.', { format: 'date-time' }) }),
  ),
  url: text('Where it answers.'),
})

export const tensorBoard: Schema = root(
  'A TensorBoard that shows training logs.',
  { type: 'object' },
  tensorBoardSpec,
  status,
)
