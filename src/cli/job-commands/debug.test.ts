import { expect, test } from 'vitest'
import type { AnyJob } from '../home/running-jobs.ts'
import { buildDebugCopy, commandOf } from './debug.ts'

const job = (runMode?: object, kind = 'PyTorchTrainingJob'): AnyJob =>
  ({
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind,
    metadata: { name: 'train', namespace: 'ml', uid: 'u', resourceVersion: '7', labels: { team: 'a' } },
    spec: {
      replicaSpecs: [
        {
          type: 'worker',
          template: {
            spec: { containers: [{ name: 'python', command: ['python', 'train.py'], args: ["it's", '--lr=1e-3'] }] },
          },
        },
      ],
      ...(runMode && { runMode }),
    },
    status: { phase: 'Failed' },
  }) as unknown as AnyJob

test('the copy is the job itself, but in debug mode and under another name', () => {
  const original = job()
  const copy = buildDebugCopy(original)
  expect(copy.metadata).toEqual({ name: 'train-debug', namespace: 'ml', labels: { team: 'a' } })
  expect(copy.spec).toEqual({ ...original.spec, runMode: { debug: { enable: true } } })
  expect(copy).not.toHaveProperty('status')
})

test.each([
  [{ pause: { enable: true } }, { debug: { enable: true } }],
  [{ debug: { enable: false, enabled: false } }, { debug: { enable: true, enabled: true } }],
  [
    { debug: { enabled: false, replicaSpecs: [{ type: 'worker', command: ['sh'] }] } },
    { debug: { enabled: true, replicaSpecs: [{ type: 'worker', command: ['sh'] }] } },
  ],
])('of runMode %j becomes %j', (before, after) => {
  expect((buildDebugCopy(job(before)).spec as { runMode?: object }).runMode).toEqual(after)
})

test('a TFJob has no debug mode', () => {
  expect(() => buildDebugCopy(job(undefined, 'TFJob'))).toThrow('train is a TFJob, which has no debug mode')
})

test('the command can be given to a shell as it is', () => {
  expect(commandOf(job(), 'worker-1')).toBe(`python train.py 'it'\\''s' --lr=1e-3`)
})
