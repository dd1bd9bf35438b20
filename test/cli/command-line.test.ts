import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

const start = process.cwd()
beforeAll(() => process.chdir(join(import.meta.dirname, 'golden')))
afterAll(() => process.chdir(start))

test.each([
  [['validate', '-f', 'jbo.yaml'], 'there is no file jbo.yaml; did you mean job.yaml?'],
  [['plan', '-f', 'nowhere/at/all.yaml'], 'there is no file nowhere/at/all.yaml'],
  [['validate'], 'validate needs a manifest\n  try  trainyard validate -f job.yaml'],
  [['validate', 'job.yaml'], 'validate takes its manifests with -f\n  try  trainyard validate -f job.yaml'],
  [
    ['validate', '-f', 'job.yaml', '--stric'],
    'trainyard validate has no option --stric; did you mean --strict?\n  try  trainyard validate --help',
  ],
  [['validate', '--file=job.yaml'], 'trainyard validate has no option --file\n  try  trainyard validate --help'],
  [['-n', 'team', 'plan'], '-n goes after plan, not before it\n  try  trainyard plan -n …'],
  [['--strict', 'validate'], '--strict goes after validate, not before it\n  try  trainyard validate --strict …'],
  [['validate', '-f'], '-f needs a value\n  try  trainyard validate --help'],
  [['validate', '-f', 'job.yaml', '-o', 'xml'], '-o xml: the formats are json and yaml'],
  [['validate', '-f', 'job.yaml', '--color=red'], '--color=red: it is auto, always or never'],
  [['validate', '-f', '-', '-f', '-'], '-f - can be given only once; there is one standard input'],
  [['valdate'], 'there is no command valdate; did you mean validate?\n  try  trainyard validate --help'],
  [['dance'], 'there is no command dance\n  try  trainyard --help'],
  [['explain'], 'trainyard explain needs kind[.path]\n  try  trainyard explain --help'],
  [
    ['validate', '-f', 'https://example.com/job.yaml'],
    'https://example.com/job.yaml is an address; download it and hand it over with -f -\n  try  curl -s https://example.com/job.yaml | trainyard validate -f -',
  ],
])('%j is a wrong command line', async (args, message) => {
  expect(await runCli(args)).toEqual({ stdout: '', stderr: `trainyard: ${message}\n`, exitCode: 2 })
})

test.each([[[]], [['--help']], [['validate', '--help']]])('%j shows help', async (args) => {
  const { stdout, stderr, exitCode } = await runCli(args)
  expect(stdout).toMatch(/^Usage: trainyard/)
  expect([stderr, exitCode]).toEqual(['', 0])
})

test('--version', async () => {
  expect(await runCli(['--version'])).toEqual({ stdout: '0.0.0\n', stderr: '', exitCode: 0 })
})
