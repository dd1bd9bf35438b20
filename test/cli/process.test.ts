// The program as users start it: its own process, real files, real pipes.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'

const program = join(import.meta.dirname, '..', '..', 'src', 'main', 'cli.ts')
const golden = join(import.meta.dirname, 'golden')
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trainyard-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function trainyard(args: string[], options: { cwd?: string; input?: string; env?: Record<string, string> } = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd ?? golden,
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...options.env },
  })
  child.stdin.end(options.input ?? '')
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  return { stdout, stderr, code }
}

test.each([
  [['validate', '-f', 'good/digits.yaml'], 0, /valid\n$/, /^$/],
  [['validate', '-f', 'job.yaml'], 1, /3 errors, 1 warning\n$/, /^$/],
  [['validate', '-f', 'nowhere.yaml'], 2, /^$/, /^trainyard: there is no file nowhere.yaml\n$/],
  [['plan', '-f', 'job.yaml'], 1, /^$/, /3 errors, 1 warning\n$/],
  [['--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
])('%j exits with %i and keeps its streams apart', async (args, code, stdout, stderr) => {
  const ran = await trainyard(args)
  expect(ran.code).toBe(code)
  expect(ran.stdout).toMatch(stdout)
  expect(ran.stderr).toMatch(stderr)
})

test('standard input', async () => {
  const input = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: code}\n'
  expect(await trainyard(['validate', '-f', '-'], { input })).toEqual({
    stdout: 'stdin: ConfigMap code: valid\n',
    stderr: '',
    code: 0,
  })
  expect((await trainyard(['validate', '-f', '-'])).stdout).toMatch(/^stdin:1:1: error: there is nothing in it/)
})

test('an input without an end is not read to its end', async () => {
  const child = spawn(process.execPath, [program, 'validate', '-f', '-'])
  function* endless() {
    for (;;) yield 'a: 1\n'.repeat(10_000)
  }
  // It ends when the program stops reading, and that is an error for whoever writes.
  const written = pipeline(Readable.from(endless()), child.stdin).catch((error) => error.code)
  const exit = new Promise((resolve) => child.on('close', resolve))
  const [stdout, code] = await Promise.all([text(child.stdout), exit])
  expect(await written).toMatch(/^(EPIPE|ECONNRESET)$/)
  expect(stdout).toMatch(/^stdin:1:1: error: the file has \d+\.\d MiB; a manifest has at most 3 MiB/)
  expect(code).toBe(1)
})

test('a reader that stops early is no failure', async () => {
  const child = spawn(process.execPath, [program, 'plan', '-f', 'good/many-workers.yaml', '-o', 'json'], {
    cwd: golden,
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const [stderr, code] = await Promise.all([text(child.stderr), new Promise((resolve) => child.on('close', resolve))])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
})

test('a file of ten megabytes gets one answer, at once', async () => {
  const pod = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n'
  writeFileSync(join(folder, 'large.yaml'), pod + '  key: value value value value\n'.repeat(350_000))
  writeFileSync(join(folder, 'line.json'), `{"a": "${'x'.repeat(10 * 1024 * 1024)}"}`)
  const ran = await trainyard(['validate', '-f', 'large.yaml', 'line.json'], { cwd: folder })
  expect(
    ran.stdout,
  ).toBe(`large.yaml:1:1: error: the file has 10.3 MiB; a manifest has at most 3 MiB, Kubernetes takes no
  larger one
large.yaml: 1 error
line.json:1:1: error: the file has 10.0 MiB; a manifest has at most 3 MiB, Kubernetes takes no
  larger one
line.json: 1 error
`)
  expect(ran.code).toBe(1)
})

test('a large file that may be one is read', async () => {
  const data = Array.from({ length: 60_000 }, (_, i) => `  key-${i}: value\n`).join('')
  writeFileSync(join(folder, 'fits.yaml'), `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: many}\ndata:\n${data}`)
  expect((await trainyard(['validate', '-f', 'fits.yaml'], { cwd: folder })).stdout).toBe(
    'fits.yaml: ConfigMap many: valid\n',
  )
})

test('an error in a very long line is shown with what is around it', async () => {
  const filler = Array.from({ length: 20_000 }, (_, i) => `"k${i}": ${i}`).join(', ')
  writeFileSync(
    join(folder, 'long.json'),
    `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {${filler}, "k0": 1}}`,
  )
  const { stdout } = await trainyard(['validate', '-f', 'long.json'], { cwd: folder })
  expect(stdout).toMatch(
    /^long.json:1:\d+: error: the key "k0" stands here a second time; the first is in line 1\n {4}1 \| ….*"k0": 1}}\n {6}\| +\^{4}\n/,
  )
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
})

test('directories: their manifests, not those of folders within', async () => {
  const directory = join(folder, 'manifests')
  mkdirSync(join(directory, 'within'), { recursive: true })
  const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`
  for (const file of ['b.yml', 'a.yaml', 'notes.txt', 'within/c.yaml'])
    writeFileSync(join(directory, file), configMap(file[0]!))
  writeFileSync(join(directory, 'd.json'), '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "d"}}')
  symlinkSync('a.yaml', join(directory, 'e.yaml'))
  expect((await trainyard(['validate', '-f', 'manifests'], { cwd: folder })).stdout).toBe(
    'manifests/a.yaml: ConfigMap a: valid\nmanifests/b.yml: ConfigMap b: valid\nmanifests/d.json: Secret d: valid\nmanifests/e.yaml: ConfigMap a: valid\n',
  )
  mkdirSync(join(folder, 'bare'))
  const bare = await trainyard(['validate', '-f', 'bare'], { cwd: folder })
  expect(bare.stderr).toBe(
    'trainyard: bare has no .yaml, .yml or .json file in it; folders within it are not searched\n',
  )
  expect(bare.code).toBe(2)
})
