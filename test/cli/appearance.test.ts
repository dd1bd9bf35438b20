// Colours, marks and width follow from the terminal, never from what is said.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Terminal } from '../../src/cli/output/terminal.ts'
import { runCli } from './run-cli.ts'

const start = process.cwd()
beforeAll(() => process.chdir(join(import.meta.dirname, 'golden')))
afterAll(() => process.chdir(start))

const COLOUR = '\u001b['
const terminal: Partial<Terminal> = { outIsTerminal: true, errIsTerminal: true }
const utf8 = { LANG: 'de_DE.UTF-8' }

test.each<[string, string[], Partial<Terminal>, boolean]>([
  ['a terminal', [], { ...terminal, env: utf8 }, true],
  ['a pipe', [], {}, false],
  ['NO_COLOR', [], { ...terminal, env: { ...utf8, NO_COLOR: '1' } }, false],
  ['--color=never', ['--color=never'], { ...terminal, env: utf8 }, false],
  ['--color=always in a pipe', ['--color=always'], {}, true],
  ['--color alone', ['--color'], {}, true],
  ['a dumb terminal', [], { ...terminal, env: { ...utf8, TERM: 'dumb' } }, false],
])('%s', async (_, flags, options, coloured) => {
  for (const command of ['validate', 'plan']) {
    const { stdout, stderr } = await runCli([command, '-f', 'job.yaml', ...flags], options)
    expect((stdout + stderr).includes(COLOUR)).toBe(coloured)
  }
})

test('colours change nothing else', async () => {
  const [plain, coloured] = [
    await runCli(['plan', '-f', 'good/digits.yaml']),
    await runCli(['plan', '-f', 'good/digits.yaml', '--color=always']),
  ]
  expect(coloured.stdout).not.toBe(plain.stdout)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
  expect(coloured.stdout.replace(/\u001b\[\d+m/g, '')).toBe(plain.stdout)
})

test('data is never coloured or cut', async () => {
  const { stdout } = await runCli(['plan', '-f', 'good/many-workers.yaml', '-o', 'json', '--color=always'], {
    columns: 40,
  })
  expect(stdout).not.toContain(COLOUR)
  expect(JSON.parse(stdout).objects).toHaveLength(67)
})

test.each([30, 60, 80])('%i columns: the last column is cut, nothing is wrapped in the table', async (columns) => {
  const { stdout } = await runCli(['plan', '-f', 'good/many-workers.yaml'], { columns })
  const lines = stdout.split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
  expect(lines.filter((line) => line.startsWith('Pod '))).toHaveLength(2)
  for (const line of lines.filter((text) => text.startsWith('Pod '))) expect(line).toMatch(/…$/)
})

test('more than 100 columns change nothing', async () => {
  const [wide, page] = [
    await runCli(['plan', '-f', 'good/many-workers.yaml'], { columns: 200 }),
    await runCli(['plan', '-f', 'good/many-workers.yaml']),
  ]
  expect(wide).toEqual(page)
})

test('a locale without UTF-8 gets ASCII', async () => {
  for (const env of [{ LANG: 'C' }, { LANG: 'de_DE.ISO-8859-1' }, { LANG: 'C.UTF-8', LC_ALL: 'POSIX' }]) {
    const { stdout } = await runCli(['plan', '-f', 'good/many-workers.yaml'], { env })
    expect(stdout).toMatch(/^[\x20-\x7e\n]*$/)
    expect(stdout).toContain('... worker-3 to worker-62 alike but for RANK')
    const rehearsal = await runCli(['rehearse', '-f', 'good/digits.yaml'], { env })
    expect(rehearsal.stdout).toMatch(/^[\x20-\x7e\n]*$/)
  }
})

test('what a manifest says cannot steer the terminal', async () => {
  const input =
    'apiVersion: batch.tensorstack.dev/v1beta1\nkind: GenericJob\nmetadata: {name: "a\\e[2Jb"}\nspec: "\\e[31m"\n'
  const { stdout } = await runCli(['validate', '-f', '-'], { input })
  expect(stdout).not.toContain('\u001b')
})
