// Real manifests of other people, read where they lie: beside the checkout, or where TRAINYARD_CORPUS says.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { interpret } from '../../src/api/schema/interpret.ts'
import { podTemplate } from '../../src/api/shared/kubernetes.ts'
import type { KubeObject, PyTorchTrainingJob, TrainingReplicaSpec } from '../../src/api/types.ts'
import { plan, validate } from '../../src/main/library.ts'
import { closingLine } from '../closing-line.ts'

const JOBS = ['TensorFlowTrainingJob', 'PyTorchTrainingJob', 'GenericJob', 'TFJob']

const chosen = process.env.TRAINYARD_CORPUS
const folder = resolve(chosen ?? join(import.meta.dirname, '../../../shared/corpus'))
const isThere = existsSync(folder)
const manifests = (isThere ? readdirSync(folder) : [])
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
const whole = manifests.filter(({ text }) => !/^# note:/m.test(text))
const fragments = manifests.filter((manifest) => !whole.includes(manifest))
let good = 0
const answers: string[] = []

test('the corpus is there where somebody says so', () => {
  expect(isThere || chosen === undefined, `TRAINYARD_CORPUS: there is no ${folder}`).toBe(true)
  expect(whole.length > 0 || !isThere, `${folder} has no manifests`).toBe(true)
})

describe.each(whole)('$name', ({ text }) => {
  test('is valid, and a job plans', () => {
    const { documents } = validate(text)
    expect(documents.flatMap(({ errors }) => errors)).toEqual([])
    const job = parse(text) as PyTorchTrainingJob
    if (JOBS.includes(job.kind)) checkPlan(job, plan(text).objects)
    good += 1
  })
})

test.each(fragments)('fragment $name gets one clear answer', ({ name, text }) => {
  const { documents } = validate(text)
  const errors = documents.flatMap((document) => document.errors)
  for (const { message } of errors) expect(message).toMatch(/\S/)
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  answers.push(`${name}: ${first ? `${first.path}: ${first.message}${more}` : 'valid'}`)
})

function checkPlan(job: PyTorchTrainingJob, objects: KubeObject[]): void {
  const pods = objects.filter(({ kind }) => kind === 'Pod')
  expect(pods.length).toBe(countPods(job))
  expect(new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size).toBe(objects.length)
  for (const { kind, metadata } of objects) {
    const owner = { apiVersion: job.apiVersion, kind: job.kind, name: job.metadata.name, controller: true }
    expect(metadata.ownerReferences, `${kind} ${metadata.name}`).toEqual([expect.objectContaining(owner)])
    expect(metadata.name).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/)
  }
  // A pod has the same shape as a template for pods.
  for (const pod of pods) expect(interpret(podTemplate, pod).findings).toEqual([])
}

/** From the manifest alone, not from how the engine reads it. */
function countPods({ spec }: PyTorchTrainingJob): number {
  const isOn = (value: { enable?: boolean; enabled?: boolean } | undefined) => value?.enable ?? value?.enabled ?? false
  if (isOn(spec.runMode?.pause)) return 0
  if (isOn(spec.elastic) && isOn(spec.torchrunConfig)) return spec.elastic?.expectedReplicas ?? 0
  const lists = spec as { replicaSpecs?: TrainingReplicaSpec[]; replicasSpec?: TrainingReplicaSpec[] }
  const specs = lists.replicaSpecs ?? lists.replicasSpec ?? []
  return specs.reduce((sum, { replicas }) => sum + (replicas ?? 1), 0)
}

afterAll(() => {
  if (!isThere) {
    closingLine(`corpus: not found at ${folder}, nothing checked`)
    return
  }
  console.log(answers.join('\n'))
  closingLine(`corpus: ${good} whole manifests valid and planned, ${answers.length} fragments answered`)
})
