import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram } from '../scripts/run-program.ts'
import { strangerEnv } from '../scripts/stranger.ts'

// The launcher as it is, in front of a program that tells what reaches it, as in an installed package.
const PROGRAM = `
const [word, code] = process.argv.slice(2)
if (word === 'wait') {
  process.on('SIGTERM', () => process.exit(7))
  setInterval(() => {}, 1000)
}
console.log(process.versions.node.split('.')[0], process.argv.slice(2).join(' '))
if (word === 'exit') process.exit(Number(code))
if (word === 'abort') process.kill(process.pid, 'SIGKILL')
`

let dir = ''
const launcher = (): string => join(dir, 'bin/trainyard.js')
// On a machine whose own Node is new enough there is nothing to bring, and the same must hold.
const run = (...args: string[]) => runProgram('node', [launcher(), ...args], { env: strangerEnv() })

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'trainyard-launcher-'))
  mkdirSync(join(dir, 'dist/main'), { recursive: true })
  cpSync('bin', join(dir, 'bin'), { recursive: true })
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
  writeFileSync(join(dir, 'dist/main/cli.js'), PROGRAM)
  symlinkSync(resolve('node_modules'), join(dir, 'node_modules'))
})

afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('a Node new enough runs the program, with the arguments as they are', async () => {
  const { code, output } = await run('a b', '--c=d', '')
  expect(output).toMatch(/^(2[4-9]|[3-9]\d) a b --c=d \n$/)
  expect(code).toBe(0)
})

test('the exit code is the program’s', async () => {
  expect((await run('exit', '5')).code).toBe(5)
})

test('whoever is killed is seen to be killed', async () => {
  expect((await run('abort')).code).toBe(137)
})

test('a signal reaches the program, and its answer comes back', async () => {
  const child = spawn('node', [launcher(), 'wait'], { env: strangerEnv(), stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.once('data', () => child.kill('SIGTERM'))
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(7)
})

test.each([
  ['as it lies in the package', (path: string) => path],
  [
    'through links, as npm makes them',
    (path: string) => {
      mkdirSync(join(dir, '.bin'), { recursive: true })
      symlinkSync(path, join(dir, '.bin/absolute'))
      symlinkSync('absolute', join(dir, '.bin/relative'))
      return join(dir, '.bin/relative')
    },
  ],
])('the command starts the Node of the package: %s', async (_, pathOf) => {
  const { code, output } = await runProgram(pathOf(join(dir, 'bin/trainyard')), ['a b', '', '$(c)'], {
    env: { PATH: '/usr/bin:/bin' },
  })
  expect(output).toBe('24 a b  $(c)\n')
  expect(code).toBe(0)
})

test('the command of a package finds the Node that lies beside it, and else asks the one on the PATH', async () => {
  const installed = join(dir, 'somebody/node_modules/trainyard')
  mkdirSync(installed, { recursive: true })
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(dir, part), join(installed, part), { recursive: true })
  const command = join(installed, 'bin/trainyard')
  const named = async (path: string): Promise<string> =>
    (await runProgram(command, ['exit', '0'], { env: { PATH: `${path}:/usr/bin:/bin` } })).output
  const own = join(dir, 'own')
  mkdirSync(own)
  writeFileSync(join(own, 'node'), '#!/bin/sh\necho "its own: $1"\n', { mode: 0o755 })
  expect(await named(own)).toBe(`its own: ${realpathSync(installed)}/bin/trainyard.js\n`)
  symlinkSync(resolve('node_modules/node'), join(installed, '../node'))
  expect(await named(own)).toBe('24 exit 0\n')
})

test('without a Node new enough it says what to do', async () => {
  const old = (await runProgram('node', ['-p', 'parseInt(process.versions.node) < 24'], { env: strangerEnv() })).output
  rmSync(join(dir, 'node_modules'))
  try {
    const { code, output } = await run('exit', '0')
    if (old.trim() === 'true') {
      expect(output).toContain('npm rebuild node --allow-scripts=node')
      expect(code).toBe(3)
    } else expect(code).toBe(0)
  } finally {
    symlinkSync(resolve('node_modules'), join(dir, 'node_modules'))
  }
})
