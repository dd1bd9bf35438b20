import { expect, test } from 'vitest'
import type { PyTorchTrainingJob } from '../../api/types.ts'
import { read } from '../../core/read.ts'
import { type Asked, explainNoLogs } from './explain-no-logs.ts'

const model = read({
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'digits', namespace: 'default', uid: 'u' },
  spec: { replicaSpecs: [{ type: 'worker', template: { spec: { containers: [{ name: 'train' }] } } }] },
} as unknown as PyTorchTrainingJob)

test.each<[string, boolean, boolean, Asked]>([
  ['digits has written nothing yet', false, true, {}],
  ['digits has written nothing yet', false, false, {}],
  ['digits has written nothing', true, true, {}],
  ['worker-0 has written nothing', true, true, { replica: 'worker-0' }],
  ['digits has no logs any more; on a cluster they go with the pods', true, false, {}],
])('%s: finished %s, kept %s', (words, finished, kept, asked) => {
  expect(explainNoLogs(model, [], asked, { finished, kept })).toBe(words)
})

test('a container and an attempt that are not there', () => {
  const all = [{ replica: 'worker-0', container: 'train', attempt: 1 }]
  const state = { finished: true, kept: true }
  expect(() => explainNoLogs(model, all, { container: 'side' }, state)).toThrow('no container "side" has written a log')
  expect(() => explainNoLogs(model, all, { attempt: 2 }, state)).toThrow('there was no attempt 2; there are 1')
})
