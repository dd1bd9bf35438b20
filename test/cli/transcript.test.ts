// What good manifests are answered, as it stands in a terminal.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli, transcript } from './run-cli.ts'

const folder = join(import.meta.dirname, 'golden')
const start = process.cwd()
beforeAll(() => process.chdir(folder))
afterAll(() => process.chdir(start))

const answer = (name: string) => join(folder, 'answers', `${name}.txt`)

test('three mistakes in one file, found before anything runs', async () => {
  const ran = await runCli(['validate', '-f', 'job.yaml'])
  expect(ran.stdout).toBe(`job.yaml:13:22: error: spec.replicaSpecs[1].restartPolicy: "Onfailure" is not one of Always,
  OnFailure, Never, ExitCode; did you mean OnFailure?
   12 |       replicas: 3
   13 |       restartPolicy: Onfailure
      |                      ^^^^^^^^^
job.yaml:31:23: error: spec.elastic.expectedReplicas: 8 is more than maxReplicas (6, line 30)
   31 |     expectedReplicas: 8
      |                       ^
job.yaml:36:14: error: spec.torchrunConfig.enabled: false contradicts enable: true (line 35); both
  spellings mean the same, keep one
   36 |     enabled: false
      |              ^^^^^
job.yaml:24:5: warning: spec.runPolicy.backofLimit: unknown field, it will be dropped; did you mean
  backoffLimit?
job.yaml: PyTorchTrainingJob digits: 3 errors, 1 warning
`)
  expect([ran.stderr, ran.exitCode]).toEqual(['', 1])
})

test('good files are answered in one line each', async () => {
  expect(await runCli(['validate', '-f', 'good/digits.yaml', 'good/keras-ps.yaml', '-f', 'good/tfjob.yaml'])).toEqual({
    stdout: `good/digits.yaml: ConfigMap digits-code, PyTorchTrainingJob digits: valid
good/keras-ps.yaml: TensorFlowTrainingJob keras-ps: valid
good/tfjob.yaml: TFJob mnist: valid
`,
    stderr: '',
    exitCode: 0,
  })
})

test('what will happen: the plan of one master and three workers', async () => {
  const ran = await runCli(['plan', '-f', 'good/digits.yaml'])
  expect(ran.stdout).toBe(`PyTorchTrainingJob digits: 4 pods, 1 service; succeeds when master-0 does
OBJECT                      CPU  MEM  RESTART          WHAT IT RUNS
Service digits-*-peers        -    -  -                headless; gives the pods their names
Pod digits-*-master-0         -    -  OnFailure        node train.mjs
Pod digits-*-worker-{0..2}    -    -  OnFailure        node train.mjs
TOTAL                         0    0  3 for the job

ENVIRONMENT   master-0          worker-0          worker-1          worker-2
MASTER_ADDR   digits-master-0.digits-*-peers, all alike
MASTER_PORT   23456, all alike
RANK          0                 1                 2                 3
WORLD_SIZE    4, all alike

* is fixed when the job is created. On one machine the names and ports above become free loopback
ports when a replica starts. Complete objects: -o yaml
`)
  expect([ran.stderr, ran.exitCode]).toEqual(['', 0])
})

test.each(readdirSync(join(folder, 'good')).filter((file) => file !== 'list.json'))('the plan of %s', async (file) => {
  const args = ['plan', '-f', `good/${file}`]
  const ran = await runCli(args)
  expect(ran.exitCode).toBe(0)
  expect(Math.max(...ran.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  await expect(transcript(args, ran)).toMatchFileSnapshot(answer(`plan-${file}`))
})

test('a rehearsal of a bad day', async () => {
  const args = ['rehearse', '-f', 'good/digits.yaml', '--script', 'bad-day.yaml']
  const ran = await runCli(args)
  const settled = { ...ran, stdout: ran.stdout.replace(/took \d+ ms/, 'took 9 ms') }
  await expect(transcript(args, settled)).toMatchFileSnapshot(answer('rehearse-bad-day'))
})

test.each([
  ['explain-kind', ['explain', 'PyTorchTrainingJob']],
  ['explain-path', ['explain', 'ptj.spec.elastic']],
  ['explain-list', ['explain', 'pytorchtrainingjobs.spec.replicaSpecs.template.spec.containers.command']],
  ['explain-wrong-path', ['explain', 'gj.spec.sucessRules']],
  ['explain-wrong-kind', ['explain', 'pytorchjob']],
  ['explain-prototype', ['explain', 'gj.constructor']],
  ['rehearse-impossible-script', ['rehearse', '-f', 'good/digits.yaml', '--script', 'oops.yaml']],
  ['plan-without-job', ['plan', '-f', 'good/list.json']],
  ['validate-warnings', ['validate', '-f', 'good/unknown-fields.yaml']],
  ['validate-strict', ['validate', '--strict', '-f', 'good/unknown-fields.yaml']],
])('%s', async (name, args) => {
  await expect(transcript(args, await runCli(args))).toMatchFileSnapshot(answer(name))
})

test('a file on standard input is read like any other', async () => {
  const input = readFileSync('job.yaml', 'utf8')
  const [fromFile, fromInput] = [
    await runCli(['validate', '-f', 'job.yaml']),
    await runCli(['validate', '-f', '-'], { input }),
  ]
  expect(fromInput.stdout.split('\n')[2]).toBe(fromFile.stdout.split('\n')[2])
  expect(fromInput.stdout).toMatch(/^stdin:13:22: error: /)
  expect(fromInput.exitCode).toBe(1)
})

test('a directory stands for the manifests directly in it', async () => {
  const { stdout } = await runCli(['validate', '-f', 'good'])
  const files = [...new Set(stdout.split('\n').flatMap((line) => /^(good\/[\w.-]+):/.exec(line)?.[1] ?? []))]
  expect(files).toEqual(readdirSync('good').map((file) => `good/${file}`))
})
