// npm run test:readme [-- first|tests]: a new clone of what is committed, and in it the two commands of the README, as
// they stand there, or one of them.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { elapsed } from './elapsed.ts'
import { tellTime, timeLines } from './readme-times.ts'
import { mustRun, runProgram } from './run-program.ts'
import { inEmptyDirectory, strangerEnv } from './stranger.ts'

const start = performance.now()
const root = resolve(import.meta.dirname, '..')

const NAMES = ['first', 'tests'] as const
const wanted = process.argv.slice(2)

/** The indented command under the title, and the one after "Run the tests:". */
function readmeCommands(readme: string): Record<(typeof NAMES)[number], string> {
  const first = readme.match(/^ {4}(npm .*)$/m)?.[1]
  const tests = readme.match(/^Run the tests: `(.*)`$/m)?.[1]
  if (!first || !tests) throw new Error('README.md does not show its two commands')
  return { first, tests }
}

/** A line of a replica, as `run` writes it where there is no terminal. */
const REPLICA_LINE = /^(master|worker)-\d+ *\| /
const INSTALLED = /^(added|up to date|changed) .*\b(package|audited)/

async function runCommands(dir: string): Promise<{ count: number; times: string[] }> {
  const clone = join(dir, 'trainyard')
  // Not the home of whoever runs this.
  const env = { ...strangerEnv(), TRAINYARD_HOME: join(dir, 'home') }
  await mustRun('git', ['clone', '--quiet', '--depth=1', `file://${root}`, clone], { env })
  const commands = readmeCommands(readFileSync(join(clone, 'README.md'), 'utf8'))
  const names = NAMES.filter((name) => wanted.length === 0 || wanted.includes(name))
  if (names.length === 0) throw new Error(`nothing to run is called ${wanted.join(' or ')}; there are first and tests`)
  const times: string[] = []
  try {
    if (names.includes('first')) {
      times.push(...(await timeFirstCommand(commands.first, clone, env)), ...(await timeFirstLines(clone, env)))
    }
    if (names.includes('tests')) await runCommand(commands.tests, clone, env)
    return { count: names.length, times }
  } finally {
    // The first command leaves a home running, and its directory is about to go.
    await down(clone, env)
  }
}

async function timeFirstCommand(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  console.log(`$ ${command}`)
  // The README's line is what a person types, so a shell reads it.
  const { code, seconds, total } = await timeLines(['sh', '-c', command], { installed: INSTALLED }, { cwd, env })
  if (code !== 0) throw new Error(`exit code ${code} after ${total.toFixed(1)} s: ${command}`)
  const { installed } = seconds
  return [
    tellTime('install', installed),
    tellTime('the whole first example', installed === undefined ? undefined : total - installed, 30),
  ]
}

/** From typing the command to the first line of a replica, without npx before it. */
async function timeFirstLines(cwd: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  await down(cwd, env)
  const time = async (what: string, name: string, aim: number): Promise<string> => {
    const words = ['run', '-f', 'examples/digits/job.yaml', '--name', name]
    console.log(`$ trainyard ${words.join(' ')}`)
    const ran = await timeLines(['bin/trainyard', ...words], { line: REPLICA_LINE }, { cwd, env, until: 'line' })
    await mustRun('npx', ['trainyard', 'delete', name], { cwd, env })
    return tellTime(what, ran.seconds.line, aim)
  }
  return [
    await time('first line of a replica, no home running', 'first-line-1', 2),
    await time('with a home running', 'first-line-2', 0.5),
  ]
}

function down(cwd: string, env: NodeJS.ProcessEnv) {
  return runProgram('npx', ['trainyard', 'down', '--force'], { cwd, env, show: true })
}

async function runCommand(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  console.log(`$ ${command}`)
  const begun = performance.now()
  // The README's line is what a person types, so a shell reads it.
  const { code } = await runProgram('sh', ['-c', command], { cwd, env, show: true })
  if (code !== 0) throw new Error(`exit code ${code} after ${elapsed(begun)}: ${command}`)
  console.log(`✓ ${elapsed(begun)}`)
}

try {
  const { count, times } = await inEmptyDirectory(runCommands)
  for (const time of times) console.log(time)
  console.log(`test:readme: ${count} of ${count} commands work in a new clone (${elapsed(start)})`)
} catch (error) {
  console.log(`✗ ${(error as Error).message}\ntest:readme: failed (${elapsed(start)})`)
  process.exitCode = 1
}
