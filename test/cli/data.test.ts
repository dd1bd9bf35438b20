// What programs read: complete, stable, and of the same form for every command that fails.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readManifestText } from '../../src/cli/manifest/manifest.ts'
import { runCli } from './run-cli.ts'

const start = process.cwd()
beforeAll(() => process.chdir(join(import.meta.dirname, 'golden')))
afterAll(() => process.chdir(start))

const restartPolicy = {
  path: 'spec.replicaSpecs[1].restartPolicy',
  line: 13,
  column: 22,
  message: '"Onfailure" is not one of Always, OnFailure, Never, ExitCode; did you mean OnFailure?',
}

test('validate -o json', async () => {
  const { stdout, stderr, exitCode } = await runCli(['validate', '-f', 'good/digits.yaml', 'job.yaml', '-o', 'json'])
  const { files, errors } = JSON.parse(stdout)
  expect(files.map((file: { file: string }) => file.file)).toEqual(['good/digits.yaml', 'job.yaml'])
  const [configMap, digits] = files[0].documents
  expect(configMap).toEqual({ kind: 'ConfigMap', name: 'digits-code', valid: true, errors: [], warnings: [] })
  expect(digits).toEqual({ kind: 'PyTorchTrainingJob', name: 'digits', valid: true, errors: [], warnings: [] })
  const [broken] = files[1].documents
  expect(broken.valid).toBe(false)
  expect(broken.errors[0]).toEqual(restartPolicy)
  expect(broken.errors).toHaveLength(3)
  expect(broken.warnings).toEqual([
    {
      path: 'spec.runPolicy.backofLimit',
      line: 24,
      column: 5,
      message: 'unknown field, it will be dropped; did you mean backoffLimit?',
    },
  ])
  expect(errors[0]).toEqual({ file: 'job.yaml', ...restartPolicy })
  expect([stderr, exitCode]).toEqual(['', 1])
})

test('validate -o json has all errors, also those a person is not shown', async () => {
  const { stdout } = await runCli(['validate', '-f', 'bad/many-errors.yaml', '-o', 'json'])
  expect(JSON.parse(stdout).files[0].documents[0].errors).toHaveLength(34)
})

test('without errors there is no list of them', async () => {
  const { stdout, exitCode } = await runCli(['validate', '-f', 'good/unknown-fields.yaml', '-o', 'json'])
  expect(Object.keys(JSON.parse(stdout))).toEqual(['files'])
  expect(exitCode).toBe(0)
  const strict = await runCli(['validate', '--strict', '-f', 'good/unknown-fields.yaml', '-o', 'json'])
  expect(JSON.parse(strict.stdout).files[0].documents[0]).toMatchObject({ valid: false, warnings: [] })
  expect(strict.exitCode).toBe(1)
})

test.each(['plan', 'rehearse'])('%s -o json of an invalid manifest', async (command) => {
  const { stdout, stderr, exitCode } = await runCli([command, '-f', 'job.yaml', '-o', 'json'])
  expect(JSON.parse(stdout).errors[0]).toEqual({ file: 'job.yaml', ...restartPolicy })
  expect([stderr, exitCode]).toEqual(['', 1])
})

test.each([
  ['rehearse', ['-f', 'good/digits.yaml', '--script', 'oops.yaml'], { path: 'events[0].replica', line: 3 }],
  [
    'rehearse',
    ['-f', 'good/list.json'],
    { path: '', message: 'there is no job in good/list.json, only Secret, Service' },
  ],
  [
    'rehearse',
    ['-f', 'good/digits.yaml', 'good/generic.yaml'],
    { message: 'there are 2 jobs, digits, sweep, and a rehearsal is of one: say which with --job' },
  ],
  ['rehearse', ['-f', 'good/digits.yaml', '--job', 'sweep'], { message: 'the files have no job sweep, only digits' }],
  ['explain', ['gj.spce'], { message: 'GenericJob has no field "spce"; did you mean spec?' }],
])('%s %j -o json', async (command, args, error) => {
  const { stdout, stderr, exitCode } = await runCli([command, ...args, '-o', 'json'])
  expect(JSON.parse(stdout).errors).toEqual([expect.objectContaining(error)])
  expect([stderr, exitCode]).toEqual(['', 1])
})

test('plan -o json has the complete objects of a fresh job', async () => {
  const { objects } = JSON.parse((await runCli(['plan', '-f', 'good/digits.yaml', '-o', 'json'])).stdout)
  expect(
    objects.map(({ kind, metadata }: { kind: string; metadata: { name: string } }) => `${kind} ${metadata.name}`),
  ).toEqual([
    'Service digits-2f210-peers',
    'Pod digits-2f210-master-0',
    'Pod digits-2f210-worker-0',
    'Pod digits-2f210-worker-1',
    'Pod digits-2f210-worker-2',
  ])
  for (const { metadata } of objects) {
    expect(metadata.namespace).toBe('default')
    expect(metadata.ownerReferences[0].uid).toBe('00000000-0000-0000-0000-000000000000')
  }
})

test('other kinds make no objects: the plan is empty', async () => {
  const ran = await runCli(['plan', '-f', 'good/list.json', '-o', 'json'])
  expect(JSON.parse(ran.stdout)).toEqual({ objects: [] })
  expect(ran.stderr).toBe('trainyard: there is no job in good/list.json, only Secret, Service; nothing would be made\n')
  expect(ran.exitCode).toBe(0)
})

test.each(['plan', 'rehearse'])("%s: the namespace is the manifest's, else that of -n", async (command) => {
  const namespaces = async (...args: string[]) => {
    const { objects } = JSON.parse((await runCli([command, '-o', 'json', ...args])).stdout)
    return new Set(objects.map((object: { metadata: { namespace: string } }) => object.metadata.namespace))
  }
  expect(await namespaces('-f', 'good/digits.yaml', '-n', 'lab')).toEqual(new Set(['lab']))
  expect(await namespaces('-f', 'good/many-workers.yaml', '-n', 'lab')).toEqual(new Set(['vision']))
})

test('a manifest that comes from a cluster is planned as a fresh job', async () => {
  const fresh = await runCli(['plan', '-f', 'good/digits.yaml', '-o', 'json'])
  const { readFileSync } = await import('node:fs')
  const input = readFileSync('good/digits.yaml', 'utf8').replace(
    'metadata: {name: digits}',
    'metadata: {name: digits, uid: 3f0c6a52-8d1e-4b77-9a40-5be1c2d7f913, creationTimestamp: "2026-11-16T09:12:04Z", deletionTimestamp: "2026-11-16T09:12:04Z"}\nstatus: {phase: Succeeded}',
  )
  expect(await runCli(['plan', '-f', '-', '-o', 'json'], { input })).toEqual(fresh)
})

test('-o yaml says the same as -o json, to every reader of YAML', async () => {
  const input =
    'apiVersion: batch.tensorstack.dev/v1beta1\nkind: PyTorchTrainingJob\nmetadata: {name: odd, annotations: {a: "on", b: "0644", c: "1_0", d: "2026-01-01", e: "~", f: "12:30:45", "y": "n"}}\nspec:\n  replicaSpecs:\n    - type: master\n      template: {metadata: {annotations: {a: "on", b: "0644", c: "1_0", e: "~", f: "12:30:45", "y": "n"}}, spec: {containers: [{name: train, image: node, command: ["yes", "0x1F", "1e3", " x ", "a: b", "line\\nline"]}]}}\n'
  const json = JSON.parse((await runCli(['plan', '-f', '-', '-o', 'json'], { input })).stdout)
  const yaml = (await runCli(['plan', '-f', '-', '-o', 'yaml'], { input })).stdout
  expect(json.objects).toHaveLength(2)
  expect(parse(yaml)).toEqual(json)
  expect(readManifestText('out.yaml', yaml).manifests[0]!.object).toEqual(json)
})

test('rehearse -o json', async () => {
  const { stdout, exitCode } = await runCli([
    'rehearse',
    '-f',
    'good/digits.yaml',
    '--script',
    'bad-day.yaml',
    '-o',
    'json',
  ])
  const result = JSON.parse(stdout)
  expect(Object.keys(result)).toEqual(['phase', 'status', 'timeline', 'replicas', 'objects'])
  expect(result.phase).toBe('Succeeded')
  expect(
    result.replicas.map(({ type, index, attempts }: { type: string; index: number; attempts: unknown[] }) => [
      type,
      index,
      attempts.length,
    ]),
  ).toEqual([
    ['master', 0, 2],
    ['worker', 0, 2],
    ['worker', 1, 3],
    ['worker', 2, 2],
  ])
  expect(exitCode).toBe(0)
})

test('of several jobs, rehearse takes the one that is named', async () => {
  const { stdout } = await runCli([
    'rehearse',
    '-f',
    'good/digits.yaml',
    'good/generic.yaml',
    '--job',
    'sweep',
    '-o',
    'json',
  ])
  expect(JSON.parse(stdout).objects[0].metadata.name).toBe('sweep')
})

test('explain -o json', async () => {
  const explained = JSON.parse((await runCli(['explain', 'GJ.spec.successRules', '-o', 'json'])).stdout)
  expect(explained).toMatchObject({
    kind: 'GenericJob',
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    path: ['spec', 'successRules'],
    required: true,
  })
})
