import { expect, test } from 'vitest'
import { InvalidManifestError, plan, rehearse, validate } from './index.ts'

const job = {
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'digits' },
  spec: {
    replicaSpecs: [
      {
        type: 'worker',
        replicas: 2,
        restartPolicy: 'OnFailure',
        template: {
          spec: { containers: [{ name: 'train', image: 'node:24-alpine', command: ['node', 'train.mjs'] }] },
        },
      },
    ],
  },
}
const text = `apiVersion: batch.tensorstack.dev/v1beta1
kind: GenericJob
metadata: {name: sweep}
spec:
  successRules: [{worker: [7]}]
  failureRules: []
  replicaSpecs:
    - type: worker
      template: {spec: {containers: [{name: main, image: busybox}]}}
`

test('an object is validated without places, and not changed', () => {
  const before = structuredClone(job)
  expect(validate(job)).toEqual({
    valid: true,
    documents: [{ kind: 'PyTorchTrainingJob', name: 'digits', valid: true, errors: [], warnings: [] }],
  })
  const typo = structuredClone(job) as { spec: { replicaSpecs: Array<{ replicas: unknown }> } }
  typo.spec.replicaSpecs[0]!.replicas = 'two'
  expect(validate([job, typo]).documents.map((document) => document.errors)).toEqual([
    [],
    [{ path: 'spec.replicaSpecs[0].replicas', message: '"two" is not a whole number' }],
  ])
  expect(job).toEqual(before)
})

test('a text is validated with places', () => {
  const { valid, documents } = validate(`${text}---\nkind: [`)
  expect(valid).toBe(false)
  expect(documents[0]!.errors).toEqual([
    {
      path: 'spec.successRules[0].worker[0]',
      message: expect.stringContaining('7 is out of range'),
      line: 5,
      column: 28,
    },
  ])
  expect(documents[1]).toMatchObject({
    kind: '',
    errors: [{ path: '', message: 'this [ is never closed', line: 11, column: 7 }],
  })
})

test('an object that refers to itself is refused', () => {
  const ring: Record<string, unknown> = { ...job }
  ring.ring = ring
  expect(validate(ring).documents[0]!.errors[0]!.message).toMatch(/refers to itself/)
})

test('strict makes warnings errors', () => {
  const odd = { ...job, spec: { ...job.spec, replicaSpec: [] } }
  expect(validate(odd)).toMatchObject({ valid: true, documents: [{ warnings: [{ path: 'spec.replicaSpec' }] }] })
  expect(validate(odd, { strict: true })).toMatchObject({
    valid: false,
    documents: [{ errors: [{ path: 'spec.replicaSpec' }] }],
  })
})

test('a plan is the objects', () => {
  const { objects } = plan(job, { namespace: 'lab' })
  expect(objects.map((object) => object.kind)).toEqual(['Service', 'Pod', 'Pod'])
  expect(objects.every((object) => object.metadata.namespace === 'lab')).toBe(true)
})

test('what cannot be planned or rehearsed is thrown with its places', () => {
  for (const call of [() => plan(text), () => rehearse(text)]) {
    expect(call).toThrow(InvalidManifestError)
    expect(call).toThrow('spec.successRules[0].worker[0]: 7 is out of range')
  }
  expect(() => rehearse([job, job])).toThrow('there are 2 jobs here')
  expect(() => rehearse('kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}')).toThrow('there is no job here')
})

test('a rehearsal takes its script as an object or as YAML', () => {
  const script = { events: [{ at: '20s', replica: 'worker-1', exit: 137 }] }
  const result = rehearse(job, script)
  expect(result.phase).toBe('Succeeded')
  expect(result.replicas[1]!.attempts.map((attempt) => attempt.exitCode)).toEqual([137, 0])
  expect(rehearse(job, 'events: [{at: 20s, replica: worker-1, exit: 137}]')).toEqual(result)
})

test('an impossible script is refused', () => {
  const refused = (script: string | object): unknown => {
    try {
      return rehearse(job, script)
    } catch (error) {
      return (error as InvalidManifestError).errors
    }
  }
  const message = expect.stringContaining('the job has no worker-9')
  expect(refused('events: [{at: 20s, replica: worker-9, exit: 1}]')).toEqual([
    { path: 'events[0].replica', message, line: 1, column: 29 },
  ])
  expect(refused({ events: [{ at: '20s', replica: 'worker-9', exit: 1 }] })).toEqual([{ path: '', message }])
})
