import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runProgram } from '../run-program.ts'
import { bundleCheckout } from './bundle-checkout.ts'

const { RECORD, findProgram } = createRequire(import.meta.url)('../../bin/find-program.js') as {
  RECORD: string
  findProgram: (root: string) => string
}
const INSTALLED = 'node_modules/.package-lock.json'
const LONG_AGO = new Date('2026-01-02T03:04:05Z')

let root = ''
const at = (file: string): string => join(root, file)
const bundled = (): string | undefined => {
  const program = findProgram(root)
  return program === at('src/main/cli.ts') ? undefined : program
}

function writeSource(file: string, text: string, time = LONG_AGO): void {
  writeFileSync(at(file), text)
  utimesSync(at(file), time, time)
}

async function output(): Promise<string> {
  return (await runProgram(process.execPath, [findProgram(root)])).output
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'trainyard-bundle-'))
  mkdirSync(at('src/main'), { recursive: true })
  mkdirSync(at('node_modules'))
  writeSource(INSTALLED, '{}')
  writeFileSync(at('package.json'), '{"type":"module"}')
  writeSource('src/main/cli.ts', "import('./later.ts').then(({ word }) => console.log(word as string))\n")
  writeSource('src/main/later.ts', "export const word: string = 'one'\n")
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a bundle of what is there is the program', async () => {
  expect(bundled()).toBeUndefined()
  const places = await bundleCheckout(root, RECORD)
  expect(bundled()).toBe(at(places!.get('src/main/cli.ts')!))
  expect(await output()).toBe('one\n')
})

test.each([
  ['is edited', () => appendFileSync(at('src/main/later.ts'), '// more\n')],
  [
    'is edited and as long as before',
    () => writeFileSync(at('src/main/later.ts'), "export const word: string = 'two'\n"),
  ],
  ['comes from an older commit', () => utimesSync(at('src/main/later.ts'), LONG_AGO, new Date('2025-01-01T00:00:00Z'))],
  ['is gone', () => rmSync(at('src/main/later.ts'))],
  ['comes from a package that was changed', () => writeFileSync(at(INSTALLED), '{}')],
])('the sources are the program once one %s', async (_, change) => {
  await bundleCheckout(root, RECORD)
  expect(bundled()).toBeDefined()
  change()
  expect(bundled()).toBeUndefined()
})

test('a bundle made anew is the program again', async () => {
  const before = await bundleCheckout(root, RECORD)
  writeSource('src/main/later.ts', "export const word: string = 'two'\n", new Date('2026-02-03T04:05:06Z'))
  await bundleCheckout(root, RECORD)
  expect(await output()).toBe('two\n')
  // Whoever runs the old one may yet ask for the rest of it.
  for (const part of before!.values()) expect(existsSync(at(part))).toBe(true)
})

test('no bundle is made of sources that may have changed meanwhile', async () => {
  writeSource('src/main/later.ts', "export const word: string = 'two'\n", new Date())
  expect(await bundleCheckout(root, RECORD)).toBeUndefined()
  expect(bundled()).toBeUndefined()
})

test('sources that cannot be bundled leave the former bundle out of use', async () => {
  await bundleCheckout(root, RECORD)
  writeSource('src/main/later.ts', 'export const word = (\n')
  await expect(bundleCheckout(root, RECORD)).rejects.toThrow()
  expect(bundled()).toBeUndefined()
})

test.each([['{'], ['{}'], ['null'], ['{"program":"src/nowhere.js","files":[]}']])(
  'a record that says %s is none',
  async (text) => {
    await bundleCheckout(root, RECORD)
    writeFileSync(at(RECORD), text)
    expect(bundled()).toBeUndefined()
  },
)

test('where nothing can be written the sources stay the program', async () => {
  writeFileSync(at('.program'), 'in the way')
  await expect(bundleCheckout(root, RECORD)).rejects.toThrow()
  expect(await output()).toBe('one\n')
})

test('several builds at once leave one bundle', async () => {
  await Promise.all([1, 2, 3].map(() => bundleCheckout(root, RECORD)))
  expect(bundled()).toBeDefined()
  expect(await output()).toBe('one\n')
  expect(readdirSync(at('.program/main'))).toHaveLength(1)
})

test('parts of no bundle made in the last week go', async () => {
  const places = await bundleCheckout(root, RECORD)
  const old = at('.program/chunks/old-AAAA.js')
  writeFileSync(old, '')
  utimesSync(old, LONG_AGO, LONG_AGO)
  for (const part of places!.values()) utimesSync(at(part), LONG_AGO, LONG_AGO)
  await bundleCheckout(root, RECORD)
  expect(existsSync(old)).toBe(false)
  expect(bundled()).toBeDefined()
  expect(await output()).toBe('one\n')
})
