// npm run test:pack: packs the project, installs it into an empty directory with the machine's own Node and npm,
// and uses it there as the documentation says.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readMarkdown } from './check/markdown.ts'
import { elapsed } from './elapsed.ts'
import { mustRun } from './run-program.ts'
import { inEmptyDirectory, strangerEnv } from './stranger.ts'

const start = performance.now()
const env = strangerEnv()
const root = resolve(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const result = await work()
  console.log(`✓ ${name.padEnd(56)} ${elapsed(begun)}`)
  return result
}

function expectText(text: string, expected: string): void {
  if (!text.includes(expected)) throw new Error(`expected ${JSON.stringify(expected)} in:\n${text}`)
}

interface Example {
  place: string
  language: string
  text: string
  /** What the documentation says it prints, where it does. */
  prints?: string
}

/** The blocks of the documentation that use the package. */
function documentedExamples(): Example[] {
  const files = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
  return files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const markdown = readFileSync(join(root, file), 'utf8')
      return readMarkdown(markdown)
        .fences.filter(({ language, text }) => /^[jt]s$/.test(language) && text.includes("from 'trainyard'"))
        .map(({ language, text, line }) => {
          const after = markdown.slice(markdown.indexOf(text) + text.length)
          const prints = after.match(/^```\n\nIt prints\n\n((?: {4}.*\n)+)/)?.[1]?.replaceAll(/^ {4}/gm, '')
          return { place: `${file}:${line}`, language, text, prints }
        })
    })
}

async function testPackage(dir: string): Promise<number> {
  const run = (command: string, ...args: string[]): Promise<string> => mustRun(command, args, { cwd: dir, env })
  const node = (await run('node', '--version')).trim()
  await step('pack', () => mustRun('npm', ['pack', '--pack-destination', dir], { cwd: root, env }))
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }))
  await step(`install on Node ${node}`, () =>
    run('npm', 'install', '--no-audit', '--no-fund', `trainyard-${version}.tgz`),
  )
  await step('npx trainyard --version', async () => expectText(await run('npx', 'trainyard', '--version'), version))
  await step('the launcher on the machine’s own Node', async () =>
    expectText(await run('node', 'node_modules/trainyard/bin/trainyard.js', '--version'), version),
  )
  cpSync(join(root, 'examples'), join(dir, 'examples'), { recursive: true })
  for (const command of ['validate', 'plan', 'rehearse']) {
    const args = ['trainyard', command, '-f', 'examples/digits/job.yaml']
    await step(`npx ${args.join(' ')}`, async () => expectText(await run('npx', ...args), 'digits'))
  }
  cpSync(join(root, 'test/pack/every-kind.mjs'), join(dir, 'every-kind.mjs'))
  await step(`every kind on Node ${node}`, () => run('node', 'every-kind.mjs'))
  const examples = documentedExamples()
  for (const [index, { place, language, text, prints }] of examples.entries()) {
    const source = `example-${index}.${language}`
    writeFileSync(join(dir, source), text)
    if (language === 'ts') {
      await step(`${place} type-checks`, () => typeCheck(dir, source))
      const options = ['--format=esm', `--outfile=example-${index}.js`, '--log-level=error']
      await run(join(root, 'node_modules/.bin/esbuild'), source, ...options)
    }
    await step(`${place} runs on Node ${node}`, async () => {
      const output = await run('node', `example-${index}.js`)
      if (prints) expectText(output, prints)
    })
  }
  if (examples.length === 0) throw new Error('the documentation shows no program that uses the package')
  return examples.length
}

function typeCheck(dir: string, file: string): Promise<string> {
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', ...types]
  return mustRun(join(root, 'node_modules/.bin/tsc'), [...options, file], { cwd: dir })
}

try {
  const examples = await inEmptyDirectory(testPackage)
  console.log(`test:pack: trainyard ${version} installs and runs, ${examples} documented examples (${elapsed(start)})`)
} catch (error) {
  console.log(`✗ ${(error as Error).message}\ntest:pack: failed (${elapsed(start)})`)
  process.exitCode = 1
}
