// npm run test:readme: a new clone of what is committed, and in it the two commands of the README, as they stand there.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { elapsed } from './elapsed.ts'
import { mustRun, runProgram } from './run-program.ts'
import { inEmptyDirectory, strangerEnv } from './stranger.ts'

const start = performance.now()
const root = resolve(import.meta.dirname, '..')

/** The indented command under the title, and the one after "Run the tests:". */
function readmeCommands(readme: string): string[] {
  const first = readme.match(/^ {4}(npm .*)$/m)?.[1]
  const tests = readme.match(/^Run the tests: `(.*)`$/m)?.[1]
  if (!first || !tests) throw new Error('README.md does not show its two commands')
  return [first, tests]
}

async function runCommands(dir: string): Promise<number> {
  const clone = join(dir, 'trainyard')
  // Not the home of whoever runs this.
  const env = { ...strangerEnv(), TRAINYARD_HOME: join(dir, 'home') }
  await mustRun('git', ['clone', '--quiet', '--depth=1', `file://${root}`, clone], { env })
  const commands = readmeCommands(readFileSync(join(clone, 'README.md'), 'utf8'))
  try {
    for (const command of commands) await runCommand(command, clone, env)
  } finally {
    // The first command leaves a home running, and its directory is about to go.
    await runProgram('npx', ['trainyard', 'down', '--force'], { cwd: clone, env, show: true })
  }
  return commands.length
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
  const count = await inEmptyDirectory(runCommands)
  console.log(`test:readme: ${count} of ${count} commands work in a new clone (${elapsed(start)})`)
} catch (error) {
  console.log(`✗ ${(error as Error).message}\ntest:readme: failed (${elapsed(start)})`)
  process.exitCode = 1
}
