import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { explain } from './explain.ts'
import { kinds } from './kinds.ts'
import type { Schema } from './schema/schema.ts'

test.each(['PyTorchTrainingJob', 'pytorchtrainingjob', 'pytorchtrainingjobs', 'pj', 'PTJ'])('%s is found', (name) => {
  expect(explain(name)).toMatchObject({
    kind: 'PyTorchTrainingJob',
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    path: [],
  })
})

test('a path goes through lists and maps', () => {
  expect(explain('pj.spec.replicaSpecs.restartPolicy')).toMatchObject({
    name: 'restartPolicy',
    type: 'string',
    default: 'Never',
    enum: ['Always', 'OnFailure', 'Never', 'ExitCode'],
    required: false,
  })
  expect(explain('tfjob.spec.tfReplicaSpecs')).toMatchObject({ type: 'map[string]object', required: true })
  expect(explain('tfjob.spec.tfReplicaSpecs.replicas')).toMatchObject({ type: 'integer', minimum: 1, maximum: 1000 })
  expect(explain('gj.spec.successRules')).toMatchObject({ type: '[]map[string][]int or string' })
  expect(explain('pj.spec.replicaSpecs.template.spec.containers.image')).toMatchObject({ type: 'string' })
})

test('elements may be named as errors and manifests name them', () => {
  expect(explain('pj.spec.replicaSpecs[0].restartPolicy')).toMatchObject({ name: 'restartPolicy', type: 'string' })
  expect(explain('tfjob.spec.tfReplicaSpecs.worker')).toMatchObject({ name: 'worker', type: 'object' })
  expect(explain('tfjob.spec.tfReplicaSpecs.Worker.replicas')).toMatchObject({ name: 'replicas', type: 'integer' })
  expect(explain('tfjob.spec.tfReplicaSpecs.Foo')).toMatch(/^tfReplicaSpecs has no field "Foo"/)
})

test('every field of the reference documents is found as they spell it', () => {
  const text = readFileSync(new URL('../../test/coverage/seed-fields.yaml', import.meta.url), 'utf8')
  const seeds = parse(text) as Record<string, { fields: string[] }>
  const subjects = Object.entries(seeds).flatMap(([kind, { fields }]) => fields.map((field) => `${kind}.${field}`))
  expect(subjects.length).toBeGreaterThan(200)
  expect(subjects.map(explain).filter((answer) => typeof answer === 'string')).toEqual([])
})

test('the fields below are listed', () => {
  const elastic = explain('pj.spec.elastic')
  expect(typeof elastic === 'object' && elastic.fields.map((f) => f.name)).toEqual([
    'enable',
    'enabled',
    'minReplicas',
    'maxReplicas',
    'expectedReplicas',
  ])
})

test.each([
  ['PytorchTrainngJob', 'there is no kind "PytorchTrainngJob"; did you mean PyTorchTrainingJob?'],
  ['pj.spec.elastc', 'spec has no field "elastc"; did you mean elastic?'],
  [
    'pj.spec.elastic.zzz',
    'elastic has no field "zzz"; it has enable, enabled, minReplicas, maxReplicas, expectedReplicas',
  ],
  [
    '',
    'there is no kind ""; there are TensorFlowTrainingJob, PyTorchTrainingJob, GenericJob, TFJob, PodGroup, Queue, TensorBoard',
  ],
])('%s: %s', (subject, message) => {
  expect(explain(subject)).toBe(message)
})

test('every field of ours is described', () => {
  const bare: string[] = []
  const look = (schema: Schema, at: string): void => {
    if (schema.kubernetesType || at.endsWith('.metadata')) return
    if (!schema.description) bare.push(at)
    for (const [key, child] of Object.entries(schema.properties ?? {})) look(child, `${at}.${key}`)
    if (schema.items?.properties) look(schema.items, `${at}[]`)
  }
  for (const kind of kinds) look(kind.versions[0]!.schema, kind.kind)
  expect(bare).toEqual([])
})
