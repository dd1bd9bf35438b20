import { expect, test } from 'vitest'
import type { Deployment } from '../../../gen/kubernetes-types.ts'
import { buildCrd, type Crd } from '../../api/build-crd.ts'
import { kinds } from '../../api/kinds.ts'
import { examineVersions } from './examine-versions.ts'

const kind = kinds.find((each) => each.kind === 'PyTorchTrainingJob')!

function examine(image: string, crd: Crd = buildCrd(kind)) {
  const template = { spec: { containers: [{ name: 'operator', image }] } }
  const operator = { spec: { template } } as unknown as Deployment
  return examineVersions({ operator, definitions: [{ kind, state: 'ours', crd }] }, '0.2.0', 'trainyard install')
}

/** The definition with another list of fields of its runPolicy. */
function withRunPolicy(change: (fields: Record<string, object>) => object): Crd {
  const crd = structuredClone(buildCrd(kind))
  const schema = crd.spec.versions[0]!.schema!.openAPIV3Schema as { properties: { spec: { properties: unknown } } }
  const spec = schema.properties.spec.properties as { runPolicy: { properties: Record<string, object> } }
  spec.runPolicy.properties = change(spec.runPolicy.properties) as Record<string, object>
  return crd
}

test.each(['trainyard:0.2.0', 'registry:5000/ml/trainyard:v0.2.0', 'trainyard:0.2.0@sha256:00'])(
  '%s is the same',
  (image) => {
    expect(examine(image)).toEqual({
      name: 'versions',
      status: 'fine',
      message: 'the kinds are those of 0.2.0, and so is the operator',
    })
  },
)

test('an image without a version is not judged', () => {
  const message = "the kinds are those of 0.2.0; the image registry:5000/trainyard:latest does not tell the operator's"
  expect(examine('registry:5000/trainyard:latest')).toMatchObject({ status: 'fine', message })
})

test('an operator of another version', () => {
  const message = 'the operator is 0.1.9, this command 0.2.0'
  expect(examine('trainyard:0.1.9')).toMatchObject({ status: 'remark', message, fix: 'trainyard install' })
})

test('a definition that would drop fields', () => {
  const older = withRunPolicy(({ restartScope: _, ttlSecondsAfterFinished: __, ...rest }) => rest)
  const first = 'PyTorchTrainingJob.spec.runPolicy.'
  expect(examine('trainyard:0.2.0', older)).toMatchObject({
    status: 'remark',
    message: expect.stringMatching(`^the kinds there do not know ${first}\\w+ and 1 more field$`),
    fix: 'trainyard install',
  })
})

test('a definition that is newer than the command', () => {
  const newer = withRunPolicy((fields) => ({ ...fields, mood: { type: 'string' } }))
  expect(examine('trainyard:0.2.0', newer)).toMatchObject({
    status: 'remark',
    message: 'this command does not know PyTorchTrainingJob.spec.runPolicy.mood',
    fix: 'use the trainyard that was installed there, or a newer one',
  })
})
