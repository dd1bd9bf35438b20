#!/usr/bin/env node
// Plain JavaScript that any Node since 20 can read: it finds a Node new enough and the program to run.
// In a checkout that is the TypeScript source; type stripping does not work under node_modules, so what
// is packed is built.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keepCompiledCode } from './compile-cache.js'

const NEEDED = 24

const source = new URL('../src/main/cli.ts', import.meta.url)
const program = existsSync(source) ? source : new URL('../dist/main/cli.js', import.meta.url)

if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  keepCompiledCode()
  await import(program.href)
} else await runWithNewerNode()

async function runWithNewerNode() {
  const [{ spawn }, { createRequire }, { dirname, join }] = await Promise.all([
    import('node:child_process'),
    import('node:module'),
    import('node:path'),
  ])
  let node
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
    node = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {}
  if (!node || !existsSync(node)) {
    console.error(`trainyard: this is Node ${process.versions.node}, and Node ${NEEDED} or newer is needed.`)
    console.error('  It comes with the npm package "node", whose install script has not been run here.')
    console.error('  run it  npm rebuild node --allow-scripts=node')
    process.exit(3)
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // The terminal sends Ctrl-C to both of us; what is sent to us alone is passed on. Either way we wait for the end.
  for (const signal of ['SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal))
  }
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
  child.on('error', (error) => {
    console.error(`trainyard: cannot start ${node}: ${error.message}`)
    process.exit(3)
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    // End the way the program did, so that whoever waits for us sees the same.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
